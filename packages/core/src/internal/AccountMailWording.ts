/** What the mails about accounts say, whatever the language. */
import type { Role } from "@kanmon/domain/Role"

/** What a mail is about. A `link` does what the mail asks for; it is an address of this installation. */
export type Letter =
  /** To a new account: the address is theirs. */
  | { readonly kind: "verifyAddress"; readonly link: string; readonly hours: number }
  /** To whoever forgot the password. */
  | { readonly kind: "resetPassword"; readonly link: string; readonly hours: number }
  /** To the new address of an account. */
  | { readonly kind: "confirmNewAddress"; readonly link: string; readonly hours: number }
  /** To the present address of an account: somebody signed in wants another one. */
  | { readonly kind: "newAddressRequested"; readonly newAddress: string }
  /** To the former address of an account. */
  | { readonly kind: "addressChanged"; readonly newAddress: string }
  /** `endedEarlierAccess`: what was prepared before the address was proven has ended. */
  | { readonly kind: "passwordChanged"; readonly endedEarlierAccess?: boolean }
  | { readonly kind: "secondFactorOn" }
  | { readonly kind: "secondFactorOff" }
  | { readonly kind: "backupCodeUsed"; readonly left: number }
  | { readonly kind: "passkeyAdded"; readonly name: string }
  /** The identity provider of an organization, or of the installation, signs in to the account from here on. */
  | { readonly kind: "signOnConnected"; readonly name: string }
  | { readonly kind: "accountDeleted" }
  /** To somebody with or without an account, who is to join an organization. */
  | {
      readonly kind: "invitation"
      readonly organization: string
      readonly invitedBy: string
      readonly role: Role
      readonly link: string
      readonly days: number
    }

/** A letter in one language. */
export interface Wording {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  /** The text of the button; in plain text the link stands below the paragraphs. */
  readonly button?: string
  /** What stands below the link. */
  readonly notes: ReadonlyArray<string>
}

/** All letters in one language. `host` names the installation. */
export type Wordings = {
  readonly [Kind in Letter["kind"]]: (letter: Extract<Letter, { readonly kind: Kind }>, host: string) => Wording
}
