/** The text of an exported file: UTF-8 or UTF-16, with or without a byte order mark, as editors on Windows save it. */

/** Decodes a file, or its beginning. JSON begins with an ASCII character, so a zero byte beside it tells UTF-16. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le"
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : "utf-8"
}

/** Whether a file begins as JSON does. */
export const isJson = (start: Uint8Array): boolean => /^\s*[[{]/.test(textOf(start))
