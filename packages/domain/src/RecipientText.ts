/** Recipients in texts that more people read than may see their addresses: errors of deliveries and tests, events. */

/** Enough to tell recipients of one channel apart: `ops@example.org` as "o…@example.org", a number as its last two digits. */
export const shortRecipient = (recipient: string): string => {
  const at = recipient.lastIndexOf("@")
  const [first = ""] = recipient
  return at > 0 ? `${first}…${recipient.slice(at)}` : `…${recipient.slice(-2)}`
}

/** A text in which recipients are short, such as a mail server's answer that repeats the address. */
export const withShortRecipients = (text: string, recipients: ReadonlyArray<string>): string =>
  recipients.reduce(replaced, text)

const replaced = (text: string, recipient: string): string => {
  if (recipient === "") return text
  const [folded, wanted] = [text.toLowerCase(), recipient.toLowerCase()]
  // Where folding changes lengths, positions in one are not those in the other.
  if (folded.length !== text.length) return text.replaceAll(recipient, shortRecipient(recipient))
  const parts: Array<string> = []
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), shortRecipient(recipient))
    from = at + wanted.length
  }
  return [...parts, text.slice(from)].join("")
}
