/** The change in an audit entry: the fields that differ, with bounded size. */
import { Schema } from "effect"

type Fields = Schema.JsonObject

/** A record before and after a change. Null: it did not exist. */
export interface AuditChange {
  readonly before: Fields | null
  readonly after: Fields | null
}

const isSame = Schema.toEquivalence(Schema.Json)

const only = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))

/** The fields that a change changed; everything when the record was created or deleted. */
export const differing = ({ after, before }: AuditChange): AuditChange => {
  if (before === null || after === null) return { before, after }
  const names = new Set(
    Object.keys({ ...before, ...after }).filter((name) => {
      const [old, now] = [before[name], after[name]]
      return old === undefined || now === undefined ? old !== now : !isSame(old, now)
    })
  )
  return { before: only(before, names), after: only(after, names) }
}

/** Characters of one text. */
const maxText = 1000
/** Items of a list, and fields of an object below the first level. */
const maxItems = 100
/** Levels of nesting. */
const maxDepth = 5
/** Characters of the JSON of one side. */
export const maxSide = 16_384

const cut = (value: Schema.Json, depth: number): Schema.Json => {
  if (typeof value === "string") return value.length <= maxText ? value : `${value.slice(0, maxText).toWellFormed()}…`
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return "…"
  if (isList(value)) {
    const items = value.slice(0, maxItems).map((item) => cut(item, depth - 1))
    return value.length > maxItems ? [...items, `… and ${value.length - maxItems} more`] : items
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([name, inner]) => [name, cut(inner, depth - 1)])
  )
}

const isList = (value: Schema.Json): value is ReadonlyArray<Schema.Json> => Array.isArray(value)

/** Cuts what is long, and leaves fields out that then still do not fit, which `…` names. */
export const bounded = (fields: Fields): Fields => {
  const kept: Record<string, Schema.Json> = {}
  const left: Array<string> = []
  let size = 2
  // Room for the names of what is left out.
  const room = maxSide - 2048
  for (const [name, value] of Object.entries(fields)) {
    const short = cut(value, maxDepth)
    const length = JSON.stringify({ [name]: short }).length
    if (size + length > room) left.push(name)
    else {
      size += length
      kept[name] = short
    }
  }
  return left.length === 0
    ? kept
    : { ...kept, "…": `Not recorded for their size: ${left.join(", ")}`.slice(0, maxText) }
}
