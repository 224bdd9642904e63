/** Texts about the installation. */
export default {
  "A part does not work": "Eine Komponente funktioniert nicht",
  "All parts work": "Alle Komponenten funktionieren",
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
  "Messages leave at once.": "Nachrichten werden sofort gesendet.",
  "Messages wait for the message bus.": "Nachrichten warten auf den Nachrichtenbus.",
  Network: "Netzwerk",
  "No monitor waits for a result that is overdue.": "Kein Monitor wartet auf ein überfälliges Ergebnis.",
  Outbox: "Postausgang",
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
  "{count, plural, one {# probe} other {# probes}}": "{count, plural, one {# Sonde} other {# Sonden}}",
  "It does not answer. If it was just stopped, it disappears within seconds; otherwise restart it.":
    "Sie antwortet nicht. Wurde sie eben beendet, verschwindet sie in wenigen Sekunden; sonst neu starten.",
  "It is offline: its failed checks count as unknown. Look at the network of its machine.":
    "Sie ist offline: Fehlgeschlagene Prüfungen gelten als unbekannt. Prüfen Sie die Netzwerkverbindung ihres Rechners.",
  "Its clock is off by {offset}: its results count as unknown. Set the clock of its machine.":
    "Ihre Uhr weicht um {offset} ab: Ergebnisse gelten als unbekannt. Stellen Sie die Uhr ihres Rechners.",
  "Its clock is off by {offset}; times are corrected.": "Ihre Uhr weicht um {offset} ab; Zeiten werden korrigiert.",
  "Its clock is right": "Uhr stimmt",
  "It runs another version than this server. Update it.":
    "Sie läuft mit einer anderen Version als dieser Server. Aktualisieren Sie sie.",
  "{count, plural, one {# monitor is checked only from here, so it is not checked now.} other {# monitors are checked only from here, so they are not checked now.}}":
    "{count, plural, one {# Monitor wird nur von hier und daher zurzeit nicht geprüft.} other {# Monitore werden nur von hier und daher zurzeit nicht geprüft.}}",
  "Other regions go on checking its monitors.": "Andere Regionen prüfen ihre Monitore weiterhin.",
  "No monitor depends on it.": "Kein Monitor ist darauf angewiesen.",
  "Start a probe with KANMON_REGION={region}, or remove the region from KANMON_REGIONS.":
    "Starten Sie eine Sonde mit KANMON_REGION={region}, oder entfernen Sie die Region aus KANMON_REGIONS.",
  "Look whether the process of the probe runs, reaches the message bus, and has a key that is valid. If the region is gone for good: kanmon region close {region}":
    "Prüfen Sie, ob der Prozess der Sonde läuft, den Nachrichtenbus erreicht und einen gültigen Schlüssel hat. Falls es die Region nicht mehr gibt: kanmon region close {region}",
  Started: "Gestartet",
  "Your monitors there": "Eigene Monitore dort",
  "No probe has reported from here yet": "Von hier hat sich noch keine Sonde gemeldet",
  "The last probe was alive": "Letzte Sonde aktiv:",
  "{count, plural, one {# monitor is checked from here} other {# monitors are checked from here}}":
    "{count, plural, one {# Monitor wird von hier geprüft} other {# Monitore werden von hier geprüft}}",
  "{count, plural, one {# of them from nowhere else} other {# of them from nowhere else}}":
    "{count, plural, one {# davon nur von hier} other {# davon nur von hier}}",
  "{count, plural, one {# monitor of this project is overdue} other {# monitors of this project are overdue}}":
    "{count, plural, one {# Monitor dieses Projekts ist überfällig} other {# Monitore dieses Projekts sind überfällig}}",
  "Regions and probes": "Regionen und Sonden",
  "No region has had a probe yet. Start one: it announces itself.":
    "Noch keine Region hatte eine Sonde. Starten Sie eine: Sie meldet sich selbst an.",
  "New plan": "Neuer Tarif",
  "Create plan": "Tarif anlegen",
  "Shortest interval between checks": "Kürzestes Prüfintervall",
  "Shown to customers, not enforced": "Wird Kunden gezeigt, aber nicht erzwungen",
  "Price a month": "Preis pro Monat",
  Currency: "Währung",
  "Other people see changes of the plans within a minute.":
    "Für andere werden Änderungen der Tarife innerhalb einer Minute sichtbar.",
  "The plan is no longer available for new subscriptions.": "Der Tarif lässt sich nicht mehr abonnieren.",
  "Accounts on the plan that have more get some of them paused":
    "Konten mit diesem Tarif, die mehr haben, bekommen einige pausiert",
  "Act as": "Handeln als",
  "Act as {name}": "Handeln als {name}",
  "Act as {name}?": "Handeln als {name}?",
  Disable: "Sperren",
  "Disable {name}": "{name} sperren",
  "Disable {name}?": "{name} sperren?",
  Disabled: "Gesperrt",
  Enable: "Entsperren",
  "Enable {name}": "{name} entsperren",
  "Search by name or address": "Nach Name oder Adresse suchen",
  "Search by name or owner": "Nach Name oder Inhaber suchen",
  "Last signed in": "Zuletzt angemeldet",
  "{count, plural, one {# organization} other {# organizations}}":
    "{count, plural, one {# Organisation} other {# Organisationen}}",
  "For an hour at most you see what this person sees, and can do at most what an editor can. It is recorded in the audit log, where they see it too.":
    "Sie sehen höchstens eine Stunde lang, was diese Person sieht, und haben höchstens die Rechte eines Bearbeiters. Das Änderungsprotokoll hält dies fest, auch für die Person sichtbar.",
  "They are signed out at once and cannot sign in. Their organizations and monitors go on.":
    "Die Person wird sofort abgemeldet und kann sich nicht anmelden. Ihre Organisationen und Monitore laufen weiter.",
  "{count, plural, one {# member} other {# members}}": "{count, plural, one {# Mitglied} other {# Mitglieder}}",
  "{count, plural, one {# project} other {# projects}}": "{count, plural, one {# Projekt} other {# Projekte}}",
  Organizations: "Organisationen",
  "Its checks stop, its status pages are not found, and its members and keys are refused, until it is enabled again. Nothing is deleted.":
    "Bis zur Entsperrung ruhen ihre Prüfungen, ihre Statusseiten sind nicht erreichbar, und ihre Mitglieder und Schlüssel werden abgewiesen. Nichts wird gelöscht."
} as const satisfies Record<string, string>
