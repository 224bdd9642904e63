/** The words of the mails about accounts, in every language. */
import type { AccountLetter } from "./AccountLetter.ts"
import type { Role } from "@kanmon/domain/Role"

/** The subject of a mail: a change of the account, or something else that its owner has to know. */
export type Letter =
  | AccountLetter
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
  /** The lines below the link. */
  readonly notes: ReadonlyArray<string>
}

/** All letters in one language. `host` names the installation. */
export type Wordings = {
  readonly [Kind in Letter["kind"]]: (letter: Extract<Letter, { readonly kind: Kind }>, host: string) => Wording
}
