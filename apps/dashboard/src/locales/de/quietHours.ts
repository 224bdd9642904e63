/** Texts of quiet hours. */
export default {
  "Page to {name} waits for the end of quiet hours": "Alarmierung von {name} wartet auf das Ende der Ruhezeit",
  "It is sent at {at}, unless somebody answers or the alert is over by then.":
    "Gesendet wird sie {at}, wenn bis dahin niemand antwortet und der Alarm nicht vorbei ist.",
  "{names} waits until quiet hours end: {at}": "{names} wartet bis zum Ende der Ruhezeit: {at}",
  "Hold messages in some hours of the week": "Nachrichten zu bestimmten Zeiten der Woche zurückhalten",
  "warnings and information wait, critical alerts do not": "Warnungen und Hinweise warten, kritische Alarme nicht",
  "information waits, warnings and critical alerts do not": "Hinweise warten, Warnungen und kritische Alarme nicht",
  "nothing waits, because nothing is less urgent than information":
    "nichts wartet, denn nichts ist weniger dringend als Hinweise",
  "{hours} ({zone}): {hold}.": "{hours} ({zone}): {hold}.",
  "Quiet hours": "Ruhezeiten",
  "Hold what is below": "Zurückhalten, was weniger dringend ist als",
  "The hours follow its clock, also when it changes": "Die Zeiten folgen ihrer Uhr, auch bei der Zeitumstellung",
  "Change the quiet hours": "Ruhezeiten ändern",
  "None: every page is sent at once.": "Keine: Jede Alarmierung wird sofort gesendet.",
  "Pages that wait arrive as one message at the end of the hours, without alerts that are over by then.":
    "Was wartet, kommt am Ende der Ruhezeit als eine Nachricht, ohne Alarme, die bis dahin vorbei sind.",
  "Messages that wait arrive as one at the end of the hours, without alerts that are over by then. Pages of escalation policies do not wait.":
    "Was wartet, kommt am Ende der Ruhezeit als eine Nachricht, ohne Alarme, die bis dahin vorbei sind. Was Eskalationsrichtlinien senden, wartet nicht."
}
