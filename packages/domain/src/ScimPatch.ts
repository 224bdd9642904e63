/**
 * PATCH of SCIM (RFC 7644, section 3.5.2) on a resource in JSON. Tolerant where identity providers differ: operations in any case, a
 * value that is an object of paths, and booleans as text.
 */
import { Schema } from "effect"
import { matches, parse } from "./ScimFilter.ts"

type Fields = Record<string, unknown>

const Operation = Schema.Struct({
  op: Schema.String,
  path: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Unknown)
})

/** The body of a PATCH. */
export const ScimPatch = Schema.Struct({
  schemas: Schema.optionalKey(Schema.Array(Schema.String)),
  Operations: Schema.Array(Operation).check(Schema.isMaxLength(1000))
})
export type ScimPatch = typeof ScimPatch.Type

/** What is wrong with an operation, by SCIM's own names. */
export class ScimPatchFailed extends Schema.TaggedError<ScimPatchFailed>()("ScimPatchFailed", {
  scimType: Schema.Literals(["invalidPath", "invalidValue", "invalidSyntax", "noTarget"]),
  detail: Schema.String
}) {}

const path = /^(?:urn:[\w:.-]+:)?([A-Za-z$][\w$-]*)(?:\[(.+)\])?(?:\.([A-Za-z$][\w$-]*))?$/

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const keyIn = (fields: Fields, name: string): string =>
  Object.keys(fields).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : value === undefined ? [] : [value])

const same = (one: unknown, other: unknown): boolean => {
  const key = (value: unknown) => (isFields(value) && "value" in value ? value["value"] : value)
  return JSON.stringify(key(one)) === JSON.stringify(key(other))
}

const added = (before: unknown, value: unknown): unknown => {
  if (!Array.isArray(before)) return isFields(before) && isFields(value) ? { ...before, ...value } : value
  const fresh = listOf(value).filter((one) => !before.some((item) => same(item, one)))
  // At most one value of a list is the primary one.
  const keepsPrimary = !fresh.some((one) => isFields(one) && one["primary"] === true)
  return [...before.map((item) => (keepsPrimary || !isFields(item) ? item : { ...item, primary: false })), ...fresh]
}

const without = (fields: Fields, key: string): Fields => {
  const { [key]: _, ...rest } = fields
  return rest
}

type Kind = "add" | "replace" | "remove"

const assign = (fields: Fields, name: string, kind: Kind, value: unknown): Fields => {
  const key = keyIn(fields, name)
  if (kind === "remove") {
    // Some providers name the values to remove instead of a filter.
    if (Array.isArray(fields[key]) && value !== undefined)
      return { ...fields, [key]: fields[key].filter((item) => !listOf(value).some((gone) => same(item, gone))) }
    return without(fields, key)
  }
  return { ...fields, [key]: kind === "add" ? added(fields[key], value) : value }
}

const applyOne = (resource: Fields, { op, path: named, value }: typeof Operation.Type): Fields => {
  const kind = op.toLowerCase()
  if (kind !== "add" && kind !== "replace" && kind !== "remove")
    throw new ScimPatchFailed({ scimType: "invalidSyntax", detail: `There is no operation ${op.slice(0, 40)}` })
  if (named === undefined || named === "") {
    if (kind === "remove") throw new ScimPatchFailed({ scimType: "noTarget", detail: "remove needs a path" })
    if (!isFields(value))
      throw new ScimPatchFailed({ scimType: "invalidValue", detail: "Without a path, the value is an object" })
    return Object.entries(value).reduce(
      (changed, [path, each]) => applyOne(changed, { op, path, value: each }),
      resource
    )
  }
  const match = path.exec(named)
  if (match === null)
    // Attributes of extensions are not kept.
    return /^urn:/.test(named) ? resource : fail(named)
  const [, name = "", condition, part] = match
  const key = keyIn(resource, name)
  if (condition === undefined) {
    if (part === undefined) return assign(resource, name, kind, value)
    const inner = resource[key]
    return { ...resource, [key]: assign(isFields(inner) ? inner : {}, part, kind, value) }
  }
  const filter = parse(condition)
  if (filter === undefined) return fail(named)
  const items = listOf(resource[key])
  const chosen = items.filter((item) => matches(filter, item))
  if (kind === "remove" && part === undefined)
    return { ...resource, [key]: items.filter((item) => !chosen.includes(item)) }
  const changed = (item: unknown): unknown => {
    const fields = isFields(item) ? item : { value: item }
    if (part !== undefined) return assign(fields, part, kind, value)
    return isFields(value) ? { ...fields, ...value } : value
  }
  if (chosen.length === 0) {
    if (kind === "remove") return resource
    // Entra ID replaces addresses that were never added: the filter says what the new one is.
    const only = filter.length === 1 ? filter[0]! : []
    const base = Object.fromEntries(only.flatMap(({ path, value }) => (value === undefined ? [] : [[path, value]])))
    return { ...resource, [key]: [...items, changed(base)] }
  }
  return { ...resource, [key]: items.map((item) => (chosen.includes(item) ? changed(item) : item)) }
}

const fail = (path: string): never => {
  throw new ScimPatchFailed({ scimType: "invalidPath", detail: `The path ${path.slice(0, 200)} cannot be read` })
}

/** The resource with all operations applied in order. Throws `ScimPatchFailed`; then nothing has changed. */
export const apply = (resource: Readonly<Fields>, { Operations }: ScimPatch): Readonly<Fields> =>
  Operations.reduce<Fields>(applyOne, { ...resource })
