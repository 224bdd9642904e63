/** Texts of the import. */
export default {
  "Carried over, but look at it": "Übernommen, aber bitte prüfen",
  "Choose a file": "Datei auswählen",
  "Choose another file": "Andere Datei auswählen",
  "Exists already": "Gibt es schon",
  "Import from Uptime Kuma": "Aus Uptime Kuma übernehmen",
  "It needs {name}, which was not created.": "Benötigt {name}; dieser Eintrag wurde nicht angelegt.",
  "Left out": "Nicht übernommen",
  "Nothing in this file can be carried over.": "Aus dieser Datei lässt sich nichts übernehmen.",
  "Reading {name}…": "{name} wird gelesen …",
  "Stop Uptime Kuma 2 and choose kuma.db from its data directory, or choose a JSON backup of version 1. First you see what would be created, and what has no counterpart.":
    "Uptime Kuma 2 anhalten und kuma.db aus dem Datenverzeichnis auswählen, oder eine JSON-Sicherung von Version 1. Zuerst wird gezeigt, was angelegt würde und wofür es keine Entsprechung gibt.",
  "To know": "Gut zu wissen",
  "{count, plural, one {# record was not created. Fix the reported problem and try again: existing records stay.} other {# records were not created. Fix the reported problems and try again: existing records stay.}}":
    "{count, plural, one {# Eintrag wurde} other {# Einträge wurden}} nicht angelegt. Nach dem Beheben noch einmal versuchen: Was es schon gibt, bleibt.",
  "After a failure it is checked again after {ours}, not after {theirs}.":
    "Sein Intervall nach einem Fehler ist {ours}, nicht {theirs}.",
  "Everything in this file exists already.": "Alles in dieser Datei gibt es schon.",
  "It is checked every {ours}, the shortest interval of the plan, not every {theirs}.":
    "Sein Intervall ist {ours}, das kürzeste des Tarifs, nicht {theirs}.",
  "Monitor {name}": "Monitor {name}",
  "{count, plural, one {Use the shortest interval of the plan, {interval}, for the monitor that is checked more often} other {Use the shortest interval of the plan, {interval}, for the # monitors that are checked more often}}":
    "{count, plural, one {Das kürzeste Intervall des Tarifs, {interval}, für den Monitor verwenden, der öfter geprüft wird} other {Das kürzeste Intervall des Tarifs, {interval}, für die # Monitore verwenden, die öfter geprüft werden}}",
  "{count, plural, one {Create # record} other {Create # records}}":
    "{count, plural, one {# Eintrag anlegen} other {# Einträge anlegen}}",
  "{created} of {count} created": "{created} von {count} angelegt",
  "{created} of {count} created, {there} existed already": "{created} von {count} angelegt, {there} gab es schon",
  "every {duration}": "Intervall: {duration}",
  "no channel is told of an outage": "bei einem Ausfall wird kein Kanal benachrichtigt",
  "tells {channels}": "meldet an {channels}"
} as const satisfies Record<string, string>
