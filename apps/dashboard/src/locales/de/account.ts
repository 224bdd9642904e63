/** Texts of the account page. */
export default {
  Ends: "Endet",
  Sessions: "Sitzungen",
  "Sign out all other browsers": "Alle anderen Browser abmelden",
  "Sign out {name}": "{name} abmelden",
  "Signed in": "Angemeldet",
  "This browser": "Dieser Browser",
  "Unknown browser": "Unbekannter Browser",
  Verified: "Bestätigt",
  "{browser} on {system}": "{browser} auf {system}",
  "Send the mail again": "Mail erneut senden",
  "The mail is on its way.": "Die Mail ist unterwegs.",
  "No program waits with this code. It may be mistyped, used already or older than ten minutes.":
    "Kein Programm wartet mit diesem Code. Er ist vielleicht vertippt, schon benutzt oder älter als zehn Minuten.",
  "Code that the program shows": "Code, den das Programm anzeigt",
  Program: "Programm",
  "Calls itself": "Nennt sich",
  "A program asks to sign in as you. Allow it only if you have just started it, and it shows this code:":
    "Ein Programm möchte sich als Sie anmelden. Erlauben Sie es nur, wenn Sie es gerade gestartet haben und es diesen Code anzeigt:",
  Asked: "Angefragt",
  "It may then do what you may do, until you sign it out on the page of your account.":
    "Es darf dann, was Sie dürfen, bis Sie es auf der Seite Ihres Kontos abmelden.",
  Allow: "Erlauben",
  Refuse: "Ablehnen",
  "The program is signed in. You can close this page and go back to it.":
    "Das Programm ist angemeldet. Sie können diese Seite schließen und zu ihm zurückkehren.",
  "The program was refused.": "Das Programm wurde abgelehnt.",
  "Sign in a program": "Programm anmelden",
  "Verify your address": "Adresse bestätigen",
  "Verify your address: open the link in the mail to {email}.":
    "Bestätigen Sie Ihre Adresse: Öffnen Sie den Link in der Mail an {email}.",
  "A session that you do not know? Sign it out, and ask the operator of this installation for a new password.":
    "Eine Sitzung, die Sie nicht kennen? Melden Sie sie ab, und lassen Sie sich vom Betreiber dieser Installation ein neues Passwort geben."
}
