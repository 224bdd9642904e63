/**
 * The encoding of a body, from the headers and the beginning of the body. The server controls these texts, so each is
 * bounded before it is read in linear time.
 */

/** Characters of a `Content-Type` or `Content-Encoding` at most. */
const longest = 1000
/** Labels of charsets and of codings are shorter. */
const longestLabel = 40
/** Bytes of a text in which its charset may be declared (WHATWG HTML, section 13.2.3.2). */
const declarationBytes = 1024

/** Names that servers send as a coding for a body that is not encoded; so are names of charsets. */
const noCodings = new Set([
  "identity",
  "none",
  "binary",
  "aws-chunked",
  "7bit",
  "8bit",
  "plain",
  "text",
  "null",
  "undefined"
])

/**
 * The content codings of a body, in lower case and in the order in which they were applied, without those that encode
 * nothing; null when the list is too long.
 */
export const codingsOf = (contentEncoding: string): ReadonlyArray<string> | null => {
  if (contentEncoding.length > longest) return null
  return contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && !noCodings.has(coding) && !isCharset(coding))
}

const isCharset = (label: string): boolean => {
  if (label.length > longestLabel) return false
  try {
    return new TextDecoder(label).encoding !== ""
  } catch {
    return false
  }
}

const endlessTypes = new Set(["text/event-stream", "multipart/x-mixed-replace"])

/** Whether bodies of this type usually have no end: streams of events, pictures, sound or film. */
export const isStream = (contentType: string): boolean => {
  const type = contentType.slice(0, longest).split(";", 1)[0]!.trim().toLowerCase()
  return endlessTypes.has(type) || type.startsWith("audio/") || type.startsWith("video/")
}

/** The `charset` parameter of a `Content-Type`. */
export const charsetOf = (contentType: string): string | undefined => {
  if (contentType.length > longest) return undefined
  for (const parameter of contentType.split(";").slice(1)) {
    const equals = parameter.indexOf("=")
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== "charset") continue
    const label = labelAt(parameter, equals + 1)
    if (label !== undefined) return label
  }
  return undefined
}

/** Media types that may declare a charset in the text, including no type. */
const mayDeclare = (contentType: string): boolean => {
  const type = contentType.slice(0, longest).toLowerCase()
  return type.includes("html") || type.includes("xml") || type.trim() === ""
}

/** The charset that HTML or XML declares at its beginning. A declaration readable as ASCII cannot be in UTF-16. */
export const declaredCharset = (contentType: string, body: Buffer): string | undefined => {
  if (!mayDeclare(contentType)) return undefined
  const label = declared(body.toString("latin1", 0, declarationBytes).toLowerCase())
  return label?.startsWith("utf-16") === true || label?.startsWith("utf16") === true ? undefined : label
}

/** Looks at each tag once: between its beginning and the next `>`. */
const declared = (text: string): string | undefined => {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const isXml = text.startsWith("<?xml", at)
    if (!isXml && !text.startsWith("<meta", at)) continue
    const close = text.indexOf(">", at)
    const tag = text.slice(at + 5, close < 0 ? text.length : close)
    const label = attributeOf(tag, isXml ? "encoding" : "charset")
    if (label !== undefined) return label
    if (close < 0) return undefined
    at = close
  }
  return undefined
}

/** The value behind a name and an equals sign anywhere in a tag, also within `content`. */
const attributeOf = (tag: string, name: string): string | undefined => {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + name.length)) {
    if (at === 0 || isWord(tag.charCodeAt(at - 1))) continue
    const equals = afterBlanks(tag, at + name.length)
    if (tag[equals] !== "=") continue
    const label = labelAt(tag, equals + 1)
    if (label !== undefined) return label
  }
  return undefined
}

const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d

const blanks = " \t\r\n\f"
const afterBlanks = (text: string, from: number): number => {
  let at = from
  while (at < text.length && blanks.includes(text[at]!)) at++
  return at
}

/** A label behind blanks, with or without a quote before it; undefined when it is empty, or too long to be one. */
const labelAt = (text: string, from: number): string | undefined => {
  let begin = afterBlanks(text, from)
  if (text[begin] === '"' || text[begin] === "'") begin = afterBlanks(text, begin + 1)
  let end = begin
  while (end < text.length && !` \t\r\n\f"'/>;?`.includes(text[end]!)) end++
  return end === begin || end - begin > longestLabel ? undefined : text.slice(begin, end)
}
