/** Header values as text. On the wire they are bytes: usually ASCII, often UTF-8, sometimes ISO 8859-1. */
import { isUtf8 } from "node:buffer"

export type Headers = Readonly<Record<string, ReadonlyArray<string>>>

const isAscii = (bytes: string): boolean => {
  for (let at = 0; at < bytes.length; at++) if (bytes.charCodeAt(at) > 0x7f) return false
  return true
}

/** Text with one byte in each character: as UTF-8 if valid, otherwise as ISO 8859-1. */
export const textOf = (bytes: string): string => {
  if (isAscii(bytes)) return bytes
  const raw = Buffer.from(bytes, "latin1")
  return isUtf8(raw) ? raw.toString("utf8") : bytes
}

/** Headers with one byte in each character, as text. */
export const decoded = (headers: Headers): Headers => {
  const isPlain = Object.values(headers).every((values) => values.every(isAscii))
  return isPlain
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.map(textOf)] as const))
}

/**
 * The first `Location` of headers with one byte in each character, as a URL reference. Bytes that are neither ASCII nor
 * UTF-8 are percent-encoded, as browsers do it.
 */
export const locationOf = (headers: Headers): string | undefined => {
  const bytes = headers["location"]?.[0]
  if (bytes === undefined || isAscii(bytes)) return bytes
  const raw = Buffer.from(bytes, "latin1")
  if (isUtf8(raw)) return raw.toString("utf8")
  let text = ""
  for (const byte of raw)
    text += byte > 0x7f ? `%${byte.toString(16).toUpperCase().padStart(2, "0")}` : String.fromCharCode(byte)
  return text
}
