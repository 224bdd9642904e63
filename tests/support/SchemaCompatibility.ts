/**
 * Whether readers who were told of one JSON Schema can live with another: whatever is sent by the new one is what the old one
 * allows, and nothing that they may wait for is gone. It knows the part of JSON Schema that the published schemas use; a
 * keyword that it does not know must stay as it is.
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
  /** Words of today; there will be more. */
  readonly "x-extensible-enum"?: ReadonlyArray<unknown>
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Breakage {
  /** Where, for example `failure.code`; empty for the whole. */
  readonly path: string
  readonly what: string
}

type Breakages = ReadonlyArray<Breakage>

const structure = "type anyOf properties required additionalProperties items"
const restrictions = "enum const x-extensible-enum pattern format minimum maximum minLength maxLength"
const known = new Set(`${structure} ${restrictions}`.split(" "))

/** What breaks for readers of `before` when `after` is sent; nothing when they need not know of the change. */
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
    // Several of a kind cannot be told apart: each must have its like on the other side.
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

/** Words that were announced go on being used. More of them are told only to readers who were told to expect more. */
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

/** Limits may become narrower, never wider. Patterns and formats cannot be compared: they stay, or are new. */
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

/** Names of fields may be those of an object's own methods. */
const own = <A>(record: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Of fields that have no schema of their own. */
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
    .map((keyword) => ({ path, what: `${keyword} has changed, which nobody here can judge` }))
