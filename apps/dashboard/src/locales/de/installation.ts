/** Texts about the installation. */
export default {
  "A part does not work": "Ein Teil arbeitet nicht",
  "All parts work": "Alle Teile arbeiten",
  "Changes of the installation": "Änderungen der Installation",
  Clock: "Uhr",
  Database: "Datenbank",
  Installation: "Installation",
  "It agrees with the message bus.": "Sie stimmt mit dem Nachrichtenbus überein.",
  "It answers.": "Antwortet.",
  "It does not answer. Nothing is lost: results wait on the message bus.":
    "Antwortet nicht. Nichts geht verloren: Ergebnisse warten auf dem Nachrichtenbus.",
  "It does not answer. Probes keep their results and send them later.":
    "Antwortet nicht. Die Sonden behalten ihre Ergebnisse und senden sie später.",
  "It is off by {offset}: results count as unknown. Set the clock of the server.":
    "Sie weicht um {offset} ab: Ergebnisse gelten als unbekannt. Stellen Sie die Uhr des Servers.",
  "It is off by {offset}; times are corrected.": "Sie weicht um {offset} ab; Zeiten werden korrigiert.",
  "It was not compared with the message bus yet.": "Sie wurde noch nicht mit dem Nachrichtenbus verglichen.",
  "Message bus": "Nachrichtenbus",
  "Messages leave at once.": "Nachrichten gehen sofort hinaus.",
  "Messages wait for the message bus.": "Nachrichten warten auf den Nachrichtenbus.",
  Network: "Netz",
  "No monitor waits for a result that is overdue.": "Kein Monitor wartet auf ein überfälliges Ergebnis.",
  Outbox: "Ausgang",
  Probes: "Sonden",
  "The message bus refuses messages. See below.": "Der Nachrichtenbus lehnt Nachrichten ab. Siehe unten.",
  "They are late: the server has too little processor time.": "Sie kommen zu spät: Der Server hat zu wenig Rechenzeit.",
  "They are on time.": "Sie sind pünktlich.",
  "This server is connected.": "Dieser Server ist verbunden.",
  "This server is offline: failed checks count as unknown.":
    "Dieser Server ist offline: Fehlgeschlagene Prüfungen gelten als unbekannt.",
  "Version {version}": "Version {version}",
  "no probe is alive": "keine Sonde aktiv",
  "{count, plural, one {# monitor waits for a result that is overdue.} other {# monitors wait for results that are overdue.}}":
    "{count, plural, one {# Monitor wartet auf ein überfälliges Ergebnis.} other {# Monitore warten auf überfällige Ergebnisse.}}",
  "{count, plural, one {# probe} other {# probes}}": "{count, plural, one {# Sonde} other {# Sonden}}"
} as const satisfies Record<string, string>
