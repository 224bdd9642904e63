/** Texts about organizations, their people and roles. */
export default {
  "API keys of the organization": "API-Schlüssel der Organisation",
  "For scripts and files that also contain on-call schedules and escalation policies. With its role such a key works in all projects of the organization. A key of one project is in the settings of that project.":
    "Für Skripte und Dateien, die auch Bereitschaftspläne und Eskalationsrichtlinien enthalten. Mit seiner Rolle gilt ein solcher Schlüssel in allen Projekten der Organisation. Schlüssel für ein einzelnes Projekt stehen in dessen Einstellungen.",
  "Critical alerts reach them by email alone.": "Kritische Alarme kommen nur per E-Mail an.",
  "Critical alerts do not reach them.": "Kritische Alarme kommen nicht an.",
  "The organization": "Die Organisation",
  "My account": "Mein Konto",
  Invitation: "Einladung",
  "{name} invites you to the organization {organization}.": "{name} lädt Sie in die Organisation {organization} ein.",
  "Your role": "Ihre Rolle",
  For: "Für",
  "Delete the organization": "Organisation löschen",
  "All its projects with their monitors, history, alerts, incidents and status pages are deleted too. Members keep their accounts. A paid plan ends.":
    "Alle Projekte mit Monitoren, Verlauf, Alarmen, Vorfällen und Statusseiten werden mitgelöscht. Mitglieder behalten ihre Konten. Ein bezahlter Tarif endet.",
  "Type the name of the organization to confirm": "Zur Bestätigung den Namen der Organisation eingeben",
  "E-mail addresses": "E-Mail-Adressen",
  "One or several, on lines of their own or with commas between them":
    "Eine oder mehrere, in eigenen Zeilen oder durch Kommas getrennt",
  Invite: "Einladen",
  "{count, plural, one {Invite # person} other {Invite # people}}":
    "{count, plural, one {# Person einladen} other {# Personen einladen}}",
  "invited by {name}": "eingeladen von {name}",
  "Send again to {email}": "Erneut an {email} senden",
  "Send again": "Erneut senden",
  "Revoke the invitation of {email}": "Einladung von {email} zurückziehen",
  Revoke: "Zurückziehen",
  Invitations: "Einladungen",
  "Invite people": "Personen einladen",
  "A new mail is on its way to {email}.": "Eine neue Mail ist unterwegs an {email}.",
  "Nobody is invited at the moment. An invitation is valid for seven days.":
    "Zurzeit ist niemand eingeladen. Eine Einladung gilt sieben Tage.",
  "Invite people to {name}": "Personen zu {name} einladen",
  "Revoke this invitation?": "Diese Einladung zurückziehen?",
  "The link in the mail to {email} stops working.": "Der Link in der Mail an {email} gilt nicht mehr.",
  "through single sign-on": "über Single Sign-on",
  "provisioned by the directory": "vom Verzeichnis angelegt",
  You: "Sie",
  "Member since": "Mitglied seit",
  "Last seen": "Zuletzt gesehen",
  "second factor": "zweiter Faktor",
  "Role of {name}": "Rolle von {name}",
  "The only owner: make somebody else an owner first to change this.":
    "Einziger Inhaber: Machen Sie zuerst ein anderes Mitglied zum Inhaber, um das zu ändern.",
  Members: "Mitglieder",
  "Leave the organization": "Organisation verlassen",
  "Leave {name}?": "{name} verlassen?",
  "Remove {name}?": "{name} entfernen?",
  "You lose access to its projects at once. To come back you need a new invitation.":
    "Sie verlieren sofort den Zugang zu den Projekten. Für die Rückkehr brauchen Sie eine neue Einladung.",
  "Access to the projects ends at once, in open browsers too. What they created stays.":
    "Der Zugang zu den Projekten endet sofort, auch in offenen Browsern. Was die Person angelegt hat, bleibt.",
  "An organization has its own projects, members and plan. You are its owner.":
    "Eine Organisation hat eigene Projekte, Mitglieder und einen eigenen Tarif. Sie sind ihr Inhaber.",
  "Create the organization": "Organisation anlegen",
  Organization: "Organisation",
  "Nobody has a role that can be raised.": "Bei keinem Mitglied lässt sich die Rolle erhöhen.",
  Member: "Mitglied",
  "Role in this project": "Rolle in diesem Projekt",
  "Raise the role": "Rolle erhöhen",
  "Higher roles in the project {name}": "Höhere Rollen im Projekt {name}",
  "Raise a role": "Rolle erhöhen",
  "Everybody has the role of the organization here.": "Alle haben hier die Rolle der Organisation.",
  "Higher roles": "Höhere Rollen",
  "Take back the role of {name}": "Rolle von {name} zurücknehmen",
  "Take back": "Zurücknehmen",
  "Raise a role in {name}": "Rolle in {name} erhöhen",
  "Create the team": "Team anlegen",
  Teams: "Teams",
  "New team": "Neues Team",
  "No team yet. A team is a set of members with a name, such as “On call”.":
    "Noch kein Team. Ein Team ist eine Gruppe von Mitgliedern mit einem Namen, etwa „Bereitschaft“.",
  "No members": "Keine Mitglieder",
  "Its members stay in the organization.": "Die Mitglieder bleiben in der Organisation.",
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
  "You are signed in as {email}, but the invitation is for {invited}.":
    "Sie sind als {email} angemeldet, die Einladung ist aber für {invited}.",
  "Sign out and go on as {email}": "Abmelden und als {email} weitermachen",
  "Accept the invitation": "Einladung annehmen",
  Decline: "Ablehnen",
  "Sign in to accept the invitation.": "Melden Sie sich an, um die Einladung anzunehmen.",
  "Create your account to accept the invitation.": "Legen Sie Ihr Konto an, um die Einladung anzunehmen.",
  "Create an account instead": "Stattdessen ein Konto anlegen",
  "I have an account": "Ich habe ein Konto",
  "This invitation is not valid: it was used, revoked, or is older than seven days. Ask for a new one.":
    "Diese Einladung ist nicht gültig: Sie wurde benutzt, zurückgezogen oder ist älter als sieben Tage. Bitten Sie um eine neue.",
  "Editors of the project can add monitors.": "Bearbeiter des Projekts können Monitore hinzufügen.",
  "You belong to no organization": "Sie gehören zu keiner Organisation",
  "Ask somebody for an invitation, or create an organization of your own.":
    "Lassen Sie sich einladen, oder legen Sie eine eigene Organisation an.",
  "New organization": "Neue Organisation",
  "New project": "Neues Projekt",
  "Create the project": "Projekt anlegen",
  "A project has its own monitors, channels, rules and status pages. Everybody in the organization is in it.":
    "Ein Projekt hat eigene Monitore, Kanäle, Regeln und Statusseiten. Alle in der Organisation gehören dazu.",
  "You are no longer a member of {organization}: somebody removed you, or the organization was deleted.":
    "Sie sind kein Mitglied von {organization} mehr: Jemand hat Sie entfernt, oder die Organisation wurde gelöscht.",
  "The project {name} of {organization} was deleted, or you were removed from it.":
    "Das Projekt {name} von {organization} wurde gelöscht, oder Sie wurden daraus entfernt.",
  "Organization and project": "Organisation und Projekt",
  "Your role does not allow this": "Ihre Rolle erlaubt das nicht",
  "Your role in {project} is {role}: {rights}.": "Ihre Rolle in {project} ist {role}: {rights}.",
  "This page needs the role {role} or a higher one. An administrator of the organization can give it to you.":
    "Diese Seite erfordert die Rolle {role} oder eine höhere. Ein Administrator der Organisation kann sie Ihnen geben.",
  "This installation sends no mail: the link of each invitation is printed on the console of the server.":
    "Diese Installation versendet keine Mails: Der Link jeder Einladung steht auf der Konsole des Servers.",
  "A new link for {email} is printed on the console of the server.":
    "Ein neuer Link für {email} steht auf der Konsole des Servers."
} as const satisfies Record<string, string>
