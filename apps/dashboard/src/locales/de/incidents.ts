/** Texts of incidents and maintenance windows. */
export default {
  "Rule|recurrence": "Regel",
  "A fix is in place and {what} works again. We keep watching it.":
    "Der Fehler ist behoben und {what} läuft wieder. Wir beobachten es weiter.",
  "A maintenance window announces work to your visitors and keeps alerts back meanwhile.":
    "Ein Wartungsfenster kündigt Besuchern Arbeiten an und hält währenddessen Alarme zurück.",
  "A recurrence rule (RFC 5545), such as FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1":
    "Eine Wiederholungsregel (RFC 5545) wie FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
  "After a number of windows": "Nach einer Anzahl von Fenstern",
  "Alerts and downtime count again from now on, and status pages show it as completed.":
    "Alarme und Ausfälle zählen ab jetzt wieder, und Statusseiten zeigen die Wartung als abgeschlossen.",
  "An incident tells the visitors of your status pages what is wrong and what you do about it.":
    "Ein Vorfall informiert die Besucher der Statusseiten darüber, was gestört ist und was Sie dagegen tun.",
  "As visitors of the status page see it": "So sehen es Besucher der Statusseite",
  Back: "Zurück",
  Begins: "Beginn",
  By: "Nach",
  "By a rule of its own": "Nach eigener Regel",
  "By kind": "Nach Art",
  Calendar: "Kalender",
  "Cancel the maintenance": "Wartung absagen",
  "Cancel this maintenance?": "Diese Wartung absagen?",
  Completed: "Abgeschlossen",
  Daily: "Täglich",
  Day: "Tag",
  "Day of the month": "Tag des Monats",
  "Day of the week": "Wochentag",
  "Delete this incident?": "Diesen Vorfall löschen?",
  "Delete this maintenance window?": "Dieses Wartungsfenster löschen?",
  Discard: "Verwerfen",
  "Drag a scheduled window to another day, or move it with the arrow keys. Times in {zone}.":
    "Ein geplantes Fenster lässt sich auf einen anderen Tag ziehen oder mit den Pfeiltasten verschieben. Zeiten in {zone}.",
  "Drag a scheduled window, or move it with the arrow keys; with Shift they change its length. Times in {zone}.":
    "Ein geplantes Fenster lässt sich ziehen oder mit den Pfeiltasten verschieben; mit Umschalt ändern sie seine Länge. Zeiten in {zone}.",
  Earlier: "Früher",
  "Does not repeat": "Einmalig",
  "During the window checks go on, no alert is sent, and downtime does not count.":
    "Während des Fensters laufen Prüfungen weiter, es werden keine Alarme gesendet, und Ausfälle zählen nicht.",
  "End early": "Vorzeitig beenden",
  "End the maintenance now?": "Die Wartung jetzt beenden?",
  Ends: "Ende",
  Every: "Alle",
  "Every monitor tagged": "Jeder Monitor mit dem Tag",
  First: "Erster",
  Fourth: "Vierter",
  "Go to the incidents": "Zu den Vorfällen",
  "Hours of the week": "Stunden der Woche",
  "In your time zone: {from} – {to}": "In der eigenen Zeitzone: {from} – {to}",
  Incidents: "Vorfälle",
  "Insert a text": "Text einfügen",
  "It disappears from the status pages, with everything that was written. This cannot be undone.":
    "Der Vorfall verschwindet mit allen Meldungen von den Statusseiten. Das lässt sich nicht rückgängig machen.",
  "It is deleted and disappears from the status pages.": "Sie wird gelöscht und verschwindet von den Statusseiten.",
  "Keep it": "Behalten",
  Last: "Letzter",
  Later: "Später",
  Monthly: "Monatlich",
  "New incident": "Neuer Vorfall",
  "New maintenance window": "Neues Wartungsfenster",
  "No incident is open": "Kein Vorfall ist offen",
  "No incident matches": "Keine passenden Vorfälle",
  "No maintenance is in progress": "Gerade läuft keine Wartung",
  "No maintenance is scheduled": "Keine Wartung ist geplant",
  "No maintenance so far": "Bisher keine Wartung",
  "No status page shows an affected monitor, so no visitor sees this.":
    "Keine Statusseite zeigt einen betroffenen Monitor: Besucher sehen dies nicht.",
  "No text yet": "Noch kein Text",
  "Nothing on these days": "Keine Einträge an diesen Tagen",
  "Only this window is moved; the series after it stays.":
    "Nur dieses Fenster wird verschoben; die Reihe danach bleibt.",
  "Nothing chosen: it is about the whole project, and every status page shows it.":
    "Nichts ausgewählt: Es betrifft das ganze Projekt, und jede Statusseite zeigt es.",
  On: "Am",
  "On a day": "An einem Tag",
  Past: "Vergangen",
  "Plain text. Addresses become links; line breaks are kept.":
    "Einfacher Text. Adressen werden zu Links, Zeilenumbrüche bleiben.",
  "Preview of the public text": "Vorschau des öffentlichen Textes",
  "Publish and resolve": "Veröffentlichen und als behoben markieren",
  "Publish the incident": "Vorfall veröffentlichen",
  "Publish the update": "Meldung veröffentlichen",
  Repeats: "Wiederholung",
  "Repeats: {series}": "Wiederholt sich: {series}",
  Resolve: "Als behoben markieren",
  "Schedule maintenance": "Wartung planen",
  Scheduled: "Geplant",
  Second: "Zweiter",
  "Series ends": "Reihe endet",
  "Show the month": "Monat anzeigen",
  "Show the whole text": "Ganzen Text anzeigen",
  "Show the week": "Woche anzeigen",
  "Shown on": "Zu sehen auf",
  "Some requests to {what} fail or take longer than usual. We are looking into it.":
    "Einige Anfragen an {what} schlagen fehl oder dauern länger als sonst. Wir gehen dem nach.",
  Text: "Text",
  "The clocks are put forward then: this time does not exist on that day. It counts as {time}.":
    "Wegen der Zeitumstellung gibt es diese Uhrzeit an diesem Tag nicht. Sie zählt als {time}.",
  "The maintenance is proceeding as planned.": "Die Wartung verläuft wie geplant.",
  "The maintenance takes longer than planned. We will post an update.":
    "Die Wartung dauert länger als geplant. Wir melden uns wieder.",
  "The next windows": "Die nächsten Fenster",
  "The problems with {what} are resolved. We apologise for the disruption.":
    "Die Probleme mit {what} sind behoben. Wir bitten um Entschuldigung für die Störung.",
  "The problems with {what} come from one of our providers. We are in contact with them.":
    "Die Probleme mit {what} haben ihre Ursache bei einem Dienstleister. Wir stehen mit ihm in Kontakt.",
  "The whole project": "Das ganze Projekt",
  "There is no status page yet, so no visitor sees this.": "Es gibt noch keine Statusseite: Besucher sehen dies nicht.",
  Third: "Dritter",
  "This window and the series after it are deleted, and disappear from the status pages.":
    "Dieses Fenster und die Reihe danach werden gelöscht und verschwinden von den Statusseiten.",
  Title: "Titel",
  Update: "Meldung",
  "We are investigating problems with {what}. We will post an update as soon as we know more.":
    "Wir untersuchen Probleme mit {what}. Sobald wir mehr wissen, melden wir uns wieder.",
  "We have found the cause of the problems with {what} and are working on a fix.":
    "Wir haben die Ursache der Probleme mit {what} gefunden und arbeiten an der Behebung.",
  "We will carry out maintenance. During this time {what} may be unavailable for a few minutes.":
    "Wir führen Wartungsarbeiten durch. Währenddessen kann {what} für einige Minuten nicht erreichbar sein.",
  "We will carry out maintenance. We expect no interruption of {what}.":
    "Wir führen Wartungsarbeiten durch. Wir erwarten keine Unterbrechung von {what}.",
  Weekly: "Wöchentlich",
  "What is affected": "Betroffene Monitore",
  "What visitors notice, in a few words: “Payments fail”": "Was Besucher bemerken, kurz: „Zahlungen schlagen fehl“",
  "What visitors read": "Was Besucher lesen",
  When: "Wann",
  Which: "Welcher",
  Windows: "Fenster",
  "Write an update": "Meldung schreiben",
  Yearly: "Jährlich",
  "from Monday to Friday": "von Montag bis Freitag",
  "planned by its series": "durch die Reihe geplant",
  "our service": "unserem Dienst",
  "{count, plural, one {# deleted monitor} other {# deleted monitors}}":
    "{count, plural, one {# gelöschter Monitor} other {# gelöschte Monitore}}",
  "{count, plural, one {# monitor is affected.} other {# monitors are affected.}}":
    "{count, plural, one {# Monitor ist betroffen.} other {# Monitore sind betroffen.}}",
  "{count, plural, one {and # more} other {and # more}}": "{count, plural, one {und # weiterer} other {und # weitere}}",
  "{count, plural, one {every day} other {every # days}}": "{count, plural, one {jeden Tag} other {alle # Tage}}",
  "{count, plural, one {every year on {date}} other {every # years on {date}}}":
    "{count, plural, one {jedes Jahr am {date}} other {alle # Jahre am {date}}}",
  "{count, plural, one {every {days}} other {every # weeks on {days}}}":
    "{count, plural, one {jeden {days}} other {alle # Wochen am {days}}}",
  "{count, plural, one {on day {day} of every month} other {on day {day} of every # months}}":
    "{count, plural, one {am {day}. jedes Monats} other {alle # Monate am {day}.}}",
  "{count, plural, one {on the last day of every month} other {on the last day of every # months}}":
    "{count, plural, one {am letzten Tag jedes Monats} other {alle # Monate am letzten Tag}}",
  "{count, plural, one {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every month} other {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every # months}}":
    "{count, plural, one {am {nth, select, 1 {ersten} 2 {zweiten} 3 {dritten} 4 {vierten} other {letzten}} {day} jedes Monats} other {alle # Monate am {nth, select, 1 {ersten} 2 {zweiten} 3 {dritten} 4 {vierten} other {letzten}} {day}}}",
  "{count, plural, one {{text}, once} other {{text}, # times}}":
    "{count, plural, one {{text}, einmal} other {{text}, #-mal}}",
  "{count, plural, one {day} other {days}}": "{count, plural, one {Tag} other {Tage}}",
  "{count, plural, one {month} other {months}}": "{count, plural, one {Monat} other {Monate}}",
  "{count, plural, one {week} other {weeks}}": "{count, plural, one {Woche} other {Wochen}}",
  "{count, plural, one {year} other {years}}": "{count, plural, one {Jahr} other {Jahre}}",
  "{text}, until {date}": "{text}, bis {date}"
} as const satisfies Record<string, string>
