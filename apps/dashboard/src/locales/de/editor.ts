/** Texts of the form of a monitor. */
export default {
  "A web address, a host, or a host with a port. It fills in the fields below.":
    "Eine Webadresse, ein Host oder ein Host mit Port. Die Felder darunter werden damit ausgefüllt.",
  "Create monitor": "Monitor anlegen",
  "Edit {name}": "{name} bearbeiten",
  Leave: "Verlassen",
  "Leave without saving?": "Ohne Speichern verlassen?",
  "More settings": "Weitere Einstellungen",
  Save: "Speichern",
  seconds: "Sekunden",
  Stay: "Bleiben",
  Test: "Testen",
  "This is not valid JSON.": "Das ist kein gültiges JSON.",
  Unknown: "Unbekannt",
  "What should be watched?": "Was soll überwacht werden?",
  "What you typed will be lost.": "Die Eingaben gehen verloren."
} as const satisfies Record<string, string>
