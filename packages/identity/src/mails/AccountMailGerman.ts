/** The mails about accounts in German. */
import type { Role } from "@kanmon/domain/Role"
import type { Wordings } from "./AccountMailWording.ts"

const roles: Readonly<Record<Role, string>> = {
  owner: "Inhaber",
  admin: "Administrator",
  editor: "Bearbeiter",
  responder: "Bereitschaft",
  viewer: "Betrachter"
}

const within = (hours: number): string => (hours === 1 ? "eine Stunde" : `${hours} Stunden`)

const notYou =
  "Falls Sie das nicht waren: Setzen Sie sofort Ihr Passwort zurück, beenden Sie alle Sitzungen und benachrichtigen Sie Ihren Betreiber."

export const de: Wordings = {
  verifyAddress: ({ hours }, host) => ({
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    paragraphs: [
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${host} angelegt.`,
      "Falls es Ihres ist, öffnen Sie diesen Link und geben Sie das Passwort des Kontos ein:"
    ],
    button: "Adresse bestätigen",
    notes: [
      `Der Link gilt ${within(hours)}. Falls Sie das Konto nicht angelegt haben, beachten Sie diese E-Mail nicht weiter.`
    ]
  }),
  resetPassword: ({ hours }, host) => ({
    subject: "Setzen Sie Ihr Passwort zurück",
    paragraphs: [
      `Für Ihr Konto bei ${host} wurde ein neues Passwort angefordert.`,
      "Öffnen Sie diesen Link, um eines zu wählen:"
    ],
    button: "Neues Passwort wählen",
    notes: [
      `Der Link gilt ${within(hours)} und nur einmal. Falls Sie das nicht waren, beachten Sie diese E-Mail nicht weiter: Ihr Passwort bleibt, wie es ist.`
    ]
  }),
  confirmNewAddress: ({ hours }, host) => ({
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    paragraphs: [
      `Ein Konto bei ${host} soll künftig diese E-Mail-Adresse verwenden.`,
      "Falls es Ihres ist, öffnen Sie diesen Link, um die Adresse zu bestätigen:"
    ],
    button: "Adresse bestätigen",
    notes: [
      `Der Link gilt ${within(hours)} und nur einmal. Falls Sie das Konto nicht kennen, beachten Sie diese E-Mail nicht weiter: Es ändert sich nichts.`
    ]
  }),
  newAddressRequested: ({ newAddress }, host) => ({
    subject: "Für Ihr Konto wurde eine neue E-Mail-Adresse eingegeben",
    paragraphs: [
      `Jemand, der bei Ihrem Konto bei ${host} angemeldet ist, möchte dafür die Adresse ${newAddress} verwenden. Die Änderung gilt, sobald sie dort bestätigt wird.`
    ],
    notes: [notYou]
  }),
  addressChanged: ({ newAddress }, host) => ({
    subject: "Die E-Mail-Adresse Ihres Kontos wurde geändert",
    paragraphs: [
      `Ihr Konto bei ${host} verwendet jetzt die Adresse ${newAddress}. Mit der bisherigen Adresse, an die diese E-Mail geht, ist keine Anmeldung mehr möglich.`
    ],
    notes: ["Falls Sie das nicht waren, benachrichtigen Sie sofort Ihren Betreiber."]
  }),
  passwordChanged: ({ endedEarlierAccess = false }, host) => ({
    subject: "Ihr Passwort wurde geändert",
    paragraphs: [
      `Das Passwort Ihres Kontos bei ${host} wurde geändert. Alle anderen Sitzungen des Kontos wurden beendet.`,
      ...(endedEarlierAccess
        ? [
            "Ihre Adresse war bisher nicht bestätigt, sodass jemand anderes das Konto vorbereitet haben könnte. API-Schlüssel, Einladungen, Passkeys, zweite Faktoren und Single Sign-on wurden entfernt, und die Benachrichtigungskanäle sind abgeschaltet. Prüfen Sie jeden Kanal und speichern Sie seine Einstellungen erneut."
          ]
        : [])
    ],
    notes: [notYou]
  }),
  secondFactorOn: (_, host) => ({
    subject: "Die Zwei-Faktor-Anmeldung ist eingeschaltet",
    paragraphs: [
      `Die Anmeldung bei Ihrem Konto bei ${host} verlangt von jetzt an neben dem Passwort einen Code Ihrer Authenticator-App.`,
      "Bewahren Sie die Backup-Codes sicher auf: Mit jedem können Sie sich einmal anmelden, falls Sie die App verlieren."
    ],
    notes: [notYou]
  }),
  secondFactorOff: (_, host) => ({
    subject: "Die Zwei-Faktor-Anmeldung ist ausgeschaltet",
    paragraphs: [`Die Anmeldung bei Ihrem Konto bei ${host} verlangt wieder nur das Passwort.`],
    notes: [notYou]
  }),
  backupCodeUsed: ({ left }, host) => ({
    subject: "Ein Backup-Code wurde verwendet",
    paragraphs: [
      `Jemand hat sich mit einem Backup-Code bei Ihrem Konto bei ${host} angemeldet. Übrig ${left === 1 ? "ist noch ein Code" : `sind noch ${left} Codes`}; neue können Sie in Ihrem Profil erzeugen.`
    ],
    notes: [notYou]
  }),
  passkeyAdded: ({ name }, host) => ({
    subject: "Ihrem Konto wurde ein Passkey hinzugefügt",
    paragraphs: [`Mit dem Passkey „${name}“ ist jetzt die Anmeldung bei Ihrem Konto bei ${host} möglich.`],
    notes: [
      "Falls Sie das nicht waren: Entfernen Sie ihn in Ihrem Profil, setzen Sie Ihr Passwort zurück und beenden Sie sofort alle Sitzungen."
    ]
  }),
  signOnConnected: ({ name }, host) => ({
    subject: "Single Sign-on wurde mit Ihrem Konto verbunden",
    paragraphs: [
      `Über den Identitätsanbieter von „${name}“ ist von jetzt an die Anmeldung bei Ihrem Konto bei ${host} möglich. Der Anbieter einer Organisation gibt nur zu dieser Organisation Zugang.`
    ],
    notes: [
      "Falls Sie das nicht waren: Setzen Sie Ihr Passwort zurück, beenden Sie alle Sitzungen und benachrichtigen Sie sofort Ihren Betreiber."
    ]
  }),
  contactMethodChanged: ({ change, name, type }, host) => {
    const happened = { added: "hinzugefügt", changed: "geändert", deleted: "gelöscht" }[change]
    return {
      subject: `Ein Kontaktweg wurde ${happened}`,
      paragraphs: [
        `Der Kontaktweg „${name}“ (${type}) Ihres Kontos bei ${host} wurde ${happened}. Über Kontaktwege werden Sie alarmiert, wenn Sie Bereitschaft haben.`
      ],
      notes: [notYou]
    }
  },
  accountDeleted: (_, host) => ({
    subject: "Ihr Konto wurde gelöscht",
    paragraphs: [`Ihr Konto bei ${host} und alles, was nur zu ihm gehörte, wurde gelöscht.`],
    notes: ["Falls Sie das nicht waren, benachrichtigen Sie sofort Ihren Betreiber."]
  }),
  invitation: ({ days, invitedBy, organization, role }, host) => ({
    subject: `${invitedBy} lädt Sie zu „${organization}“ bei Kanmon ein`,
    paragraphs: [
      `${invitedBy} lädt Sie in die Organisation „${organization}“ bei ${host} ein (Rolle: ${roles[role]}).`,
      "Öffnen Sie diesen Link, um die Einladung anzunehmen oder abzulehnen:"
    ],
    button: "Einladung öffnen",
    notes: [
      `Der Link gilt ${days === 1 ? "einen Tag" : `${days} Tage`} und nur einmal. Falls Sie nicht wissen, wer Sie einlädt, beachten Sie diese E-Mail nicht weiter.`
    ]
  })
}
