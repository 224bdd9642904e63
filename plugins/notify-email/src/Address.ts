/** E-mail addresses, strictly: one addr-spec in ASCII (RFC 5321), so that nothing can ride along on a line of SMTP. */
import { Schema } from "effect"

const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const isAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  return at > 0 && text.length <= 254 && local.length <= 64 && atoms.test(local) && domain.test(text.slice(at + 1))
}

/** One address, without a name. */
export const Address = Schema.String.check(
  Schema.makeFilter((text: string) => isAddress(text) || "Expected one e-mail address such as ops@example.com")
)

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
  return isAddress(address) && !/["\\]/.test(name) ? { name, address } : undefined
}

export const Sender = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      mailbox(text) !== undefined || "Expected alerts@example.com, or with a name: Kanmon <alerts@example.com>"
  )
)
