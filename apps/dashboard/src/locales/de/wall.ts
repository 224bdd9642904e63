/** Texts of the wall. */
export default {
  "For a screen on a wall, open this address on it:": "Öffnen Sie auf dem Wandbildschirm diese Adresse:",
  "Full screen": "Vollbild",
  "It may have expired or been deleted. Make a new viewer key in the settings, and open its address here.":
    "Vielleicht ist er abgelaufen oder gelöscht. Legen Sie in den Einstellungen einen neuen Schlüssel mit der Rolle Betrachter an, und öffnen Sie hier seine Adresse.",
  "Kanmon does not answer. This was the state {duration} ago.": "Kanmon antwortet nicht. So war es vor {duration}.",
  "Make a key with the role Viewer in the settings: the address for a screen is shown beside it.":
    "Legen Sie in den Einstellungen einen Schlüssel mit der Rolle Betrachter an: Die Adresse für einen Bildschirm steht daneben.",
  "Result overdue": "Ergebnis überfällig",
  "The key of this screen is not valid": "Der Schlüssel dieses Bildschirms ist ungültig",
  "The others": "Die übrigen",
  "This address has no key": "Diese Adresse hat keinen Schlüssel",
  "Needs attention": "Handlungsbedarf"
} as const satisfies Record<string, string>
