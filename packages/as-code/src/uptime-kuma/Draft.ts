/** What becomes of a record: the fields of an entry, in which secrets are told from other texts, and what is lost. */

/** A text that does not go into the file. `before` does: `Bearer ` of an `authorization`. */
export class Secret {
  readonly value: string
  readonly before: string

  constructor(value: string, before = "") {
    this.value = value
    this.before = before
  }
}

export type Value = string | number | boolean | null | Secret | ReadonlyArray<Value> | Draft
export interface Draft {
  readonly [field: string]: Value
}

export interface Converted {
  /** None when it cannot be carried over; several when one of theirs is several of ours. */
  readonly drafts: ReadonlyArray<Draft>
  /** What was lost or has changed, or why there is nothing; one clause each, which `written` makes a sentence. */
  readonly notes: ReadonlyArray<string>
}

/** What is said of a record. */
export interface Note {
  /** Its kind and name, such as `Monitor Shop`. */
  readonly about: string
  readonly leftOut: boolean
  readonly notes: ReadonlyArray<string>
}

/** What is said as people read it: sentences, which begin with a capital letter and end with a full stop. */
export const written = ({ about, leftOut, notes }: Note): Note => ({
  about: capital(about),
  leftOut,
  notes: notes.map((note) => capital(/[.!?]$/.test(note) ? note : `${note}.`))
})

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** It stays behind. */
export const leftOut = (...notes: ReadonlyArray<string>): Converted => ({ drafts: [], notes })

/** The beginning of a text, never with half a character at its end. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

/** The beginning of a text that has at most so many bytes as UTF-8. */
export const cutBytes = (text: string, most: number): string => {
  const bytes = Buffer.from(text.toWellFormed())
  // A character that does not fit is left out whole.
  return bytes.length <= most ? text : new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, "")
}

/** An address, which is a secret when it carries one. */
export const address = (url: string): string | Secret => {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.username !== "" || parsed.password !== "" || parsed.search !== "")
    ? new Secret(url)
    : url
}

/** Headers whose values are not secret. */
const open = new Set(["accept", "accept-language", "cache-control", "content-type", "user-agent", "pragma", "origin"])

/** Headers, the values of which are secrets unless they are known not to be. */
export const headers = (given: Readonly<Record<string, unknown>>): Draft =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const words = String(value)
      if (open.has(name.toLowerCase())) return [name, words]
      const scheme = /^(Bearer|Basic|Token) (?=\S)/i.exec(words)?.[0] ?? ""
      return [name, new Secret(words.slice(scheme.length), scheme)]
    })
  )
