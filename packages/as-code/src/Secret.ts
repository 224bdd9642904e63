/** Fields of an entry that is written to a file, in which secrets are told from other texts. */

/**
 * A text that does not go into the file. `before` does: `Bearer ` of an `authorization`. The value is undefined where the server
 * does not return it.
 */
export class Secret {
  readonly value: string | undefined
  readonly before: string

  constructor(value: string | undefined, before = "") {
    this.value = value
    this.before = before
  }
}

/** A text with variables that a file has already, and that stays as it is written. */
export class AsWritten {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Value = string | number | boolean | null | Secret | AsWritten | ReadonlyArray<Value> | Draft
export interface Draft {
  readonly [field: string]: Value
}

/** An address, which is a secret when it carries one. */
export const address = (url: string): string | Secret => {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.username !== "" || parsed.password !== "" || parsed.search !== "")
    ? new Secret(url)
    : url
}

/** Headers without secret values. */
const open = new Set(["accept", "accept-language", "cache-control", "content-type", "user-agent", "pragma", "origin"])

/** Headers, the values of which are secrets unless they are known not to be. */
export const headers = (given: Readonly<Record<string, string | number | boolean>>): Draft =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const words = String(value)
      if (open.has(name.toLowerCase())) return [name, words]
      const scheme = /^(Bearer|Basic|Token) (?=\S)/i.exec(words)?.[0] ?? ""
      return [name, new Secret(words.slice(scheme.length), scheme)]
    })
  )
