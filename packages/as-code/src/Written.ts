/** Entries as they are written to a file: secrets become variables, and what looks like a variable is marked as text. */
import { AsWritten, type Draft, Secret, type Value } from "./Secret.ts"

/** A secret that the file names. */
export interface Variable {
  readonly name: string
  /** Undefined where it is not known. */
  readonly value: string | undefined
  /** Where it is used: `channel ops, config.botToken`. */
  readonly place: string
}

export type Plain = string | number | boolean | null | ReadonlyArray<Plain> | { readonly [field: string]: Plain }

/** Collects the variables of a file. */
export class Written {
  readonly #variables = new Map<string, Variable>()
  readonly #taken: ReadonlySet<string>

  /** `taken`: names that mean something else already. */
  constructor(taken: ReadonlySet<string> = new Set()) {
    this.#taken = taken
  }

  get variables(): ReadonlyArray<Variable> {
    return [...this.#variables.values()]
  }

  entry(kind: string, key: string, draft: Draft): Plain {
    return this.#plain(kind, key, [], draft)
  }

  /** One field of an entry, which is at this path in it. */
  field(kind: string, key: string, path: ReadonlyArray<string>, value: Value): Plain {
    return this.#plain(kind, key, path, value)
  }

  #plain(kind: string, key: string, path: ReadonlyArray<string>, value: Value): Plain {
    if (value instanceof Secret) return `${marked(value.before)}\${${this.#variable(kind, key, path, value.value)}}`
    if (value instanceof AsWritten) return value.text
    if (typeof value === "string") return marked(value)
    if (isList(value)) return value.map((item, index) => this.#plain(kind, key, [...path, String(index)], item))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, this.#plain(kind, key, [...path, field], inner)])
    )
  }

  #variable(kind: string, key: string, path: ReadonlyArray<string>, value: string | undefined): string {
    const named = [kind, key, ...path.filter((part) => part !== "config" && part !== "headers")]
      .join("_")
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replaceAll(/[^A-Za-z0-9]+/g, "_")
      .toUpperCase()
    let name = named
    for (let count = 2; this.#variables.has(name) || this.#taken.has(name); count++) name = `${named}_${count}`
    this.#variables.set(name, { name, value, place: `${kind} ${key}, ${path.join(".")}` })
    return name
  }
}

const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

const marked = (text: string): string => text.replaceAll("${", () => "$${")

/** Lines that a shell reads (`set -a; . ./kanmon.env`). */
export const environmentFile = (variables: ReadonlyArray<Variable>): string =>
  variables
    .map(({ name, place, value }) =>
      value === undefined
        ? `# ${place}: the server does not return it. Fill it in, and remove the #.\n#${name}=''\n`
        : `# ${place}\n${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`
    )
    .join("")

/** Advice for a secrets file that lies beside files under version control. */
export const keptOut = (secretsFile: string): string =>
  `${secretsFile} contains secrets: keep it out of version control, with a line in .gitignore.`
