/** Where a channel leads, short enough for its name: names are read by more people than settings. Pure. */
import type { FormField } from "./schema.ts"

type Destination = Pick<FormField, "isSecret" | "kind" | "name" | "required">

const longest = 30

/**
 * `ada@…` of an e-mail address, the last digits of a number, the host of a URL, a short name as it is. Undefined where nothing
 * says it that may be read, such as for a webhook with a secret address.
 */
export const destinationIn = (
  fields: ReadonlyArray<Destination>,
  texts: Readonly<Record<string, string>>
): string | undefined => {
  const field = fields.find(({ isSecret, kind, required }) => required && !isSecret && kind === "text")
  const text = field === undefined ? "" : (texts[field.name] ?? "").trim()
  if (text === "") return undefined
  if (/^https?:/i.test(text)) return URL.parse(text)?.hostname || undefined
  const at = text.indexOf("@")
  if (at > 0) return `${text.slice(0, Math.min(at, longest))}@…`
  if (/^\+\d{4,}$/.test(text)) return `…${text.slice(-4)}`
  return text.length > longest ? undefined : text
}

/** A name that no other has yet: "Slack", then "Slack 2". */
export const unlike = (name: string, others: ReadonlyArray<string>): string => {
  if (!others.includes(name)) return name
  for (let count = 2; ; count++) if (!others.includes(`${name} ${count}`)) return `${name} ${count}`
}
