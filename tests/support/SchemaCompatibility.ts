/**
 * Whether consumers of one JSON Schema can handle another: everything the new one sends is allowed by the old one, and
 * nothing they rely on is missing. Supports the keywords of the published schemas; other keywords must not change.
 */
import { isDeepStrictEqual } from "node:util"

export interface JsonSchema {
  readonly type?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  /** Current values of a growing enumeration. */
  readonly "x-extensible-enum"?: ReadonlyArray<unknown>
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Breakage {
  /** For example `failure.code`; empty for the whole. */
  readonly path: string
  readonly what: string
}

type Breakages = ReadonlyArray<Breakage>

const structure = "type anyOf properties required additionalProperties items"
const restrictions = "enum const x-extensible-enum pattern format minimum maximum minLength maxLength"
const known = new Set(`${structure} ${restrictions}`.split(" "))

/** Breaking changes for consumers of `before` when `after` is sent. */
export const breakages = (before: JsonSchema, after: JsonSchema, path = ""): Breakages => {
  const [were, are] = [alternatives(before), alternatives(after)]
  const [kindsBefore, kindsAfter] = [kinds(were), kinds(are)]
  const gone = kindsBefore.filter((kind) => !kindsAfter.includes(kind))
  const come = kindsAfter.filter((kind) => !kindsBefore.includes(kind))
  if (gone.length > 0 || come.length > 0)
    return [{ path, what: `was ${kindsBefore.join(" or ")}, and is ${kindsAfter.join(" or ")}` }]
  return kindsBefore.flatMap((kind) => {
    const one = were.filter((schema) => kindOf(schema) === kind)
    const other = are.filter((schema) => kindOf(schema) === kind)
    if (one.length === 1 && other.length === 1) return ofKind(one[0]!, other[0]!, path)
    // Alternatives of one kind cannot be told apart: each needs an equivalent on the other side.
    const like = (was: JsonSchema, is: JsonSchema) => ofKind(was, is, path).length === 0
    return one.every((was) => other.some((is) => like(was, is))) &&
      other.every((is) => one.some((was) => like(was, is)))
      ? []
      : [{ path, what: `one of several forms of ${kind} has changed` }]
  })
}

const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> => schema.anyOf?.flatMap(alternatives) ?? [schema]

const kindOf = ({ type }: JsonSchema): string => type ?? "anything"

const kinds = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<string> => [...new Set(schemas.map(kindOf))].sort()

const ofKind = (before: JsonSchema, after: JsonSchema, path: string): Breakages => [
  ...words(before, after, path),
  ...limits(before, after, path),
  ...fields(before, after, path),
  ...items(before, after, path),
  ...unknownKeywords(before, after, path)
]

const wordsOf = (schema: JsonSchema): ReadonlyArray<unknown> | undefined =>
  "const" in schema ? [schema.const] : (schema.enum ?? schema["x-extensible-enum"])

const isGrowing = (schema: JsonSchema): boolean => !("const" in schema) && schema.enum === undefined

/** Announced values stay in use. New values require a growing enumeration. */
const words = (before: JsonSchema, after: JsonSchema, path: string): Breakages => {
  const [were, are] = [wordsOf(before), wordsOf(after)]
  if (were === undefined) return []
  if (are === undefined) return [{ path, what: "had a list of values, and has none" }]
  const missing = (from: ReadonlyArray<unknown>, list: ReadonlyArray<unknown>) =>
    list.filter((word) => !from.some((other) => isDeepStrictEqual(word, other)))
  const gone = missing(are, were).map((word) => ({ path, what: `the value ${JSON.stringify(word)} is gone` }))
  if (isGrowing(before)) return gone
  const come = missing(were, are).map((word) => ({ path, what: `the value ${JSON.stringify(word)} is new` }))
  return [...gone, ...come, ...(isGrowing(after) ? [{ path, what: "the list of values was closed, and is open" }] : [])]
}

/** Limits may become narrower, never wider. Patterns and formats cannot be compared: they must stay, or be new. */
const limits = (before: JsonSchema, after: JsonSchema, path: string): Breakages => [
  ...(["pattern", "format"] as const).flatMap((keyword) =>
    before[keyword] === undefined || before[keyword] === after[keyword]
      ? []
      : [{ path, what: `the ${keyword} was ${before[keyword]}, and is ${after[keyword] ?? "gone"}` }]
  ),
  ...(["minimum", "minLength"] as const).flatMap((keyword) =>
    before[keyword] === undefined || (after[keyword] ?? Number.NEGATIVE_INFINITY) >= before[keyword]
      ? []
      : [{ path, what: `the ${keyword} was ${before[keyword]}, and is ${after[keyword] ?? "gone"}` }]
  ),
  ...(["maximum", "maxLength"] as const).flatMap((keyword) =>
    before[keyword] === undefined || (after[keyword] ?? Number.POSITIVE_INFINITY) <= before[keyword]
      ? []
      : [{ path, what: `the ${keyword} was ${before[keyword]}, and is ${after[keyword] ?? "gone"}` }]
  )
]

const fields = (before: JsonSchema, after: JsonSchema, path: string): Breakages => {
  const [were, are] = [before.properties ?? {}, after.properties ?? {}]
  const at = (name: string) => (path === "" ? name : `${path}.${name}`)
  const others = before.additionalProperties ?? true
  return [
    ...Object.entries(were).flatMap(([name, was]) => {
      const is = own(are, name)
      return is === undefined ? [{ path: at(name), what: "is gone" }] : breakages(was, is, at(name))
    }),
    ...(before.required ?? [])
      .filter((name) => !(after.required ?? []).includes(name) && own(are, name) !== undefined)
      .map((name) => ({ path: at(name), what: "was always there, and may be absent" })),
    ...Object.entries(are)
      .filter(([name]) => own(were, name) === undefined)
      .flatMap(([name, is]) => otherField(others, is, at(name))),
    ...otherField(others, after.additionalProperties ?? true, at("*"))
  ]
}

/** A field may have the name of an object method. */
const own = <A>(record: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Fields without a schema of their own. */
const otherField = (before: boolean | JsonSchema, after: boolean | JsonSchema, path: string): Breakages => {
  if (before === true || isDeepStrictEqual(before, after)) return []
  if (before === false) return after === false ? [] : [{ path, what: "is new where nothing new was to be expected" }]
  if (typeof after === "boolean") return [{ path, what: `had a schema, and is ${after ? "anything" : "gone"}` }]
  return breakages(before, after, path)
}

const items = (before: JsonSchema, after: JsonSchema, path: string): Breakages => {
  if (before.items === undefined) return []
  if (after.items === undefined) return [{ path: `${path}[]`, what: "had a schema, and is anything" }]
  return breakages(before.items, after.items, `${path}[]`)
}

const unknownKeywords = (before: JsonSchema, after: JsonSchema, path: string): Breakages =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((keyword) => !known.has(keyword))
    .filter((keyword) => !isDeepStrictEqual(before[keyword as never], after[keyword as never]))
    .map((keyword) => ({ path, what: `${keyword} has changed and cannot be compared` }))
