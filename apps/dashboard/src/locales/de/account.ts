/** Texts of the account page. */
export default {
  "Later|postpone": "Später",
  "Download|action": "Herunterladen",
  "On|state": "An",
  "Ends|session": "Endet",
  Sessions: "Sitzungen",
  "Sign out all other browsers": "Alle anderen Browser abmelden",
  "Sign out {name}": "{name} abmelden",
  "Signed in": "Angemeldet",
  "This browser": "Dieser Browser",
  "Unknown browser": "Unbekannter Browser",
  Verified: "Bestätigt",
  "{browser} on {system}": "{browser} auf {system}",
  "Backup codes for Kanmon, each for one sign-in:": "Backup-Codes für Kanmon, jeder für eine Anmeldung:",
  "Each code signs you in once when your phone is lost. Keep them where you keep passwords: they are not shown again.":
    "Mit jedem Code können Sie sich einmal anmelden, falls Sie Ihr Telefon verlieren. Bewahren Sie die Codes bei Ihren Passwörtern auf: Sie werden nicht noch einmal angezeigt.",
  Print: "Drucken",
  "Backup code": "Backup-Code",
  "Code from your app": "Code aus Ihrer App",
  "You are signed out everywhere, and your passkeys, backup codes and logins of programs end.":
    "Sie werden überall abgemeldet; Passkeys, Backup-Codes und Anmeldungen von Programmen enden.",
  "The organization {name} is deleted with its projects, monitors, history and status pages.":
    "Die Organisation {name} wird mit Projekten, Monitoren, Verlauf und Statusseiten gelöscht.",
  "You leave the organization {name}, which stays.": "Sie verlassen die Organisation {name}; sie bleibt bestehen.",
  "Type your e-mail address to confirm": "Zur Bestätigung Ihre E-Mail-Adresse eingeben",
  "Without a password: sign in again shortly before, and leave this empty.":
    "Ohne Passwort: kurz vorher neu anmelden und dieses Feld leer lassen.",
  "Delete the account": "Konto löschen",
  "Your data": "Ihre Daten",
  "Everything that Kanmon knows about you and what you alone own, as a JSON file.":
    "Alles, was Kanmon über Sie weiß und was nur Ihnen gehört, als JSON-Datei.",
  "Download my data": "Meine Daten herunterladen",
  "Delete your account?": "Ihr Konto löschen?",
  "We send you a link to choose a new password.": "Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
  "Send the link": "Link senden",
  Passkey: "Passkey",
  "To tell it from others, such as the device it is on":
    "Um ihn von anderen zu unterscheiden, etwa das Gerät, auf dem er liegt",
  Passkeys: "Passkeys",
  "Add a passkey": "Passkey hinzufügen",
  "A passkey signs you in with your fingerprint, your face or the PIN of a device, instead of the password.":
    "Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder der PIN eines Geräts an, statt mit dem Passwort.",
  "Browsers keep passkeys only for names with HTTPS, and for localhost.":
    "Browser speichern Passkeys nur für Adressen mit HTTPS und für localhost.",
  Added: "Hinzugefügt",
  "on all your devices": "auf allen Ihren Geräten",
  "Rename {name}": "{name} umbenennen",
  "Remove {name}": "{name} entfernen",
  "Rename the passkey": "Passkey umbenennen",
  "Remove this passkey?": "Diesen Passkey entfernen?",
  "It no longer signs you in. Delete it in your password manager, too.":
    "Mit ihm können Sie sich nicht mehr anmelden. Löschen Sie ihn auch in Ihrem Passwortmanager.",
  "Current password": "Aktuelles Passwort",
  "New password": "Neues Passwort",
  "Change the password": "Passwort ändern",
  "The password is changed.": "Das Passwort ist geändert.",
  "Accounts that sign in with an identity provider have none here.":
    "Konten mit Anmeldung über einen Identitätsanbieter haben hier kein Passwort.",
  "Your password": "Ihr Passwort",
  "The address changes when you open the link in the mail that goes to the new one.":
    "Die Adresse ändert sich, wenn Sie den Link in der Mail an die neue Adresse öffnen.",
  "New address": "Neue Adresse",
  Profile: "Profil",
  "Not verified": "Nicht bestätigt",
  "Change the address": "Adresse ändern",
  "A mail with a link is on its way to {email}.": "Eine Mail mit einem Link ist unterwegs an {email}.",
  "Of the dashboard and of mails to you": "Für das Dashboard und die Mails an Sie",
  "Send the mail again": "Mail erneut senden",
  "The mail is on its way.": "Die Mail ist unterwegs.",
  "You are signed out everywhere else when it is changed.": "Mit der Änderung werden Sie überall sonst abgemeldet.",
  "Set the password": "Passwort setzen",
  "Scan this with an authenticator app, such as the one of your password manager.":
    "Mit einer Authenticator-App einlesen, etwa der Ihres Passwortmanagers.",
  "QR code with the secret": "QR-Code mit dem Geheimnis",
  "Or type the secret:": "Oder das Geheimnis eintippen:",
  "Switch on": "Einschalten",
  "Set up a second factor": "Zweiten Faktor einrichten",
  "Backup codes": "Backup-Codes",
  "New backup codes": "Neue Backup-Codes",
  "Switch off the second factor": "Zweiten Faktor ausschalten",
  "Second factor": "Zweiter Faktor",
  Off: "Aus",
  "A sign-in with the password also asks for a code from your app.":
    "Bei der Anmeldung mit dem Passwort wird auch ein Code aus Ihrer App verlangt.",
  "With it, the password alone does not let anybody in: a code from an app is asked for, too.":
    "Damit genügt das Passwort allein nicht mehr: Auch ein Code aus einer App wird verlangt.",
  "Switch off": "Ausschalten",
  "Set up": "Einrichten",
  "Make new codes": "Neue Codes erzeugen",
  "The old codes stop working.": "Die alten Codes gelten nicht mehr.",
  "I have kept them": "Ich habe sie aufbewahrt",
  "From then on the password alone signs in. The backup codes are deleted.":
    "Danach genügt das Passwort allein. Die Backup-Codes werden gelöscht.",
  "Each backup code works once.": "Jeder Backup-Code gilt einmal.",
  "Enter the code that your authenticator app shows for Kanmon.":
    "Geben Sie den Code ein, den Ihre Authenticator-App für Kanmon anzeigt.",
  "Do not ask again in this browser for 30 days": "In diesem Browser 30 Tage lang nicht mehr fragen",
  "Use your app": "App verwenden",
  "Use a backup code": "Backup-Code verwenden",
  "A session that you do not know? Sign it out, and change your password.":
    "Eine Sitzung, die Sie nicht kennen? Melden Sie sie ab, und ändern Sie Ihr Passwort.",
  "Forgot your password?": "Passwort vergessen?",
  or: "oder",
  "Continue with {name}": "Weiter mit {name}",
  "Sign in with a passkey": "Mit einem Passkey anmelden",
  "Your address at work leads to the sign-in of your organization.":
    "Mit Ihrer Firmenadresse gelangen Sie zur Anmeldung Ihrer Organisation.",
  "This device has a passkey for your account already.": "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
  "No program waits with this code. It may be mistyped, used already or older than ten minutes.":
    "Auf diesen Code wartet kein Programm. Vielleicht ist er falsch eingegeben, schon benutzt oder älter als zehn Minuten.",
  "Code that the program shows": "Code, den das Programm anzeigt",
  Program: "Programm",
  "Calls itself": "Angegebener Name",
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
  "Back to the sign-in": "Zurück zur Anmeldung",
  "Choose a new password": "Neues Passwort wählen",
  "Ask for a new link": "Neuen Link anfordern",
  "This link is not valid: it is incomplete, was used, or is too old.":
    "Dieser Link ist nicht gültig: Er ist unvollständig, benutzt oder zu alt.",
  "The password is changed. Sign in with it.": "Das Passwort ist geändert. Melden Sie sich damit an.",
  "Verify your address": "Adresse bestätigen",
  "Verify your address: open the link in the mail to {email}.":
    "Bestätigen Sie Ihre Adresse: Öffnen Sie den Link in der Mail an {email}.",
  "Until then you cannot invite people.": "Bis dahin können Sie niemanden einladen.",
  "Acting as somebody else": "Im Namen einer anderen Person",
  "You act as {name} ({email}). Your actions are recorded.":
    "Sie handeln als {name} ({email}). Was Sie tun, wird protokolliert.",
  Stop: "Beenden",
  "Account and security": "Konto und Sicherheit",
  "Confirm that it is you": "Bestätigen Sie, dass Sie es sind",
  "This gives lasting access, and you signed in a while ago. An account without a password signs in again.":
    "Diese Aktion gewährt dauerhaften Zugang, und Ihre Anmeldung liegt schon eine Weile zurück. Ohne Passwort melden Sie sich bitte neu an.",
  "This installation sends no mail. If there is an account with the address {email}, the person who runs it finds the link on the console of the server.":
    "Diese Installation versendet keine Mails. Gibt es ein Konto mit der Adresse {email}, findet der Betreiber den Link auf der Konsole des Servers.",
  "If there is an account with the address {email}, a mail with a link is on its way to it. Look in the folder for spam, too.":
    "Gibt es ein Konto mit der Adresse {email}, ist eine Mail mit einem Link dorthin unterwegs. Sehen Sie auch im Spam-Ordner nach.",
  "Your organization requires its own sign-in for this address.":
    "Ihre Organisation verlangt für diese Adresse ihre eigene Anmeldung.",
  "I am an owner: sign in without it, which is recorded":
    "Als Inhaber ohne Single Sign-on anmelden (wird protokolliert)",
  "None is chosen: mails of alerts show the time of the project, others UTC":
    "Keine gewählt: Mails über Alarme zeigen die Zeitzone des Projekts, andere UTC",
  "Mails to you show times in it": "Mails an Sie zeigen Zeiten in dieser Zeitzone",
  "Choose none": "Keine wählen",
  "Make a new link": "Neuen Link erzeugen",
  "This installation sends no mail: the link is printed on the console of the server.":
    "Diese Installation versendet keine Mails: Der Link steht auf der Konsole des Servers."
}
