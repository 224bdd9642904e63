/**
 * Reads DER (X.690, section 10), the only encoding in which each length has one form. Ambiguous input is refused, so
 * that OpenSSL reads the same values as this examination.
 */

export interface Element {
  readonly tag: number
  readonly content: Buffer
}

/** The text is no DER, or not what was expected there. */
export class NotDer extends Error {}

const indefinite = 0x80

/** The elements that fill the bytes exactly. */
export const elements = (bytes: Buffer): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let at = 0; at < bytes.length;) {
    const tag = byteAt(bytes, at++)
    // Tags above 30 take several bytes; nothing here has them.
    if ((tag & 0x1f) === 0x1f) throw new NotDer()
    let length = byteAt(bytes, at++)
    if (length >= indefinite) {
      const size = length - indefinite
      if (size < 1 || size > 4 || at + size > bytes.length) throw new NotDer()
      length = bytes.readUIntBE(at, size)
      // The short form, or fewer bytes, would do.
      if (length < indefinite || bytes[at] === 0) throw new NotDer()
      at += size
    }
    if (at + length > bytes.length) throw new NotDer()
    found.push({ tag, content: bytes.subarray(at, at + length) })
    at += length
  }
  return found
}

const byteAt = (bytes: Buffer, at: number): number => {
  const byte = bytes[at]
  if (byte === undefined) throw new NotDer()
  return byte
}

/** The elements of one sequence that fills the bytes. */
export const sequence = (bytes: Buffer): ReadonlyArray<Element> => {
  const [only, ...rest] = elements(bytes)
  if (only === undefined || rest.length > 0) throw new NotDer()
  return inner(only)
}

/** The elements of a sequence. */
export const inner = (element: Element | undefined): ReadonlyArray<Element> => elements(content(element, 0x30))

/** The content of an element with this tag. */
export const content = (element: Element | undefined, tag: number): Buffer => {
  if (element?.tag !== tag) throw new NotDer()
  return element.content
}

/** A whole number that is not negative and has its shortest form; one of more than six bytes counts as infinite. */
export const natural = (element: Element | undefined): number => {
  const bytes = content(element, 0x02)
  const first = byteAt(bytes, 0)
  if (first >= 0x80 || (first === 0 && bytes.length > 1 && byteAt(bytes, 1) < 0x80)) throw new NotDer()
  return bytes.length > 6 ? Number.POSITIVE_INFINITY : bytes.readUIntBE(0, bytes.length)
}

/** An object identifier in hexadecimal notation. */
export const identifier = (element: Element | undefined): string => content(element, 0x06).toString("hex")
