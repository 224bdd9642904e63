/** Texts of the status pages' management. */
export default {
  "2 to 63 lower-case letters, digits and hyphens": "2 bis 63 Kleinbuchstaben, Ziffern und Bindestriche",
  "A heading covers all monitors below it.": "Eine Überschrift gilt für alle Monitore darunter.",
  "A name of your own, such as status.example.org. The DNS records that it needs are shown after saving.":
    "Ein eigener Name wie status.example.org. Die nötigen DNS-Einträge werden nach dem Speichern angezeigt.",
  "A status page shows your visitors what is up, what is not, and what you do about it.":
    "Eine Statusseite zeigt Besuchern, was läuft, was gestört ist und was Sie dagegen tun.",
  Add: "Hinzufügen",
  "Add monitors": "Monitore hinzufügen",
  Address: "Adresse",
  "Another page has this address. Choose another one.":
    "Eine andere Seite hat diese Adresse schon. Bitte eine andere wählen.",
  "Copy {what}": "{what} kopieren",
  "Create status page": "Statusseite anlegen",
  "Create these records where the DNS of the domain is managed:":
    "Diese Einträge dort anlegen, wo das DNS der Domain verwaltet wird:",
  "Custom domain": "Eigene Domain",
  "Delete this status page?": "Diese Statusseite löschen?",
  "Getting a certificate": "Zertifikat wird ausgestellt",
  Colours: "Farben",
  Desktop: "Desktop",
  Device: "Gerät",
  Heading: "Überschrift",
  "Its visitors get “not found”. The monitors stay. Other pages can then have its address.":
    "Besucher sehen dann „nicht gefunden“. Die Monitore bleiben. Die Adresse wird für andere Seiten frei.",
  "Monitors and headings of the page": "Monitore und Überschriften der Seite",
  "Move down": "Nach unten",
  "Move up": "Nach oben",
  "Move {name}": "{name} verschieben",
  "New status page": "Neue Statusseite",
  "No monitor is shown yet": "Es wird noch kein Monitor gezeigt",
  "No status page yet": "Noch keine Statusseite",
  "Open the page": "Seite öffnen",
  "Open the page {name}": "Seite {name} öffnen",
  Phone: "Handy",
  Preview: "Vorschau",
  "Preview of the status page": "Vorschau der Statusseite",
  Remove: "Entfernen",
  "Status page": "Statusseite",
  "Status pages": "Statusseiten",
  "The domain does not work": "Die Domain funktioniert nicht",
  "The domain works": "Die Domain funktioniert",
  "The preview cannot be shown: {problem}": "Die Vorschau kann nicht gezeigt werden: {problem}",
  "The title that visitors see": "Der Titel, den Besucher sehen",
  "Waiting for the DNS records": "Wartet auf die DNS-Einträge",
  "What it shows": "Inhalt",
  "With the figures and incidents of this moment. Nothing is published until it is saved.":
    "Mit aktuellen Zahlen und Vorfällen. Veröffentlicht wird erst beim Speichern.",
  "and those tagged {tags}": "und die mit dem Tag {tags}",
  "{address} is free": "{address} ist frei",
  "{count, plural, one {# monitor} other {# monitors}}": "{count, plural, one {# Monitor} other {# Monitore}}",
  "Sites that may embed it": "Websites, die sie einbetten dürfen",
  "Origins such as https://portal.example.org, one a line. They can show its state in a frame.":
    "Origins wie https://portal.example.org, einer je Zeile. Sie dürfen den Zustand in einem Frame zeigen.",
  "Put this where the state is to be shown:": "Fügen Sie dies dort ein, wo der Zustand erscheinen soll:"
} as const satisfies Record<string, string>
