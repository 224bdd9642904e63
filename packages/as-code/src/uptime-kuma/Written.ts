/** Entries as they are written to a file: secrets become variables, and what looks like a variable is marked as text. */
import { type Draft, Secret, type Value } from "./Draft.ts"

/** A secret that the file names. */
export interface Variable {
  readonly name: string
  readonly value: string
  /** Where it is used: `channel ops, config.botToken`. */
  readonly place: string
}

type Plain = string | number | boolean | null | ReadonlyArray<Plain> | { readonly [field: string]: Plain }

/** Collects the variables of a file. */
export class Written {
  readonly #variables = new Map<string, Variable>()

  get variables(): ReadonlyArray<Variable> {
    return [...this.#variables.values()]
  }

  entry(kind: string, key: string, draft: Draft): Plain {
    return this.#plain(kind, key, [], draft)
  }

  #plain(kind: string, key: string, path: ReadonlyArray<string>, value: Value): Plain {
    if (value instanceof Secret) return `${marked(value.before)}\${${this.#variable(kind, key, path, value.value)}}`
    if (typeof value === "string") return marked(value)
    if (isList(value)) return value.map((item, index) => this.#plain(kind, key, [...path, String(index)], item))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, this.#plain(kind, key, [...path, field], inner)])
    )
  }

  #variable(kind: string, key: string, path: ReadonlyArray<string>, value: string): string {
    const named = [kind, key, ...path.filter((part) => part !== "config" && part !== "headers")]
      .join("_")
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replaceAll(/[^A-Za-z0-9]+/g, "_")
      .toUpperCase()
    let name = named
    for (let count = 2; this.#variables.has(name); count++) name = `${named}_${count}`
    this.#variables.set(name, { name, value, place: `${kind} ${key}, ${path.join(".")}` })
    return name
  }
}

const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

const marked = (text: string): string => text.replaceAll("${", () => "$${")

/** Lines that a shell reads (`set -a; . ./kanmon.env`). */
export const environmentFile = (variables: ReadonlyArray<Variable>): string =>
  variables
    .map(({ name, place, value }) => `# ${place}\n${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join("")
