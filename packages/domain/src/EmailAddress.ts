/** E-mail addresses: validation and comparison. */
import { filteredText } from "./BoundedText.ts"

const expected = "Expected one e-mail address such as ops@example.com"

const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** One ASCII addr-spec (RFC 5321, section 4.1.2), so that an address cannot inject SMTP commands. */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  return at > 0 && text.length <= 254 && local.length <= 64 && atoms.test(local) && domain.test(text.slice(at + 1))
}

/** One address, without a display name. */
export const EmailAddress = filteredText(254, (text) => (isEmailAddress(text) ? undefined : expected), {
  message: expected
})

const blanks = " \t\r\n"

const trimmed = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && blanks.includes(text[start]!)) start++
  while (end > start && blanks.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}

/**
 * The form in which addresses are compared and stored for accounts: without blanks around it, ASCII letters in lower
 * case. Other characters stay. Unicode normalization and case mapping would turn the address of one person into that of
 * another: `ｅxample.org` in full width, or the Kelvin sign, which becomes `k` in lower case.
 */
export const normalizeEmail = (text: string): string =>
  trimmed(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a text consists of ASCII characters without control characters. */
export const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/.test(text)

/** The mailbox behind an address: most servers deliver `ops+anything@` to `ops@`. Used for counting only, never for sending. */
export const mailboxOf = (address: string): string => {
  const normal = normalizeEmail(address)
  const plus = normal.indexOf("+")
  const at = normal.indexOf("@", plus)
  return plus === -1 || at === -1 ? normal : normal.slice(0, plus) + normal.slice(at)
}
