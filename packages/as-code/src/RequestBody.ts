/** The request bodies of steps: with the API's field names, and ids instead of keys. */
import { Schema } from "effect"
import * as OnCall from "./OnCall.ts"
import type { Change } from "./ApplyPlan.ts"
import { Shown } from "./References.ts"
import type { Current, Fields, Kind, Wanted } from "./Resource.ts"

/** Ids of resources by name (`monitor shop`). */
export type Ids = ReadonlyMap<string, string>

type Part = readonly [field: string, value: Schema.Json | undefined]

/** The body that creates a resource. */
export const whole = ({ fields, key, kind }: Wanted, ids: Ids): Schema.JsonObject =>
  kind === "maintenance"
    ? { key, maintenance: true, message: fields["message"]!, ...window(fields, Object.keys(fields), ids) }
    : { key, ...body(kind, Object.entries(fields), ids) }

/** The fields that say when a maintenance window is. */
export const scheduling: ReadonlySet<string> = new Set(["scheduledStart", "scheduledEnd", "recurrence", "timezone"])

/** Leaves a maintenance window that is over to the history, and ends its series. */
export const released: Schema.JsonObject = { key: null, recurrence: null }

/** Fields of a maintenance window that are empty lists where others are null. */
const lists: ReadonlySet<string> = new Set(["monitors", "tags"])

/** Fields of a maintenance window except its message. The times of a recurring one are those of its first window. */
const window = (fields: Fields, names: ReadonlyArray<string>, ids: Ids): Schema.JsonObject => {
  const { message: _, recurrence, scheduledEnd, scheduledStart, timezone, ...rest } = fields
  const named = Object.fromEntries(
    names.flatMap((name) => {
      if (scheduling.has(name) || name === "message") return []
      const value = rest[name] ?? (lists.has(name) ? [] : null)
      return [name === "monitors" ? ["monitorIds", idsOf("monitors", value, ids)] : [name, value]]
    })
  ) as Schema.JsonObject
  if (!names.some((name) => scheduling.has(name))) return named
  const times =
    recurrence === null
      ? { scheduledStart: scheduledStart!, scheduledEnd: scheduledEnd! }
      : { series: { start: scheduledStart!, end: scheduledEnd! } }
  return { ...named, ...times, recurrence: recurrence!, timezone: timezone! }
}

/** All of a resource, to compare it with what the server has: a field that is not wanted any more is removed. */
export const compared = (wanted: Wanted, { fields }: Pick<Current, "fields">): Schema.JsonObject => {
  const { kind, lasting } = wanted
  const unwanted = Object.keys(fields).filter((field) => !(field in wanted.fields))
  if (kind === "monitor") return { ...withoutFields(unwanted, lasting), ...whole(wanted, new Map()) }
  if (kind !== "channel") return whole(wanted, new Map())
  const gone = unwanted.filter((field) => field.startsWith("config.")).map((field): Part => [field, null])
  return { key: wanted.key, ...body(kind, [...gone, ...Object.entries(wanted.fields)], new Map()) }
}

/** Takes fields away: null does, where it is no value of the field. */
const withoutFields = (names: ReadonlyArray<string>, lasting: Wanted["lasting"]): Schema.JsonObject => {
  const unset = names.filter((name) => lasting.has(name))
  const nulls = names.filter((name) => !lasting.has(name)).map((name) => [name, null])
  return { ...Object.fromEntries(nulls), ...(unset.length === 0 ? {} : { unset }) }
}

/** The body that updates a resource. */
export const change = (
  { fields, kind, lasting, masked }: Wanted,
  changes: ReadonlyArray<Pick<Change, "field" | "to">>,
  ids: Ids
): Schema.JsonObject => {
  if (kind === "maintenance") {
    const names = changes.map(({ field }) => field)
    const announced = names.includes("message") ? { announcement: fields["message"]! } : {}
    return { ...announced, ...window(fields, names, ids) }
  }
  const gone = changes.filter(({ field, to }) => to === undefined && lasting.has(field)).map(({ field }) => field)
  const changed = changes.filter(({ field }) => !gone.includes(field)).map(({ field, to }): Part => [field, to])
  const has = (field: string): boolean => changes.some((one) => one.field === field)
  // A new interval would also change a timeout that equals the default, so the wanted timeout is sent along.
  if (kind === "monitor" && has("interval") && !has("timeout")) changed.push(["timeout", fields["timeout"]])
  // A new type replaces the whole configuration.
  if (kind === "channel" && has("type")) return body(kind, Object.entries(fields), ids)
  // Secrets are sent along, because the server refuses stored ones for a changed destination.
  if (kind === "monitor" || changes.some(({ field }) => field.startsWith("config.")))
    for (const field of masked) if (!has(field) && field in fields) changed.push([field, fields[field]])
  return { ...body(kind, changed, ids), ...withoutFields(gone, lasting) }
}

/** The path in files of a field in an API error. */
export const inFile = (path: string): string =>
  OnCall.inFile(path)
    .replace(/^(monitor|channel)Ids(?=$|\[)/, "$1s")
    .replace(/^(monitors\[\d+\])\.monitorId$/, "$1.monitor")
    .replace(/^(monitors\[\d+\])\.displayGroup$/, "$1.group")
    .replace(/^ruleId$/, "rule")
    .replace(/^escalationPolicy(?:Id|Key)$/, "escalationPolicy")
    .replace(/^announcement$/, "message")
    .replace(/^series(?:\.start)?$/, "scheduledStart")
    .replace(/^series\.end$/, "scheduledEnd")

const body = (kind: Kind, parts: ReadonlyArray<Part>, ids: Ids): Schema.JsonObject => {
  const result: Record<string, Schema.Json> = {}
  const config: Record<string, Schema.Json> = {}
  for (const [field, value = null] of parts) {
    if (kind === "channel" && field.startsWith("config.")) config[field.slice("config.".length)] = value
    else if (kind === "rule" && (field === "monitors" || field === "channels"))
      result[field === "monitors" ? "monitorIds" : "channelIds"] = idsOf(field, value, ids)
    else if (kind === "integration" && field === "rule") result["ruleId"] = ids.get(`rule ${String(value)}`) ?? value
    else if (kind === "rule" && field === "escalationPolicy") result["escalationPolicyKey"] = value
    else if (kind === "monitor" && field === "dependsOn" && value !== null)
      result[field] = idsOf("monitors", value, ids)
    else if (kind === "schedule" || kind === "policy")
      result[field] = OnCall.sent(field, value, (what, name) => ids.get(`${what} ${name}`) ?? name)
    else if (kind === "page" && field === "monitors") result[field] = placed(value, ids)
    else result[field] = value
  }
  return kind === "channel" && Object.keys(config).length > 0 ? { ...result, config } : result
}

const idsOf = (field: "monitors" | "channels", keys: Schema.Json, ids: Ids): ReadonlyArray<string> =>
  (keys as ReadonlyArray<string>).map((key) => ids.get(`${field.slice(0, -1)} ${key}`) ?? key)

/** References were checked when the file was read. */
const decodeShown = Schema.decodeUnknownSync(Schema.Array(Shown))

const placed = (monitors: Schema.Json, ids: Ids): Schema.Json =>
  decodeShown(monitors).map(({ group, monitor }) => ({
    monitorId: ids.get(`monitor ${monitor}`) ?? monitor,
    displayGroup: group
  }))
