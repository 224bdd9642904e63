/** Texts of the account page. */
export default {
  "A session that you do not know? Sign it out, and ask the operator of this installation for a new password.":
    "Eine Sitzung, die Sie nicht kennen? Melden Sie sie ab, und lassen Sie sich vom Betreiber dieser Installation ein neues Passwort geben.",
  Ends: "Endet",
  Sessions: "Sitzungen",
  "Sign out all other browsers": "Alle anderen Browser abmelden",
  "Sign out {name}": "{name} abmelden",
  "Signed in": "Angemeldet",
  "This browser": "Dieser Browser",
  "Unknown browser": "Unbekannter Browser",
  Verified: "Bestätigt",
  "{browser} on {system}": "{browser} auf {system}"
}
