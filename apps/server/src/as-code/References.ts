/** What rules and pages say of monitors and channels: lists of keys, which have to be in the same files. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { DisplayGroup } from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import type { Fields, Kind } from "./Resource.ts"
import { didYouMean } from "./Suggestion.ts"

export type Keys = Readonly<Record<"monitor" | "channel", ReadonlyArray<string>>>

/** A monitor as a page shows it, in a file's words. */
export interface Shown {
  readonly monitor: string
  readonly group: string | null
}

/** A page's list with the short form, a key alone, written out. What is no list stays what it is, to be refused. */
export const monitorsShown = (monitors: unknown): Schema.Json =>
  (Array.isArray(monitors)
    ? monitors.map((item: unknown) =>
        typeof item === "string"
          ? { monitor: item, group: null }
          : typeof item === "object" && item !== null && !Array.isArray(item)
            ? { group: null, ...item }
            : item
      )
    : monitors) as Schema.Json

/** What is wrong with the references of a resource whose other fields are good. */
export const references = (kind: Kind, fields: Fields, keys: Keys): ReadonlyArray<FieldError> => {
  if (kind === "rule")
    return [
      ...listed("monitors", fields["monitors"], (item, path) => named("monitor", item, path, keys)),
      ...listed("channels", fields["channels"], (item, path) => named("channel", item, path, keys))
    ]
  return kind === "page" ? listed("monitors", fields["monitors"], (item, path) => shown(item, path, keys)) : []
}

const most = 1000

const listed = (
  path: string,
  list: unknown,
  check: (item: unknown, path: string) => ReadonlyArray<FieldError>
): ReadonlyArray<FieldError> => {
  if (!Array.isArray(list)) return [{ path, message: "Expected a list of keys" }]
  if (list.length > most) return [{ path, message: `Expected at most ${most}` }]
  const seen = new Set<string>()
  return list.flatMap((item: unknown, index) => {
    const at = `${path}[${index}]`
    const problems = check(item, at)
    const name = typeof item === "string" ? item : String((item as Shown | null)?.monitor)
    if (problems.length === 0 && seen.has(name))
      return [{ path: at, message: `Expected ${name} once; leave this one out` }]
    seen.add(name)
    return problems
  })
}

const named = (what: keyof Keys, item: unknown, path: string, keys: Keys): ReadonlyArray<FieldError> => {
  if (typeof item !== "string") return [{ path, message: `Expected the key of a ${what}` }]
  if (keys[what].includes(item)) return []
  return [{ path, message: `There is no ${what} ${item} in these files${didYouMean(item, keys[what])}` }]
}

const isGroup = Schema.is(Schema.NullOr(DisplayGroup))

const shown = (item: unknown, path: string, keys: Keys): ReadonlyArray<FieldError> => {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return [{ path, message: "Expected the key of a monitor, or monitor and group" }]
  const { group, monitor, ...rest } = item as Readonly<Record<string, unknown>>
  return [
    ...Object.keys(rest).map((field) => ({ path: `${path}.${field}`, message: "Unknown field" })),
    ...named("monitor", monitor, `${path}.monitor`, keys),
    ...(isGroup(group)
      ? []
      : [{ path: `${path}.group`, message: "Expected 1 to 100 characters, without control characters" }])
  ]
}
