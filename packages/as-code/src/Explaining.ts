/** Messages about a wrong value in a file: what to write instead. Pure. */
import type { Json } from "@kanmon/protocol/JsonSchema"
import { didYouMean } from "@kanmon/domain/Suggestion"

/** Letters of a value for which a similar choice is looked for. */
const longest = 64

/** The message of the API about a value, with what to write instead. `schemasOf` are those that it may have to fit; `hint` follows a list of choices. */
export const explained = (message: string, given: unknown, schemasOf: () => ReadonlyArray<Json>, hint = ""): string => {
  const [, expected, orNull = ""] =
    /^Expected (string|number|an integer|boolean|array|object)( \| null)?$/.exec(message) ?? []
  const otherwise = orNull === "" ? "" : " or null"
  const nothing =
    given === null || given === undefined ? ", and nothing is written here: write it, or remove the field" : ""
  switch (expected) {
    case undefined:
      return `${message}${hint}${meant(message, given)}`
    case "number":
    case "an integer":
      return ofNumber(schemasOf(), otherwise)
    case "string":
      return `Expected a text${otherwise}${["number", "boolean"].includes(typeof given) ? ": put it in quotation marks" : nothing}`
    case "boolean":
      return `Expected true or false${otherwise}${nothing}`
    case "array":
      return `Expected a list such as [a, b]${otherwise}${nothing}`
    default:
      return `Expected fields with values${otherwise}${nothing}`
  }
}

/** The choice that was probably meant. */
const meant = (message: string, given: unknown): string => {
  if (typeof given !== "string" || given.length > longest) return ""
  const [, list] = /^Expected one of ([^;]+)/.exec(message) ?? []
  const quoted = message.startsWith('Expected "')
    ? [...message.matchAll(/"([^"]*)"/g)].map(([, choice]) => choice!)
    : []
  return didYouMean(given, list?.split(", ") ?? quoted)
}

const ofNumber = (schemas: ReadonlyArray<Json>, otherwise: string): string =>
  `Expected ${number(schemas)}${otherwise}${meaning(schemas)}`

/** The bounds and an example of a number. */
const number = (schemas: ReadonlyArray<Json>): string => {
  const schema = schemas.find(({ type }) => type === "integer" || type === "number") ?? {}
  const { maximum, minimum } = schema
  const kind = schema["type"] === "integer" ? "a whole number" : "a number"
  const usual = schemas.map((one) => one["default"]).find((value) => typeof value === "number")
  const bounds = [
    ...(typeof minimum === "number" ? [` from ${minimum}`] : []),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? [` to ${maximum}`] : [])
  ]
  const example = usual ?? (typeof minimum === "number" ? minimum : undefined)
  return `${kind}${bounds.join("")}${example === undefined ? "" : `, such as ${example}`}`
}

/** The first clause of the description, which says the unit. */
const meaning = (schemas: ReadonlyArray<Json>): string => {
  const words = schemas.map(({ description }) => description).find((text) => typeof text === "string")
  const clause = typeof words === "string" ? /^[^.;:,(]*/.exec(words.slice(0, 200))![0].trim() : ""
  return clause === "" ? "" : ` (${clause.slice(0, 1).toLowerCase()}${clause.slice(1)})`
}
