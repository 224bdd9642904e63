/** The sender of e-mails: an address, optionally with a name. */
import { isEmailAddress } from "@kanmon/domain/EmailAddress"
import { Schema } from "effect"

export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** `alerts@example.com`, or with a name: `Kanmon <alerts@example.com>`. */
export const mailbox = (text: string): Mailbox | undefined => {
  if (/\p{Cc}/u.test(text)) return undefined
  const [, quoted = "", bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = bracketed ?? text.trim()
  const name = quoted.trim().replace(/^"(.*)"$/, "$1")
  return isEmailAddress(address) && !/["\\]/.test(name) ? { name, address } : undefined
}

export const Sender = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      mailbox(text) !== undefined || "Expected alerts@example.com, or with a name: Kanmon <alerts@example.com>"
  )
)
