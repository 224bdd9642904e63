/** Text of strangers for XML and HTML: what the formats cannot carry is replaced, what they would read as markup is escaped. */

// XML 1.0 cannot carry other characters, not even as references.
const unfit = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Text that a well-formed XML document may hold: control characters and lone surrogates become U+FFFD. */
export const xmlText = (text: string): string => text.replace(unfit, "\uFFFD")

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** Text as HTML that shows exactly this text, in elements and in attributes. */
export const html = (text: string): string => xmlText(text).replace(/[&<>"']/g, (character) => references[character]!)
