/** Texts of the escalation of alerts. */
export default {
  "Page to {name} is under way": "Alarmierung von {name} läuft",
  "Page to {name}": "Alarmierung von {name}",
  "Page to {name} failed": "Alarmierung von {name} fehlgeschlagen",
  "Page to {name} was taken back": "Alarmierung von {name} zurückgezogen",
  "{name} by {method}": "{name} über {method}",
  "{count, plural, one {in one message with # other alert} other {in one message with # other alerts}}":
    "{count, plural, one {in einer Nachricht mit # weiteren Alarm} other {in einer Nachricht mit # weiteren Alarmen}}",
  "{count, plural, one {# attempt} other {# attempts}}": "{count, plural, one {# Versuch} other {# Versuche}}",
  "answered {at}": "beantwortet {at}",
  "On call in {name}": "Bereitschaft in {name}",
  "On call in {name} until {at}": "Bereitschaft in {name} bis {at}",
  "Next on call in {name}": "Nächste Bereitschaft in {name}",
  "Next on call in {name}, from {at}": "Nächste Bereitschaft in {name}, ab {at}",
  "Member of the team {name}": "Mitglied des Teams {name}",
  "By name in the policy": "Namentlich in der Eskalationsrichtlinie",
  "By name in the policy {policy}": "Namentlich in der Eskalationsrichtlinie {policy}",
  "Asked by {name}": "Gebeten von {name}",
  "Asked by {name}: {note}": "Gebeten von {name}: {note}",
  "Acknowledged the alert, and that no longer holds": "Hatte bestätigt, und das gilt nicht mehr",
  "As an owner: no one was reached": "Als Inhaber: niemand wurde erreicht",
  "As an owner: no one answered": "Als Inhaber: niemand hat geantwortet",
  "step {number}": "Stufe {number}",
  "step {number} of {policy}": "Stufe {number} von {policy}",
  "Step {number} begins": "Stufe {number} beginnt",
  "Round {round}, step {step} begins": "Runde {round}, Stufe {step} beginnt",
  "The policy is over, and no one has answered": "Die Eskalation ist zu Ende, und niemand hat geantwortet",
  "The policy is over, and no one has answered.": "Die Eskalation ist zu Ende, und niemand hat geantwortet.",
  "Held by a silence or maintenance": "Angehalten durch Stummschaltung oder Wartung",
  "No longer held: the policy begins again": "Nicht mehr angehalten: Die Eskalation beginnt von vorn",
  "Acknowledgement taken back by {name}": "Bestätigung zurückgenommen von {name}",
  "The acknowledgement has ended: the alert is open again":
    "Die Bestätigung ist abgelaufen: Der Alarm ist wieder offen",
  "Snoozed by {name} until {at}": "Zurückgestellt von {name} bis {at}",
  "Escalated by {name}": "Eskaliert von {name}",
  "{name} asked for {target}": "{name} hat {target} hinzugezogen",
  Whom: "Wen",
  Note: "Notiz",
  "They are told by their own notification rules until they answer.":
    "Die Personen werden nach ihren eigenen Benachrichtigungsregeln benachrichtigt, bis sie antworten.",
  "Add somebody": "Jemanden hinzuziehen",
  "{count, plural, one {# person is paged.} other {# people are paged.}}":
    "{count, plural, one {# Person wird alarmiert.} other {# Personen werden alarmiert.}}",
  "{count, plural, one {# person cannot be reached.} other {# people cannot be reached.}}":
    "{count, plural, one {# Person ist nicht erreichbar.} other {# Personen sind nicht erreichbar.}}",
  "Escalate now": "Jetzt eskalieren",
  "A silence or maintenance holds the escalation.": "Stummschaltung oder Wartung hält die Eskalation an.",
  "The round is over at {at}, unless somebody acknowledges.": "Die Runde endet am {at}, wenn niemand bestätigt.",
  "Step {number} follows at {at}, unless somebody acknowledges.":
    "Stufe {number} folgt am {at}, wenn niemand bestätigt.",
  "Page them": "Alarmieren",
  Kanmon: "Kanmon"
}
