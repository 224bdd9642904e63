/**
 * PATCH of SCIM (RFC 7644, section 3.5.2) on a resource in JSON. Tolerant where identity providers differ: operations in any case,
 * a value that is an object of paths, a value where a list belongs, and values to remove beside the path.
 */
import { Result, Schema } from "effect"
import { boundedText, filledText } from "./BoundedText.ts"
import { type Fields, isFields, nameIn, ScimRefused, valueIn, withoutSchema, wrong } from "./Scim.ts"
import { matches, parse, stated } from "./ScimFilter.ts"

const Operation = Schema.Struct({
  op: filledText(20),
  path: Schema.optionalKey(Schema.NullOr(boundedText(4096))),
  value: Schema.optionalKey(Schema.Unknown)
})
type Operation = typeof Operation.Type

/** The most operations of one request. */
export const maxOperations = 500

const Body = Schema.Struct({ Operations: Schema.Array(Operation).check(Schema.isBetweenLength(1, maxOperations)) })
const decodeBody = Schema.decodeUnknownResult(Body)

type Kind = "add" | "replace" | "remove"
const kinds: ReadonlyArray<Kind> = ["add", "replace", "remove"]

/** An attribute, a condition on its values, and a part of them. No name begins with an underscore. */
const form = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s

/** Attributes with several values. */
const lists = new Set(["emails", "members"])
/** Fields that the server sets. Some providers send them too. */
const ours = new Set(["id", "schemas", "meta", "groups"])

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** The key by which two values are compared, for most their `value`. */
const identityOf = (item: unknown): string => {
  const value = isFields(item) ? (valueIn(item, "value") ?? item) : item
  return typeof value === "string" ? value : JSON.stringify(value)
}

const isPrimary = (item: unknown): boolean => isFields(item) && /^true$/i.test(String(valueIn(item, "primary")))

const added = (before: ReadonlyArray<unknown>, value: unknown): ReadonlyArray<unknown> => {
  const known = new Set(before.map(identityOf))
  const fresh = listOf(value).filter((item) => !known.has(identityOf(item)))
  // One value of a list at most is the primary one.
  const kept = fresh.some(isPrimary)
    ? before.map((item) => (isFields(item) && isPrimary(item) ? { ...item, primary: false } : item))
    : before
  return [...kept, ...fresh]
}

const without = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))

const assign = (fields: Fields, name: string, kind: Kind, value: unknown): Fields => {
  const key = nameIn(fields, name) ?? name
  const before = valueIn(fields, key)
  const isList = Array.isArray(before) || lists.has(key.toLowerCase())
  if (kind === "remove") {
    if (!isList || value === undefined || value === null) return without(fields, key)
    const gone = new Set(listOf(value).map(identityOf))
    return { ...fields, [key]: listOf(before).filter((item) => !gone.has(identityOf(item))) }
  }
  if (isList) return { ...fields, [key]: kind === "add" ? added(listOf(before), value) : listOf(value) }
  return { ...fields, [key]: isFields(before) && isFields(value) ? { ...before, ...value } : value }
}

const shown = (text: string): string => text.slice(0, 200)

const refuse = (...refusal: Parameters<typeof wrong>): never => {
  throw wrong(...refusal)
}

/** Values of a list that fulfil a condition. */
const assignWhere = (
  resource: Fields,
  { condition, key, part, path }: Readonly<Record<"condition" | "key" | "path", string>> & { part: string | undefined },
  kind: Kind,
  value: unknown
): Fields => {
  const parsed = parse(condition)
  if (Result.isFailure(parsed)) return refuse("invalidPath", `The path ${shown(path)} cannot be read`)
  const filter = parsed.success
  const items = listOf(valueIn(resource, key))
  const isChosen = (item: unknown) => matches(filter, isFields(item) ? item : { value: item })
  if (kind === "remove" && part === undefined) return { ...resource, [key]: items.filter((item) => !isChosen(item)) }
  const changed = (item: unknown): unknown => {
    const fields = isFields(item) ? item : { value: item }
    if (part !== undefined) return assign(fields, part, kind, value)
    return isFields(value) ? { ...fields, ...value } : value
  }
  if (items.some(isChosen)) return { ...resource, [key]: items.map((item) => (isChosen(item) ? changed(item) : item)) }
  if (kind === "remove") return resource
  // Entra ID replaces addresses that were never added: the condition says what the new one is.
  const fresh = stated(filter)
  if (Object.keys(fresh).length === 0) return refuse("noTarget", `Nothing is at the path ${shown(path)}`)
  return { ...resource, [key]: [...items, changed(fresh)] }
}

const applyAt = (resource: Fields, path: string, kind: Kind, value: unknown, isNamed: boolean): Fields => {
  const own = withoutSchema(path.trim())
  // Attributes of extensions are not kept.
  if (own === undefined) return resource
  // The standard's own schema, with attributes in it.
  if (own === "") return applyAll(resource, kind, value)
  const match = form.exec(own)
  if (match === null) return refuse("invalidPath", `The path ${shown(path)} cannot be read`)
  const [, name = "", condition, part] = match
  if (ours.has(name.toLowerCase()))
    return isNamed ? refuse("mutability", `The attribute ${shown(name)} cannot be changed`) : resource
  const key = nameIn(resource, name) ?? name
  if (condition !== undefined) return assignWhere(resource, { condition, key, part, path }, kind, value)
  if (part === undefined) return assign(resource, key, kind, value)
  const inner = valueIn(resource, key)
  if (Array.isArray(inner))
    return {
      ...resource,
      [key]: inner.map((item) => assign(isFields(item) ? item : { value: item }, part, kind, value))
    }
  return { ...resource, [key]: assign(isFields(inner) ? inner : {}, part, kind, value) }
}

/** Applies an object that has paths as names. */
const applyAll = (resource: Fields, kind: Kind, value: unknown): Fields => {
  if (!isFields(value)) return refuse("invalidValue", "Without a path, the value has to be an object of attributes")
  return Object.entries(value).reduce((changed, [path, each]) => applyAt(changed, path, kind, each, false), resource)
}

const applyOne = (resource: Fields, { op, path, value }: Operation): Fields => {
  const kind = kinds.find((one) => one === op.toLowerCase())
  if (kind === undefined) return refuse("invalidSyntax", `There is no operation ${shown(op)}`)
  if (kind !== "remove" && value === undefined) return refuse("invalidValue", `The operation ${kind} needs a value`)
  if (path !== undefined && path !== null && path.trim() !== "") return applyAt(resource, path, kind, value, true)
  return kind === "remove" ? refuse("noTarget", "The operation remove needs a path") : applyAll(resource, kind, value)
}

/** The resource with all operations applied in order; or why one of them cannot be, and then none is. */
export const apply = (resource: Fields, body: unknown): Result.Result<Fields, ScimRefused> => {
  const decoded = decodeBody(isFields(body) ? { Operations: valueIn(body, "Operations") } : body)
  if (Result.isFailure(decoded))
    return Result.fail(
      wrong("invalidSyntax", `Expected Operations: a list of at most ${maxOperations} objects with op, path and value`)
    )
  try {
    return Result.succeed(decoded.success.Operations.reduce(applyOne, resource))
  } catch (error) {
    if (error instanceof ScimRefused) return Result.fail(error)
    throw error
  }
}
