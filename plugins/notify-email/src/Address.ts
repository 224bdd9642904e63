/** The sender of e-mails: an address, optionally with a name. */
import { filteredText } from "@kanmon/domain/BoundedText"
import { isEmailAddress } from "@kanmon/domain/EmailAddress"

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

const noSender = "Expected alerts@example.com, or with a name: Kanmon <alerts@example.com>"

export const Sender = filteredText(1000, (text) => (mailbox(text) === undefined ? noSender : undefined), {
  message: noSender
})
