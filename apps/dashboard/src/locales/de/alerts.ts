/** Texts of the pages "Now" and "Alerts". */
export default {
  "4 hours": "4 Stunden",
  "A deleted channel": "Ein gelöschter Kanal",
  "A deleted monitor": "Ein gelöschter Monitor",
  "A silence keeps notifications about some monitors back for a while, such as during a migration.":
    "Eine Stummschaltung hält Benachrichtigungen zu einigen Monitoren eine Zeit lang zurück, etwa während eines Umzugs.",
  Acknowledge: "Bestätigen",
  "Acknowledge with note": "Mit Notiz bestätigen",
  "Acknowledged by {name}: {note}": "Bestätigt von {name}: {note}",
  Active: "Aktiv",
  "All past alerts": "Alle früheren Alarme",
  "An alert opens when a rule's condition holds, and it resolves when the condition ends.":
    "Ein Alarm beginnt, wenn die Bedingung einer Regel zutrifft, und endet, wenn sie nicht mehr zutrifft.",
  "By state": "Nach Zustand",
  "Certificate is invalid": "Zertifikat ist ungültig",
  "Create silence": "Stummschalten",
  Duration: "Dauer",
  "Earlier alerts of this monitor": "Frühere Alarme dieses Monitors",
  "End now": "Jetzt beenden",
  "End snooze": "Zurückstellung beenden",
  "End now: {reason}": "Jetzt beenden: {reason}",
  "I am on it": "Ich kümmere mich darum",
  Identified: "Ursache gefunden",
  "In progress": "Läuft",
  "Incidents and maintenance": "Vorfälle und Wartung",
  Investigating: "Wird untersucht",
  Monitoring: "Wird beobachtet",
  "New silence": "Neue Stummschaltung",
  Next: "Als Nächstes",
  "Next delivery attempt": "Nächster Zustellversuch",
  "No alert is open": "Kein Alarm ist offen",
  "No alert matches": "Kein Alarm passt dazu",
  "No channel was notified: the rule has none.": "Kein Kanal wurde benachrichtigt: Die Regel hat keinen.",
  "No monitor is down.": "Kein Monitor ist ausgefallen.",
  "No probe is online in: {regions}. Its results count as unknown until it is back.":
    "Keine Sonde ist online in: {regions}. Ihre Ergebnisse gelten als unbekannt, bis sie zurück ist.",
  "Note for others": "Notiz für andere",
  "Nothing is sent about these monitors until the silence ends. Checks and status pages go on.":
    "Bis zum Ende der Stummschaltung wird zu diesen Monitoren nichts gesendet. Prüfungen und Statusseiten laufen weiter.",
  "Nothing is silenced": "Nichts ist stummgeschaltet",
  "Notification delivered to {channel}": "Benachrichtigung zugestellt an {channel}",
  "Notification to {channel} failed": "Benachrichtigung an {channel} fehlgeschlagen",
  "Notification to {channel} failed; it is tried again":
    "Benachrichtigung an {channel} fehlgeschlagen; sie wird wiederholt",
  Now: "Jetzt",
  "Open alerts": "Offene Alarme",
  Reason: "Grund",
  "Resolved after {duration}": "Behoben nach {duration}",
  "Resolved lately": "Zuletzt behoben",
  "Show more": "Mehr anzeigen",
  Silenced: "Stummgeschaltet",
  Silences: "Stummschaltungen",
  Snooze: "Zurückstellen",
  "Snoozed by {name}": "Zurückgestellt von {name}",
  "Tag {tag}": "Tag {tag}",
  "The alert opened: {trigger}": "Der Alarm begann: {trigger}",
  "The condition began": "Die Bedingung trat ein",
  Timeline: "Verlauf",
  Unacknowledge: "Bestätigung zurücknehmen",
  Until: "Bis",
  "Until tomorrow, 9:00": "Bis morgen, 9:00",
  "{count, plural, one {# monitor is degraded.} other {# monitors are degraded.}}":
    "{count, plural, one {# Monitor ist beeinträchtigt.} other {# Monitore sind beeinträchtigt.}}",
  "{count, plural, one {# monitor is down.} other {# monitors are down.}}":
    "{count, plural, one {# Monitor ist ausgefallen.} other {# Monitore sind ausgefallen.}}",
  "{count, plural, one {# notification failed} other {# notifications failed}}":
    "{count, plural, one {# Benachrichtigung fehlgeschlagen} other {# Benachrichtigungen fehlgeschlagen}}",
  "{count, plural, one {The results of # monitor are overdue.} other {The results of # monitors are overdue.}}":
    "{count, plural, one {Die Ergebnisse von # Monitor sind überfällig.} other {Die Ergebnisse von # Monitoren sind überfällig.}}",
  "{count, plural, one {Your monitor is up.} other {All # monitors are up.}}":
    "{count, plural, one {Der Monitor ist in Betrieb.} other {Alle # Monitore sind in Betrieb.}}"
} as const satisfies Record<string, string>
