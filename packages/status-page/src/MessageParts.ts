/** Messages of users as text and links: everything else is text. Pure, so that a preview shows what the page will show. */

const address = /\bhttps?:\/\/[^\s<>"'`]+/giu

/** Trailing punctuation belongs to the sentence, and so does a closing bracket that was opened before the URL. */
const trimmed = (found: string): string => {
  let link = found
  for (;;) {
    const last = link.at(-1)!
    const unopened = last === ")" && link.split("(").length < link.split(")").length
    if (!unopened && !/[.,;:!?\]}*_…]/u.test(last)) return link
    link = link.slice(0, -1)
  }
}

const isWeb = (link: string): boolean => /^https?:$/.test(URL.parse(link)?.protocol ?? "")

export interface MessagePart {
  readonly text: string
  /** The text is the address of a link. */
  readonly isLink: boolean
}

/** The parts of a message, in order. Line breaks are kept. */
export const messageParts = (message: string): ReadonlyArray<MessagePart> => {
  const text = message.trim()
  const parts: Array<MessagePart> = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const link = trimmed(match[0])
    if (!isWeb(link)) continue
    parts.push({ text: text.slice(end, match.index), isLink: false }, { text: link, isLink: true })
    end = match.index + link.length
  }
  return [...parts, { text: text.slice(end), isLink: false }]
}
