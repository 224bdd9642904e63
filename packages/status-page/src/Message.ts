/** Renders messages of users as text. Line breaks are kept (by the stylesheet) and URLs become links. */
import { type Html, html, type HtmlChildren } from "./Html.ts"
import { type MessagePart, messageParts } from "./MessageParts.ts"

const part = ({ isLink, text }: MessagePart): HtmlChildren =>
  isLink ? html`<a href=${text} rel="nofollow noopener">${text}</a>` : text

/** Renders a message with its line breaks and links. */
export const message = (text: string): Html =>
  html`<p class="message" dir="auto">${messageParts(text).map((each) => part(each))}</p>`
