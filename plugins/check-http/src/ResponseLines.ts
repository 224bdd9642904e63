/**
 * Reads the lines of an HTTP/1.1 response (RFC 9112): status line, header fields, sizes of chunks. Lenient where the RFC lets
 * a recipient be. Pure; every function takes a text of bounded length, in which each character is a byte, and takes linear
 * time: no expression, because a server chooses the text.
 */

const tab = 0x09
const space = 0x20
const semicolon = 0x3b

const isBlank = (code: number): boolean => code === space || code === tab

/** White space between the words of a status line (RFC 9112, section 4). */
const isGap = (code: number): boolean => isBlank(code) || code === 0x0b || code === 0x0c || code === 0x0d

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const firstNot = (is: (code: number) => boolean, text: string, from: number): number => {
  let at = from
  while (at < text.length && is(text.charCodeAt(at))) at++
  return at
}

const trimmed = (is: (code: number) => boolean, text: string, from: number, until: number): string => {
  let begin = from
  let end = until
  while (begin < end && is(text.charCodeAt(begin))) begin++
  while (begin < end && is(text.charCodeAt(end - 1))) end--
  return text.slice(begin, end)
}

/** Without blanks around it. */
export const trim = (text: string): string => trimmed(isBlank, text, 0, text.length)

const beginning = "HTTP/"

/** Whether a status line may begin like this. */
export const maybeStatusLine = (begun: string): boolean => {
  const at = firstNot(isGap, begun, 0)
  return beginning.startsWith(begun.slice(at, at + beginning.length))
}

/** An HTTP/1 status line (RFC 9112, section 4) with any minor version; undefined for other lines. */
export const statusLine = (text: string): { readonly status: number; readonly statusText: string } | undefined => {
  let at = firstNot(isGap, text, 0)
  if (!text.startsWith(beginning, at)) return undefined
  const version = text.slice(at + 5, at + 8)
  const isKnown = version === "2.0" || version === "0.9"
  if (!isKnown && !(version.startsWith("1.") && isDigit(version.charCodeAt(2)))) return undefined
  at += 8
  const code = firstNot(isGap, text, at)
  if (code === at) return undefined
  const end = firstNot(isDigit, text, code)
  if (end !== code + 3 || text[code] === "0") return undefined
  if (end < text.length && !isGap(text.charCodeAt(end))) return undefined
  return { status: Number(text.slice(code, end)), statusText: trimmed(isGap, text, end, text.length) }
}

/** Whether a line continues the field before it (RFC 9112, section 5.2). */
export const isFolded = (text: string): boolean => text !== "" && isBlank(text.charCodeAt(0))

/** A field line, or what is wrong with it. */
/** What is wrong with a line, as a part of a reason. */
export type LineProblem = "nul" | "no_colon" | "no_name" | "control"

export type Field = { readonly name: string; readonly value: string } | { readonly problem: LineProblem }

/**
 * A field line. A carriage return within it counts as a space (RFC 9112, section 2.2); white space before the colon is
 * dropped (section 5.1); controls other than NUL are kept (RFC 9110, section 5.5), and names need not be tokens.
 */
export const field = (line: string): Field => {
  if (line.includes("\0")) return { problem: "nul" }
  const text = line.includes("\r") ? line.replaceAll("\r", " ") : line
  const end = text.indexOf(":")
  if (end < 0) return { problem: "no_colon" }
  const name = trimmed(isBlank, text, 0, end)
  if (name === "") return { problem: "no_name" }
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < space || code === 0x7f) return { problem: "control" }
  }
  return { name, value: trimmed(isBlank, text, end + 1, text.length) }
}

/** The name at the beginning of a line, if there is one. The rest may be secret. */
export const nameOf = (line: string): string | undefined => {
  const end = line.indexOf(":")
  return end <= 0 ? undefined : line.slice(0, end)
}

/** Digits of a size at most: more than a number holds exactly, and curl accepts as many. */
const maxSizeDigits = 16

const hexValue = (code: number): number => {
  if (isDigit(code)) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1
}

/**
 * The size of a chunk (RFC 9112, section 7.1), from `from` to `until`, and how many bytes its extensions have; undefined when
 * it is none. Blanks may follow the size.
 */
export const chunkSize = (
  line: Uint8Array,
  from: number,
  until: number
): { readonly size: number; readonly extensions: number } | undefined => {
  let at = from
  let size = 0
  for (; at < until; at++) {
    const value = hexValue(line[at]!)
    if (value < 0) break
    size = size * 16 + value
  }
  if (at === from || at - from > maxSizeDigits || size > Number.MAX_SAFE_INTEGER) return undefined
  while (at < until && isBlank(line[at]!)) at++
  if (at < until && line[at] !== semicolon) return undefined
  return { size, extensions: until - at }
}

/** Characters of a list that frames a message. */
const longestFraming = 1000
const maxLengthDigits = 15

/**
 * The length that `Content-Length` fields announce (RFC 9110, section 8.6): equal ones count once. Undefined without any;
 * null when they are not one length.
 */
export const contentLength = (values: ReadonlyArray<string>): number | null | undefined => {
  if (values.length === 0) return undefined
  const list = values.join()
  if (list.length > longestFraming) return null
  let found: number | undefined
  for (const part of list.split(",")) {
    const text = trim(part)
    if (text === "" || text.length > maxLengthDigits || firstNot(isDigit, text, 0) < text.length) return null
    const length = Number(text)
    if (found !== undefined && found !== length) return null
    found = length
  }
  return found
}

/** The codings of a list in lower case; null when it is too long. */
export const codings = (values: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const list = values.join()
  if (list.length > longestFraming) return null
  return list
    .toLowerCase()
    .split(",")
    .map(trim)
    .filter((coding) => coding !== "")
}
