/** Texts of the first steps, and of tests that run before anything is saved. */
export default {
  "A file": "Datei",
  "A job that reports": "Ein Job, der sich meldet",
  "A rule sends outages of this monitor to the chosen channels.":
    "Eine Regel meldet Ausfälle dieses Monitors an die gewählten Kanäle.",
  "A rule sends outages of this monitor, and of those to come, to the chosen channels.":
    "Eine Regel meldet Ausfälle dieses Monitors und aller künftigen an die gewählten Kanäle.",
  "A web address, a host, host:port, or a job: “nightly backup”, “every 5 minutes”, or its cron expression":
    "Eine Webadresse, ein Host, Host:Port oder ein Job: „tägliches Backup“, „alle 5 Minuten“ oder sein Cron-Ausdruck",
  "Add and send a test": "Hinzufügen und Test senden",
  "Check it now": "Jetzt prüfen",
  "Confirm {name}": "{name} bestätigen",
  "Continue without it": "Ohne sie weitermachen",
  "Create a status page": "Statusseite anlegen",
  Done: "Fertig",
  "Enter a web address, a host, a host with a port, or the schedule of a job, such as “every hour”.":
    "Bitte eine Webadresse, einen Host, einen Host mit Port oder den Zeitplan eines Jobs eingeben, etwa „jede Stunde“.",
  "Fill in the whole form instead": "Stattdessen das ganze Formular ausfüllen",
  "Five fields, as in a crontab, in UTC unless the form of the monitor says otherwise.":
    "Fünf Felder wie in einer Crontab, in UTC, sofern im Formular des Monitors keine andere Zeitzone gewählt ist.",
  "Guide me: test first, save later": "Schritt für Schritt: erst testen, dann speichern",
  "Import from": "Importieren aus",
  "Import instead": "Stattdessen importieren",
  "It waits for the first signal.": "Er wartet auf das erste Signal.",
  Job: "Job",
  "No answer": "Keine Antwort",
  "No new one": "Kein neuer",
  "No one for now": "Vorerst niemanden",
  "Open the monitor": "Monitor öffnen",
  "Or on the server: this reads kuma.db or a JSON backup and writes a file to review.":
    "Oder auf dem Server: Dies liest kuma.db oder eine JSON-Sicherung und schreibt eine Datei zum Durchsehen.",
  "Show it to your visitors?": "Auch den Besuchern zeigen?",
  "Shows what a file with monitors, channels and rules would change. Without --dry-run it is done.":
    "Zeigt, was eine Datei mit Monitoren, Kanälen und Regeln ändern würde. Ohne --dry-run werden die Änderungen ausgeführt.",
  "Skip for now": "Vorerst überspringen",
  "Something is down": "Etwas ist ausgefallen",
  "Start watching": "Überwachung starten",
  "Tell me by": "Benachrichtigen über",
  "The certificate is not valid.": "Das Zertifikat ist ungültig.",
  "The certificate is valid for {days, plural, one {# more day} other {# more days}}.":
    "Das Zertifikat ist noch {days, plural, one {# Tag} other {# Tage}} gültig.",
  "The first result is on its way.": "Das erste Ergebnis ist unterwegs.",
  "The job calls an address when it is done. When a call is missing, you are told. You get the address in the last step.":
    "Der Job ruft eine Adresse auf, wenn er fertig ist. Bleibt ein Aufruf aus, werden Sie benachrichtigt. Die Adresse erhalten Sie im letzten Schritt.",
  "The monitor was created, but not the rule that tells you of outages: {reason} Try again: nothing is made twice.":
    "Der Monitor wurde angelegt, die Regel für Ausfälle aber nicht: {reason} Versuchen Sie es noch einmal: Es wird nichts doppelt angelegt.",
  "The test was cut off. Try again.": "Der Test wurde unterbrochen. Bitte noch einmal versuchen.",
  "This is what we see": "Das sehen wir",
  "Watch something else": "Noch etwas überwachen",
  Website: "Website",
  "Its response": "Antwort des Ziels",
  "What should we watch?": "Was sollen wir überwachen?",
  "Without a channel, outages send no notifications. You can add one at any time.":
    "Ohne Kanal wird bei einem Ausfall niemand benachrichtigt. Sie können jederzeit einen Kanal hinzufügen.",
  "Your channels": "Vorhandene Kanäle",
  "{count, plural, one {# region has} other {# regions have}} answered.":
    "{count, plural, one {# Region hat} other {# Regionen haben}} geantwortet.",
  "{name} is being watched": "{name} wird überwacht",
  "{name} is down": "{name} ist ausgefallen",
  "A rule for every monitor tells {channels} of an outage already.":
    "Eine Regel für alle Monitore meldet einen Ausfall schon an {channels}.",
  "A rule for every monitor starts an escalation policy when there is an outage.":
    "Eine Regel für alle Monitore startet bei einem Ausfall eine Eskalationsrichtlinie.",
  "Describe the job": "Job beschreiben"
} as const satisfies Record<string, string>
