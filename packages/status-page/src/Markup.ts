/** Makes untrusted text safe for XML and HTML: replaces invalid characters and escapes markup. */
import { escapeHtml } from "@kanmon/domain/EscapeHtml"

// XML 1.0 allows no other characters, not even as references.
const unfit = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Replaces characters that XML forbids, such as control characters and lone surrogates, by U+FFFD. */
export const xmlText = (text: string): string => text.replace(unfit, "\uFFFD")

/** Escapes text for HTML elements and attributes. */
export const html = (text: string): string => escapeHtml(xmlText(text))
