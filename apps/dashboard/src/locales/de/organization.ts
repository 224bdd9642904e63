/** Texts about organizations, their people and roles. */
export default {
  "Your role here is {role}: {rights}.": "Ihre Rolle hier ist {role}: {rights}.",
  Owner: "Inhaber",
  "Can see everything but secrets; cannot act": "Sieht alles außer Geheimnissen; kann nichts tun",
  "Can acknowledge alerts and write incidents; cannot edit":
    "Kann Alarme bestätigen und Vorfälle schreiben; kann nichts bearbeiten",
  "Can edit monitors, channels, rules and status pages; cannot manage people or keys":
    "Kann Monitore, Kanäle, Regeln und Statusseiten bearbeiten; kann weder Personen noch Schlüssel verwalten",
  "Can manage members, projects and keys; cannot pay, set up single sign-on or delete the organization":
    "Kann Mitglieder, Projekte und Schlüssel verwalten; kann nicht bezahlen, Single Sign-on einrichten oder die Organisation löschen",
  "Can do everything": "Kann alles",
  "Alerts are not sent anywhere until there is a channel.":
    "Alarme werden nirgendwohin gesendet, solange es keinen Kanal gibt.",
  "Editors of the project can add monitors.": "Bearbeiter des Projekts können Monitore hinzufügen.",
  "Your role does not allow this": "Ihre Rolle erlaubt das nicht",
  "Your role in {project} is {role}: {rights}.": "Ihre Rolle in {project} ist {role}: {rights}.",
  "This page needs the role {role} or a higher one. An administrator of the organization can give it to you.":
    "Diese Seite braucht die Rolle {role} oder eine höhere. Ein Administrator der Organisation kann sie Ihnen geben."
} as const satisfies Record<string, string>
