/** References to monitors, channels and rules: keys, which must be in the same files. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { DisplayGroup } from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import type { Fields, Kind } from "./Resource.ts"
import { didYouMean } from "@kanmon/domain/Suggestion"

export type Keys = Readonly<Record<"monitor" | "channel" | "rule", ReadonlyArray<string>>>

/** A monitor on a status page, as files name it. */
export const Shown = Schema.Struct({ monitor: Schema.String, group: Schema.NullOr(Schema.String) })
export type Shown = typeof Shown.Type

/** Expands the short form of a page's monitors, a key alone. Anything but a list is returned unchanged, and rejected later. */
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

/** Checks the references of a resource. */
export const references = (kind: Kind, fields: Fields, keys: Keys): ReadonlyArray<FieldError> => {
  if (kind === "rule")
    return [
      ...listed("monitors", fields["monitors"], (item, path) => named("monitor", item, path, keys)),
      ...listed("channels", fields["channels"], (item, path) => named("channel", item, path, keys))
    ]
  if (kind === "integration") return named("rule", fields["rule"], "rule", keys)
  if (kind === "monitor")
    return listed("dependsOn", fields["dependsOn"] ?? [], (item, path) => named("monitor", item, path, keys))
  if (kind === "maintenance")
    return listed("monitors", fields["monitors"], (item, path) => named("monitor", item, path, keys))
  return kind === "page" ? listed("monitors", fields["monitors"], (item, path) => shown(item, path, keys)) : []
}

const maxReferences = 1000

const listed = (
  path: string,
  list: unknown,
  check: (item: unknown, path: string) => ReadonlyArray<FieldError>
): ReadonlyArray<FieldError> => {
  if (!Array.isArray(list)) return [{ path, message: "Expected a list of keys" }]
  if (list.length > maxReferences) return [{ path, message: `Expected at most ${maxReferences}` }]
  const seen = new Set<string>()
  return list.flatMap((item: unknown, index) => {
    const at = `${path}[${index}]`
    const problems = check(item, at)
    const name = typeof item === "string" ? item : String((item as Shown | null)?.monitor)
    if (problems.length === 0 && seen.has(name))
      return [{ path: at, message: `${name} is already in the list; remove this entry` }]
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
