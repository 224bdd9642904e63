/** Renders messages of users as text. Line breaks are kept (by the stylesheet) and URLs become links. */
import { type Html, html, type HtmlChildren } from "./Html.ts"

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

const linked = (text: string): HtmlChildren => {
  const parts: Array<HtmlChildren> = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const link = trimmed(match[0])
    if (!isWeb(link)) continue
    parts.push(text.slice(end, match.index), html`<a href=${link} rel="nofollow noopener">${link}</a>`)
    end = match.index + link.length
  }
  return [...parts, text.slice(end)]
}

/** Renders a message with its line breaks and links. */
export const message = (text: string): Html => html`<p class="message" dir="auto">${linked(text.trim())}</p>`
