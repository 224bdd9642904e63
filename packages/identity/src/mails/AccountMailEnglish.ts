/** The mails about accounts in English. */
import type { Role } from "@kanmon/domain/Role"
import type { Wordings } from "./AccountMailWording.ts"

const roles: Readonly<Record<Role, string>> = {
  owner: "owner",
  admin: "administrator",
  editor: "editor",
  responder: "responder",
  viewer: "viewer"
}

const within = (hours: number): string => (hours === 1 ? "one hour" : `${hours} hours`)

const notYou = "If this was not you, reset your password and end all sessions at once, and tell your operator."

export const en: Wordings = {
  verifyAddress: ({ hours }, host) => ({
    subject: "Verify your e-mail address",
    paragraphs: [
      `An account at ${host} was created with this e-mail address.`,
      "If it is yours, open this link and enter the account's password:"
    ],
    button: "Verify the address",
    notes: [`The link is valid for ${within(hours)}. If you did not create the account, ignore this mail.`]
  }),
  resetPassword: ({ hours }, host) => ({
    subject: "Reset your password",
    paragraphs: [`Somebody asked for a new password for your account at ${host}.`, "Open this link to choose one:"],
    button: "Choose a new password",
    notes: [
      `The link is valid for ${within(hours)} and works once. If you did not ask for it, ignore this mail: your password stays as it is.`
    ]
  }),
  confirmNewAddress: ({ hours }, host) => ({
    subject: "Confirm your new e-mail address",
    paragraphs: [
      `An account at ${host} is to use this e-mail address from now on.`,
      "If it is yours, open this link to confirm the address:"
    ],
    button: "Confirm the address",
    notes: [
      `The link is valid for ${within(hours)} and works once. If you do not know the account, ignore this mail: nothing changes.`
    ]
  }),
  newAddressRequested: ({ newAddress }, host) => ({
    subject: "A new e-mail address was entered for your account",
    paragraphs: [
      `Somebody who is signed in to your account at ${host} wants to use the address ${newAddress} for it. The change takes effect when it is confirmed there.`
    ],
    notes: [notYou]
  }),
  addressChanged: ({ newAddress }, host) => ({
    subject: "The e-mail address of your account was changed",
    paragraphs: [
      `Your account at ${host} now uses the address ${newAddress}. The old address, to which this mail was sent, can no longer be used to sign in.`
    ],
    notes: ["If this was not you, tell your operator at once."]
  }),
  passwordChanged: ({ endedEarlierAccess = false }, host) => ({
    subject: "Your password was changed",
    paragraphs: [
      `The password of your account at ${host} was changed. Every other session of the account has been ended.`,
      ...(endedEarlierAccess
        ? [
            "Your address was not verified before, so somebody else could have prepared the account. API keys, invitations, passkeys, second factors and single sign-on have been removed, and notification channels are switched off. Look at each channel and save its settings again."
          ]
        : [])
    ],
    notes: [notYou]
  }),
  secondFactorOn: (_, host) => ({
    subject: "Two-factor authentication is on",
    paragraphs: [
      `From now on, signing in to your account at ${host} needs a code of your authenticator app besides the password.`,
      "Keep the backup codes in a safe place: each of them signs you in once when the app is lost."
    ],
    notes: [notYou]
  }),
  secondFactorOff: (_, host) => ({
    subject: "Two-factor authentication is off",
    paragraphs: [`Signing in to your account at ${host} needs only the password again.`],
    notes: [notYou]
  }),
  backupCodeUsed: ({ left }, host) => ({
    subject: "A backup code was used",
    paragraphs: [
      `Somebody signed in to your account at ${host} with a backup code. ${left === 1 ? "One code is" : `${left} codes are`} left; you can make new ones in your profile.`
    ],
    notes: [notYou]
  }),
  passkeyAdded: ({ name }, host) => ({
    subject: "A passkey was added to your account",
    paragraphs: [`The passkey “${name}” now signs in to your account at ${host}.`],
    notes: ["If this was not you, remove it in your profile, reset your password and end all sessions at once."]
  }),
  signOnConnected: ({ name }, host) => ({
    subject: "Single sign-on was connected with your account",
    paragraphs: [
      `From now on the identity provider of “${name}” signs in to your account at ${host}. The provider of an organization opens that organization alone.`
    ],
    notes: ["If this was not you, reset your password, end all sessions and tell your operator at once."]
  }),
  contactMethodChanged: ({ change, name, type }, host) => ({
    subject: `A contact method was ${change}`,
    paragraphs: [
      `The contact method “${name}” (${type}) of your account at ${host} was ${change}. Contact methods are how you are reached when you are on call.`
    ],
    notes: [notYou]
  }),
  accountDeleted: (_, host) => ({
    subject: "Your account was deleted",
    paragraphs: [`Your account at ${host} and what belonged to it alone have been deleted.`],
    notes: ["If this was not you, tell your operator at once."]
  }),
  invitation: ({ days, invitedBy, organization, role }, host) => ({
    subject: `${invitedBy} invites you to “${organization}” on Kanmon`,
    paragraphs: [
      `${invitedBy} invites you to the organization “${organization}” at ${host}, as ${roles[role]}.`,
      "Open this link to accept or decline:"
    ],
    button: "Open the invitation",
    notes: [
      `The link is valid for ${days === 1 ? "one day" : `${days} days`} and works once. If you do not know who invites you, ignore this mail.`
    ]
  })
}
