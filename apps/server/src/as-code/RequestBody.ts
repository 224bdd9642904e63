/** Steps in the words of the API: its field names, and ids in the place of keys. */
import type { Schema } from "effect"
import type { Change } from "./Plan.ts"
import type { Shown } from "./References.ts"
import type { Kind, Wanted } from "./Resource.ts"

/** Ids of resources by their names (`monitor shop`). */
export type Ids = ReadonlyMap<string, string>

type Part = readonly [field: string, value: Schema.Json | undefined]

/** All of a resource, to make it. */
export const whole = ({ fields, key, kind }: Wanted, ids: Ids): Schema.JsonObject => ({
  key,
  ...body(kind, Object.entries(fields), ids)
})

/** What has changed; null takes away what is not wanted any more. */
export const change = (
  { fields, kind, masked }: Wanted,
  changes: ReadonlyArray<Pick<Change, "field" | "to">>,
  ids: Ids
): Schema.JsonObject => {
  const changed = changes.map(({ field, to }): Part => [field, to])
  const has = (field: string): boolean => changes.some((one) => one.field === field)
  // Another interval would take along a timeout that looks like a default; this one is wanted.
  if (kind === "monitor" && has("interval") && !has("timeout")) changed.push(["timeout", fields["timeout"]])
  // Of another type's configuration nothing is kept.
  if (kind === "channel" && has("type")) return body(kind, Object.entries(fields), ids)
  // Secrets go along: under a changed destination, stored ones are refused.
  if (changes.some(({ field }) => field.startsWith("config.")))
    for (const field of masked) if (!has(field) && field in fields) changed.push([field, fields[field]])
  return body(kind, changed, ids)
}

/** A field that the API complains about, in the words of files. */
export const inFile = (path: string): string =>
  path
    .replace(/^(monitor|channel)Ids(?=$|\[)/, "$1s")
    .replace(/^(monitors\[\d+\])\.monitorId$/, "$1.monitor")
    .replace(/^(monitors\[\d+\])\.displayGroup$/, "$1.group")

const body = (kind: Kind, parts: ReadonlyArray<Part>, ids: Ids): Schema.JsonObject => {
  const result: Record<string, Schema.Json> = {}
  const config: Record<string, Schema.Json> = {}
  for (const [field, value = null] of parts) {
    if (kind === "channel" && field.startsWith("config.")) config[field.slice("config.".length)] = value
    else if (kind === "rule" && (field === "monitors" || field === "channels"))
      result[field === "monitors" ? "monitorIds" : "channelIds"] = idsOf(field, value, ids)
    else if (kind === "page" && field === "monitors") result[field] = placed(value, ids)
    else result[field] = value
  }
  return kind === "channel" && Object.keys(config).length > 0 ? { ...result, config } : result
}

const idsOf = (field: "monitors" | "channels", keys: Schema.Json, ids: Ids): ReadonlyArray<string> =>
  (keys as ReadonlyArray<string>).map((key) => ids.get(`${field.slice(0, -1)} ${key}`) ?? key)

const placed = (monitors: Schema.Json, ids: Ids): Schema.Json =>
  (monitors as unknown as ReadonlyArray<Shown>).map(({ group, monitor }) => ({
    monitorId: ids.get(`monitor ${monitor}`) ?? monitor,
    displayGroup: group
  }))
