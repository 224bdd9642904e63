/** Texts about single sign-on. */
export default {
  "Test|noun": "Test",
  "Identity provider": "Identitätsanbieter",
  Protocol: "Protokoll",
  "Enter this at your identity provider": "Beim Identitätsanbieter einzutragen",
  "Redirect URI": "Redirect-URI",
  "ACS URL (reply URL)": "ACS-URL (Antwort-URL)",
  "Entity ID (audience), which is the address of the metadata":
    "Entity-ID (Audience), zugleich die Adresse der Metadaten",
  "Address that begins a sign-in, for portals": "Adresse, die eine Anmeldung beginnt, für Portale",
  Issuer: "Issuer",
  "Such as https://login.example.com; its configuration is below /.well-known/openid-configuration":
    "Etwa https://login.example.com; darunter liegt /.well-known/openid-configuration",
  "Client ID": "Client-ID",
  "Client secret": "Client-Secret",
  "One is stored. Leave this empty to keep it.": "Eines ist gespeichert. Leer lassen, um es zu behalten.",
  "Empty for public clients, which PKCE protects alone": "Leer bei öffentlichen Clients, die nur PKCE schützt",
  Scopes: "Scopes",
  "Beside openid": "Neben openid",
  "Claim with the groups": "Claim mit den Gruppen",
  "Entity ID of the identity provider": "Entity-ID des Identitätsanbieters",
  "Sign-in URL (HTTP-Redirect)": "Anmelde-URL (HTTP-Redirect)",
  "Signing certificate": "Signaturzertifikat",
  "PEM; two, one after the other, while the provider changes it":
    "PEM; zwei nacheinander, während der Anbieter es wechselt",
  "Attribute: e-mail": "Attribut: E-Mail",
  "Attribute: name": "Attribut: Name",
  "Attribute: groups": "Attribut: Gruppen",
  "Save and test first: the test works before it is switched on.":
    "Erst speichern und testen: Der Test ist schon vor dem Einschalten möglich.",
  "Members can sign in with it": "Mitglieder können sich damit anmelden",
  "Passwords of your domains no longer sign in. Owners with a second factor keep theirs for emergencies, which is recorded.":
    "Mit Adressen Ihrer Domains ist keine Anmeldung per Passwort mehr möglich. Inhaber mit zweitem Faktor behalten ihr Passwort für Notfälle; dessen Nutzung wird protokolliert.",
  "Prove a domain first.": "Weisen Sie zuerst eine Domain nach.",
  "Require it for the addresses of your domains": "Für die Adressen Ihrer Domains verlangen",
  "Saved.": "Gespeichert.",
  "Remove the identity provider": "Identitätsanbieter entfernen",
  "Remove the identity provider?": "Identitätsanbieter entfernen?",
  "It can no longer be used to sign in. Members stay, and sign in with a password that they set by mail.":
    "Damit ist keine Anmeldung mehr möglich. Mitglieder bleiben und melden sich mit einem Passwort an, das sie per Mail festlegen.",
  "Groups and roles": "Gruppen und Rollen",
  "At every sign-in a member gets the highest role that one of their groups gives.":
    "Bei jeder Anmeldung bekommt ein Mitglied die höchste Rolle, die eine seiner Gruppen gibt.",
  "Add a group": "Gruppe hinzufügen",
  "People in none of these groups": "Personen in keiner dieser Gruppen",
  "Invited people keep the role of the invitation, or the one that was given later.":
    "Wer eingeladen wurde, behält die Rolle der Einladung oder die, die später vergeben wurde.",
  "You have no second factor: while the identity provider fails, you could not sign in either. Set one up on the page of your account.":
    "Sie haben keinen zweiten Faktor: Fällt der Identitätsanbieter aus, könnten auch Sie sich nicht anmelden. Richten Sie auf der Seite Ihres Kontos einen ein.",
  "May not sign in": "Dürfen sich nicht anmelden",
  "Not proven yet": "Noch nicht nachgewiesen",
  Proven: "Nachgewiesen",
  "Create this TXT record where the DNS of the domain is managed:":
    "Legen Sie diesen TXT-Eintrag dort an, wo das DNS der Domain verwaltet wird:",
  Value: "Wert",
  Domains: "Domains",
  "For addresses of these domains your identity provider decides who signs in, so you have to prove that they are yours.":
    "Für Adressen dieser Domains entscheidet Ihr Identitätsanbieter, wer sich anmeldet. Weisen Sie deshalb nach, dass sie Ihnen gehören.",
  "Add the domain": "Domain hinzufügen",
  "People with an address of this domain can no longer sign in through your identity provider.":
    "Personen mit einer Adresse dieser Domain können sich nicht mehr über Ihren Identitätsanbieter anmelden.",
  "Test the sign-in": "Anmeldung testen",
  "Opens the identity provider in a new tab. When you have signed in there, you see every claim that it sent and the role that it gives. The test starts no session.":
    "Öffnet den Identitätsanbieter in einem neuen Tab. Haben Sie sich dort angemeldet, sehen Sie jeden Claim, den er gesendet hat, und die Rolle, die daraus folgt. Niemand wird dadurch angemeldet.",
  "Open the test": "Test öffnen",
  "Your plan has no single sign-on": "Ihr Tarif enthält kein Single Sign-on",
  "With it, members sign in through your own identity provider, which also decides their roles.":
    "Damit melden sich Mitglieder über Ihren eigenen Identitätsanbieter an, der auch ihre Rollen bestimmt.",
  Provisioning: "Bereitstellung",
  "New token": "Neues Token",
  "By SCIM 2.0 your identity provider makes people members before they sign in, and takes their access away the moment they leave. Groups give roles, as with single sign-on.":
    "Über SCIM 2.0 macht Ihr Identitätsanbieter Personen zu Mitgliedern, bevor sie sich anmelden, und entzieht ihnen den Zugang, sobald sie ausscheiden. Rollen ergeben sich aus Gruppen, wie beim Single Sign-on.",
  "Prove a domain first: only people with an address of a proven domain can be provisioned.":
    "Weisen Sie zuerst eine Domain nach: Nur Personen mit einer Adresse einer nachgewiesenen Domain können bereitgestellt werden.",
  "Base URL": "Basis-URL",
  "Copy the token {name} now: it is not shown again.":
    "Kopieren Sie das Token {name} jetzt: Es wird nicht noch einmal angezeigt.",
  Tokens: "Tokens",
  "New token for your identity provider": "Neues Token für Ihren Identitätsanbieter",
  "Create token": "Token anlegen",
  "The identity provider that uses it. The audit log shows this name":
    "Der Identitätsanbieter, der es benutzt. Das Änderungsprotokoll zeigt diesen Namen",
  "The identity provider that uses it is refused from then on. Members stay as they are.":
    "Der Identitätsanbieter, der es benutzt, wird danach abgewiesen. Die Mitglieder ändern sich nicht."
} as const satisfies Record<string, string>
