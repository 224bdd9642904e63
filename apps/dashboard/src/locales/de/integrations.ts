/** Texts about integrations and their alerts. */
export default {
  "0: it stays open until its sender or somebody resolves it.":
    "0: Er bleibt offen, bis der Absender ihn als behoben meldet oder jemand ihn als behoben markiert.",
  "0: never. The sender may be down, or cannot reach Kanmon.":
    "0: nie. Der Absender ist vielleicht ausgefallen oder erreicht Kanmon nicht.",
  "A deleted integration": "Eine gelöschte Anbindung",
  Alert: "Alarm",
  "Alert when nothing has come for": "Alarm auslösen, wenn so lange nichts ankommt",
  "Alertmanager, Grafana or any program that posts JSON can send its alerts here: they notify and escalate as those of monitors do.":
    "Alertmanager, Grafana und jedes andere Programm, das JSON sendet, können ihre Alarme hierher schicken: Sie benachrichtigen und eskalieren wie die von Monitoren.",
  "Alerts of": "Alarme von",
  "An integration needs a rule for alerts of integrations, which says whom they notify. There is none yet.":
    "Eine Anbindung braucht eine Regel für Alarme von Anbindungen, die festlegt, wer benachrichtigt wird. Es gibt noch keine.",
  "Any JSON": "Beliebiges JSON",
  "Bodies that were not understood": "Inhalte, die nicht verstanden wurden",
  "Create integration": "Anbindung anlegen",
  "Delete this integration?": "Diese Anbindung löschen?",
  "Heard last": "Zuletzt etwas empfangen",
  "How urgent": "Wie dringend",
  Integration: "Anbindung",
  Integrations: "Anbindungen",
  "It is shown once. Give it to the sender: anyone who has it can open alerts.":
    "Sie wird nur einmal gezeigt. Geben Sie sie dem Absender: Wer sie hat, kann Alarme auslösen.",
  "It is silent: an alert is open about that.": "Es kommt nichts mehr an: Dazu ist ein Alarm offen.",
  Key: "Schlüssel",
  Labels: "Labels",
  Link: "Link",
  "New address for {name}": "Neue Adresse für {name}",
  "New integration": "Neue Anbindung",
  "No integrations": "Keine Anbindungen",
  "Nothing has come yet": "Noch nichts empfangen",
  "Nothing in it was taken": "Nichts davon wurde übernommen",
  "Only the beginning is kept.": "Nur der Anfang wird aufbewahrt.",
  Origin: "Herkunft",
  "Replace the address?": "Adresse ersetzen?",
  "Resolve an alert that is not sent any more after":
    "Alarme, die nicht mehr gesendet werden, als behoben markieren nach",
  Sender: "Absender",
  "Show integrations": "Anbindungen anzeigen",
  "The address of the integration": "Die Adresse der Anbindung",
  "The present one stops working at once: the sender needs the new one.":
    "Die bisherige gilt ab sofort nicht mehr: Der Absender braucht die neue.",
  "The rest was taken": "Der Rest wurde übernommen",
  "The severity that a sender states comes first.": "Ein Schweregrad, den der Absender angibt, hat Vorrang.",
  "When an integration sends an alert, {action}.": "Wenn eine Anbindung einen Alarm sendet, {action}.",
  "the integration {name}": "der Anbindung {name}",
  "{count, plural, one {# body was not understood} other {# bodies were not understood}}":
    "{count, plural, one {# Inhalt wurde nicht verstanden} other {# Inhalte wurden nicht verstanden}}",
  "{count, plural, one {# open alert} other {# open alerts}}":
    "{count, plural, one {# offener Alarm} other {# offene Alarme}}",
  "{name} can send nothing any more, and its open alerts close without a notification.":
    "{name} kann nichts mehr senden, und die offenen Alarme werden ohne Benachrichtigung geschlossen.",
  "Alert resolved by hand": "Alarm von Hand als behoben markiert",
  "Integration created": "Anbindung angelegt",
  "Integration changed": "Anbindung geändert",
  "Address of an integration replaced": "Adresse einer Anbindung ersetzt",
  "Integration deleted": "Anbindung gelöscht"
} as const satisfies Record<string, string>
