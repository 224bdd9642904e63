/** Texts about how people are reached when they are on call. */
export default {
  "Page me now": "Jetzt alarmieren",
  "Acknowledge the test": "Test bestätigen",
  "Pages of the test": "Alarmierungen des Tests",
  "Pages you as a critical alert would: by your own rules, with their real delays, until you acknowledge. Use the link in a message to prove the whole way.":
    "Alarmiert Sie wie ein kritischer Alarm: nach Ihren eigenen Regeln, mit den echten Wartezeiten, bis Sie bestätigen. Nutzen Sie den Link in einer Nachricht, um den ganzen Weg zu prüfen.",
  "acknowledged with its link": "über den Link bestätigt",
  "is due": "ist fällig",
  "is being sent": "wird gesendet",
  "waits for the end of your quiet hours": "wartet auf das Ende Ihrer Ruhezeit",
  "delivered|page": "zugestellt",
  "not delivered|page": "nicht zugestellt",
  "not needed any more": "nicht mehr nötig",
  "The test runs. Acknowledge it where it reaches you.": "Der Test läuft. Bestätigen Sie ihn dort, wo er Sie erreicht.",
  "Acknowledged with the link of a page: pages reach you, and your answer arrives.":
    "Über den Link einer Nachricht bestätigt: Alarmierungen erreichen Sie, und Ihre Antwort kommt an.",
  "Acknowledged here.": "Hier bestätigt.",
  "Pages were sent, and you did not acknowledge in time.":
    "Alarmierungen wurden gesendet, und Sie haben nicht rechtzeitig bestätigt.",
  "No page reached you.": "Keine Alarmierung hat Sie erreicht.",
  "A new code is sent there, and nothing else until it is entered.":
    "Dorthin geht ein neuer Code. Bis er eingegeben ist, wird nichts anderes gesendet.",
  "Add a method": "Kontaktweg hinzufügen",
  "Add and send a code": "Hinzufügen und Code senden",
  "After minutes": "Nach Minuten",
  "By|means": "Über",
  "Change the rules for {severity}": "Regeln ändern: {severity}",
  "Code for {name}": "Code für {name}",
  Confirmed: "Bestätigt",
  "Contact methods": "Kontaktwege",
  "Critical alerts do not reach you: no method for them is confirmed.":
    "Kritische Alarme erreichen Sie nicht: Für sie ist kein Kontaktweg bestätigt.",
  "Critical alerts reach you by email alone, which wakes no one. Add a phone, a messenger or a push service.":
    "Kritische Alarme erreichen Sie nur per E-Mail, und die weckt niemanden. Fügen Sie ein Telefon, einen Messenger oder einen Push-Dienst hinzu.",
  "{name} is confirmed, but no rule for critical alerts uses it. Add it to Critical under “When you are paged”.":
    "{name} ist bestätigt, aber keine Regel für kritische Alarme nutzt diesen Kontaktweg. Fügen Sie ihn unter „Wenn Sie alarmiert werden“ bei „Kritisch“ hinzu.",
  "Critical alerts reach you.": "Kritische Alarme erreichen Sie.",
  "Email of the account": "E-Mail des Kontos",
  "How your notification rules call it, such as “My phone”":
    "So heißt er in Ihren Benachrichtigungsregeln, etwa „Mein Telefon“",
  "Last message": "Letzte Nachricht",
  "Minutes count from the page, until you or somebody else acknowledges the alert.":
    "Die Minuten zählen ab der Alarmierung, bis Sie oder jemand anderes den Alarm bestätigt.",
  "Not delivered: {reason}": "Nicht zugestellt: {reason}",
  "Nothing is sent there any more. The email address of your account is told.":
    "Dorthin wird nichts mehr gesendet. Sie erhalten darüber eine Mail an die Adresse Ihres Kontos.",
  "Nothing is sent to you.": "Ihnen wird nichts gesendet.",
  "Passed over until confirmed: {names}.": "Bis zur Bestätigung übergangen: {names}.",
  "Remove entry {number}": "Eintrag {number} entfernen",
  "Six digits are on their way there. Until you enter them, nothing else is sent.":
    "Sechs Ziffern sind dorthin unterwegs. Bis sie eingegeben sind, wird nichts anderes gesendet.",
  "Switched off: {reason}": "Abgeschaltet: {reason}",
  "The address is not verified": "Die Adresse ist nicht bestätigt",
  "Then also": "Danach auch",
  "Waits for its code": "Wartet auf die Eingabe des Codes",
  "When you are paged": "Wenn Sie alarmiert werden",
  "You are notified {ways}.": "Sie werden benachrichtigt: {ways}.",
  Notifications: "Benachrichtigungen",
  "a deleted method": "einen gelöschten Kontaktweg",
  "after {duration} by {methods}": "nach {duration} über {methods}",
  "at once by {methods}": "sofort über {methods}",
  "{name} did not get the test: {reason}": "{name} hat den Test nicht erhalten: {reason}",
  "{name} got the test: {detail}": "{name} hat den Test erhalten: {detail}",
  "{severity} alerts": "Alarme: {severity}"
}
