/** Write-only fields of monitors: masked in answers; a mask in a body stands for what is stored. */
import type { Check } from "@kanmon/core/Check"
import { masked, unmasked } from "@kanmon/core/Masking"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Monitor } from "@kanmon/domain/Monitor"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { Result, Schema } from "effect"

type Kinds = ReadonlyMap<string, Check>
type Draft = Result.Result<MonitorBody.MonitorDraft, InvalidFields>

const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

const pick = (config: Schema.JsonObject, fields: ReadonlyArray<string>): Schema.JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([name]) => fields.includes(name)))

/** The monitor as reads show it. */
export const shown = (kinds: Kinds, monitor: Monitor): Monitor => {
  const secrets = kinds.get(monitor.type)?.writeOnly ?? []
  const own = pick(monitor.config, secrets)
  return Object.keys(own).length === 0
    ? monitor
    : { ...monitor, config: { ...monitor.config, ...masked(own, { secrets }) } }
}

/** Decodes a body of a new monitor, for which nothing is stored. */
export const decode = (kinds: Kinds, knownRegions: ReadonlyArray<string>, body: unknown): Draft => {
  const type = isJsonObject(body) ? body["type"] : undefined
  const secrets = typeof type === "string" ? (kinds.get(type)?.writeOnly ?? []) : []
  const sent = isJsonObject(body) ? pick(body, secrets) : {}
  return Result.flatMap(unmasked(sent, {}, { secrets }), () => MonitorBody.decode(kinds, knownRegions, body))
}

/**
 * Decodes a change. A write-only field that is left out, or sent as its mask, keeps its value, unless the change leads
 * to another destination: an editor of a monitor must not be able to send its secrets to another server.
 */
export const decodeChange = (
  kinds: Kinds,
  knownRegions: ReadonlyArray<string>,
  current: Monitor,
  change: unknown
): Draft => {
  const { destination = [], writeOnly: secrets = [] } = kinds.get(current.type) ?? {}
  if (!isJsonObject(change) || secrets.length === 0)
    return MonitorBody.decodeChange(kinds, knownRegions, current, change)
  const fields = [...secrets, ...destination]
  const stored = pick(current.config, fields)
  const merged = { ...masked(stored, { secrets }), ...pick(change, fields) }
  // The password in a URL is no write-only field here, so it is compared as it is.
  const sent = { ...merged, ...pick({ ...stored, ...change }, destination) }
  const unset = Array.isArray(change["unset"]) ? change["unset"] : []
  const kept = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== null && !unset.includes(name))
  )
  return Result.flatMap(unmasked(kept, stored, { secrets, destination }), (restored) =>
    MonitorBody.decodeChange(kinds, knownRegions, current, {
      ...change,
      ...pick(restored, Object.keys(pick(change, secrets)))
    })
  )
}

/**
 * The monitor as a caller may take it to be who reads its secrets masked: write-only fields have the values that are sent. The
 * answer to a change of it says nothing about the stored ones.
 */
export const presumed = (kinds: Kinds, current: Monitor, change: unknown): Monitor => {
  const { writeOnly = [] } = kinds.get(current.type) ?? {}
  const sent = isJsonObject(change) ? pick(change, writeOnly) : {}
  const stored = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  return { ...current, config: { ...current.config, ...stored } }
}

/** The fields that a change would alter. Reads mask secrets, so only the server can compare them. */
export const differing = (current: Monitor, wanted: MonitorBody.MonitorDraft): ReadonlyArray<string> => {
  const { config, passive: _passive, writeOnly: _writeOnly, ...common } = wanted
  const before: Readonly<Record<string, unknown>> = { ...current, ...current.config }
  const after: Readonly<Record<string, unknown>> = { ...common, ...config }
  return [...new Set([...Object.keys(common), ...Object.keys(current.config), ...Object.keys(config)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .sort()
}
