/**
 * Examines what users write for other machines to read: patterns, JSONPaths, the client's key. One is cheap, thousands are not,
 * so this is loaded in the evaluator's processes, and imports nothing from the host.
 */
import { extname } from "node:path"
import * as ClientKey from "./ClientKey.ts"
import * as ExactNumber from "./ExactNumber.ts"
import * as JsonQuery from "./JsonQuery.ts"
import * as Pattern from "./Pattern.ts"

/** The evaluator loads this module by its URL; compiled, it is a file of its own beside those that use it. */
export const url = new URL(`./Expressions${extname(import.meta.url)}`, import.meta.url).href

interface Written {
  readonly path: string
  readonly text: string
}

/** The expressions of one monitor to examine. */
export interface Expressions {
  readonly patterns: ReadonlyArray<Written>
  readonly queries: ReadonlyArray<Written>
  readonly identity?: ClientKey.ClientIdentity
  /** Expected values with a number that was rounded when the request was read. */
  readonly rounded: ReadonlyArray<string>
}

type Fields = Readonly<Record<string, unknown>>

const maxLength = 2000
const maxAssertions = 20

/** The expressions to examine; undefined for none. Fields with a wrong form are left to the schema. */
export const of = (fields: Fields): Expressions | undefined => {
  const { bodyMatches, clientCertificate: cert, clientKey: key, clientKeyPassphrase: passphrase, jsonPath } = fields
  const [json, headers] = [assertionsIn(fields, "jsonAssertions"), assertionsIn(fields, "headerAssertions")]
  const patterns = [
    { path: "bodyMatches", text: bodyMatches },
    ...[...json, ...headers].flatMap(({ assertion, path }) =>
      assertion["operator"] === "matches" ? [{ path: `${path}.value`, text: assertion["value"] }] : []
    )
  ].filter(isWritten)
  const queries = [
    { path: "jsonPath", text: jsonPath },
    ...json.map(({ assertion, path }) => ({ path: `${path}.jsonPath`, text: assertion["jsonPath"] }))
  ].filter(isWritten)
  const identity =
    typeof cert === "string" && typeof key === "string" && cert.length <= 65_536 && key.length <= 16_384
      ? { cert, key, ...(typeof passphrase === "string" && passphrase.length <= 1024 ? { passphrase } : {}) }
      : undefined
  const rounded = [
    ...(ExactNumber.hasRounded(fields["jsonEquals"]) ? ["jsonEquals"] : []),
    ...json.flatMap(({ assertion, path }) =>
      assertion["operator"] !== undefined &&
      ["equals", "notEquals", "contains", "notContains"].includes(String(assertion["operator"])) &&
      ExactNumber.hasRounded(assertion["value"])
        ? [`${path}.value`]
        : []
    )
  ]
  return patterns.length + queries.length + rounded.length === 0 && identity === undefined
    ? undefined
    : { patterns, queries, rounded, ...(identity === undefined ? {} : { identity }) }
}

const isWritten = (one: { readonly path: string; readonly text: unknown }): one is Written =>
  typeof one.text === "string" && one.text.length <= maxLength

const assertionsIn = (fields: Fields, field: string) => {
  const list = fields[field]
  return (Array.isArray(list) ? list.slice(0, maxAssertions) : []).flatMap((assertion: unknown, index) =>
    typeof assertion === "object" && assertion !== null
      ? [{ assertion: assertion as Fields, path: `${field}[${index}]` }]
      : []
  )
}

interface Problem {
  readonly path: string
  readonly message: string
}

/** The fields of each monitor that cannot be used. */
export const examine = (all: ReadonlyArray<Expressions>): ReadonlyArray<ReadonlyArray<Problem>> =>
  all.map(({ identity, patterns, queries, rounded }) => [
    ...patterns.flatMap(unless("a regular expression in RE2 syntax", Pattern.compile)),
    ...queries.flatMap(unless("a JSONPath (RFC 9535)", JsonQuery.compile)),
    ...rounded.map((path) => ({
      path,
      message: "Write numbers above 9007199254740991 as texts, which are compared digit by digit: JSON rounds them"
    })),
    ...(identity === undefined ? [] : identityProblem(identity))
  ])

const unless =
  (what: string, compile: (text: string) => unknown) =>
  ({ path, text }: Written): ReadonlyArray<Problem> => {
    try {
      compile(text)
      return []
    } catch (error) {
      return [{ path, message: `Expected ${what}: ${(error as Error).message}` }]
    }
  }

const identityProblem = (identity: ClientKey.ClientIdentity): ReadonlyArray<Problem> => {
  const opened = ClientKey.open(identity)
  return opened._tag === "Problem" ? [{ path: opened.path, message: opened.message }] : []
}
