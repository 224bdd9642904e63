/** E-mail addresses: validation and comparison. */
import { Schema } from "effect"

const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** One ASCII addr-spec (RFC 5321, section 4.1.2), so that an address cannot inject SMTP commands. */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  return at > 0 && text.length <= 254 && local.length <= 64 && atoms.test(local) && domain.test(text.slice(at + 1))
}

/** One address, without a display name. */
export const EmailAddress = Schema.String.check(
  Schema.makeFilter((text: string) => isEmailAddress(text) || "Expected one e-mail address such as ops@example.com")
)

/** The form in which addresses are compared and stored for accounts: NFKC, trimmed, lower case. */
export const normalizeEmail = (text: string): string => text.normalize("NFKC").trim().toLowerCase()

/** The mailbox behind an address: most servers deliver `ops+anything@` to `ops@`. Used for counting only, never for sending. */
export const mailboxOf = (address: string): string => normalizeEmail(address).replace(/\+[^@]*(?=@)/, "")
