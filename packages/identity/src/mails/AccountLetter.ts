/** The subjects of the mails to people about their accounts, and their readers. */
import type { Locale } from "@kanmon/domain/Locale"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

/** The subject of a mail. A `link` does what the mail asks for; it is an address of this installation. */
export type AccountLetter =
  /** To a new account: the address is theirs. */
  | { readonly kind: "verifyAddress"; readonly link: string; readonly hours: number }
  /** To a person who forgot the password. */
  | { readonly kind: "resetPassword"; readonly link: string; readonly hours: number }
  /** To the new address of an account. */
  | { readonly kind: "confirmNewAddress"; readonly link: string; readonly hours: number }
  /** To the present address of an account: somebody signed in wants another one. */
  | { readonly kind: "newAddressRequested"; readonly newAddress: string }
  /** To the former address of an account. */
  | { readonly kind: "addressChanged"; readonly newAddress: string }
  /** `endedEarlierAccess`: access that was prepared before the address was proven has ended. */
  | { readonly kind: "passwordChanged"; readonly endedEarlierAccess?: boolean }
  | { readonly kind: "secondFactorOn" }
  | { readonly kind: "secondFactorOff" }
  | { readonly kind: "backupCodeUsed"; readonly left: number }
  | { readonly kind: "passkeyAdded"; readonly name: string }
  /** How the person is reached when they are on call. `type` is what people call it. */
  | {
      readonly kind: "contactMethodChanged"
      readonly change: "added" | "changed" | "deleted"
      readonly name: string
      readonly type: string
    }
  /** The identity provider of an organization, or of the installation, signs in to the account from here on. */
  | { readonly kind: "signOnConnected"; readonly name: string }

export interface AccountMailOptions {
  /** Identifies the mail; the same in every attempt to send it. */
  readonly id: string
  readonly locale: Locale
  /** Public address of the installation, or of its API. */
  readonly baseUrl: string
  /** When that happened which the mail reports, and the IANA zone of its reader; without a zone in UTC. */
  readonly happened?: { readonly at: EpochMillis; readonly zone: string | null }
}
