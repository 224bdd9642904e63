/**
 * The bodies of monitors. Their fields depend on the type's plugin, so the decoder and the JSON Schema are built at the start
 * from the check kinds that were loaded.
 */
import { boundedText } from "@kanmon/domain/BoundedText"
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { LastFailure, type Monitor, type organizing } from "@kanmon/domain/Monitor"
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { dayMillis, type EpochMillis, Timestamp, toIso } from "@kanmon/domain/Timestamp"
import { Result, Schema } from "effect"
import * as Body from "./Body.ts"
import { commonFields, commonProblems, passiveFields } from "./MonitorFields.ts"
import type { BundledMonitorTypes } from "./internal/BundledTypes.gen.ts"

/** The properties of a check type that the decoder of a body needs. */
export interface CheckKind {
  readonly type: string
  readonly summary: string
  readonly config: Schema.Constraint & { readonly fields: Schema.Struct.Fields }
  readonly example: Schema.JsonObject
  readonly defaults: { readonly timeout: number }
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
  /** Fields that reads mask. */
  readonly writeOnly?: ReadonlyArray<string>
  /** Present for kinds that wait for signals. */
  readonly passive?: unknown
}

/**
 * The monitor types that bodies are typed by: an entry's `request` holds the fields that its type has beside the common ones.
 * The plugins that come with Kanmon are there; the types of others are added by declaration merging:
 *
 * ```ts
 * declare module "@kanmon/protocol/MonitorBody" {
 *   interface MonitorTypes {
 *     readonly "redis-ping": { readonly request: { readonly host: string; readonly port?: number } }
 *   }
 * }
 * ```
 */
export interface MonitorTypes extends BundledMonitorTypes {}

type Common = Schema.Struct<typeof commonFields>["Encoded"]

/** The body of a new monitor of one type, as it is sent. */
type RequestOf<Type extends keyof MonitorTypes> = Common & { readonly type: Type } & MonitorTypes[Type]["request"]

/** The body of a new monitor, as it is sent. */
export type MonitorRequest = { [Type in keyof MonitorTypes]: RequestOf<Type> }[keyof MonitorTypes]

export const MonitorRequest = Body.sent<MonitorRequest>("MonitorRequest")

/** Names of fields that a change puts back to their defaults. */
export const Unset = Schema.Array(boundedText(200)).check(
  Schema.isMaxLength(200, { message: "Expected at most 200 names of fields" })
)

/**
 * The body of a change. Fields that are left out stay as they are; null puts a field back to its default, unless null is a value
 * of it: `unset` lists fields by name, those too.
 */
export type MonitorUpdate = {
  [Type in keyof MonitorTypes]: Body.Change<RequestOf<Type>> & { readonly unset?: ReadonlyArray<string> }
}[keyof MonitorTypes]

export const MonitorUpdate = Body.sent<MonitorUpdate>("MonitorChange")

/** A problem of an accepted monitor that prevents it from working. */
export const Warning = Schema.Struct({
  code: Schema.String.annotate({
    description:
      "Stable. `address_refused`: the target may not be checked, so every check will fail with this code. `host_unresolved`: its name does not exist in DNS now. `region_unknown`: no probe runs in one of its regions now. `timeout_near_interval`: checks that time out leave little time before the next one. `duplicate_target`: another monitor of the project has the same type and target",
    examples: ["address_refused"]
  }),
  message: Schema.String.annotate({ description: "One sentence for a person, with what can be done about it" })
})
export type Warning = typeof Warning.Type

/** Fields of a monitor with a URL, besides those of its type. */
interface UrlFindings {
  /** Null until a check saw a certificate. */
  readonly certificate: typeof CertificateSummary.Encoded | null
  /** Null until the registry was asked. */
  readonly domain: typeof DomainSummary.Encoded | null
}

/** Fields of a monitor that waits for signals, besides those of its type. */
interface SignalAddress {
  /** Where the job sends its signals. */
  readonly heartbeatUrl: string
}

type Findings<Entry extends { readonly request: object }> = Entry extends { readonly passive: true }
  ? SignalAddress
  : Entry["request"] extends { readonly url: string }
    ? UrlFindings
    : unknown

type CommonRecord = Omit<typeof Monitor.Encoded, "config" | "signalToken" | "type"> & {
  /** In the answers to creation and change; absent when there are none. */
  readonly warnings?: ReadonlyArray<Warning>
}

/** A monitor in a response. */
export type MonitorRecord = {
  [Type in keyof MonitorTypes]: CommonRecord & { readonly type: Type } & MonitorTypes[Type]["request"] &
    Findings<MonitorTypes[Type]>
}[keyof MonitorTypes]

/** The fields of a monitor depend on its type, and its plugin has checked them. So any object is a record here. */
const isRecord = (value: unknown): value is MonitorRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const MonitorRecord: Schema.Codec<MonitorRecord> = Schema.declare(isRecord, {
  identifier: "Monitor",
  toCodecJson: () => undefined
})

const toRecord = Schema.decodeUnknownSync(MonitorRecord)

/** The fields of a monitor that a user sets. */
export type MonitorDraft = Pick<
  Monitor,
  | "key"
  | "name"
  | "type"
  | "interval"
  | "retryInterval"
  | "timeout"
  | "regions"
  | "paused"
  | "config"
  | keyof typeof organizing
> & {
  readonly passive: boolean
  /** Fields of `config` that are stored encrypted. */
  readonly writeOnly: ReadonlyArray<string>
}

/** Characters of a type's own fields as JSON: every region has all monitors in memory, and the bus bounds its messages. */
const maxConfig = 200_000

const sizeOf = (config: Schema.JsonObject): number => JSON.stringify(config).length

const decodeActive = decodeStrict(Schema.Struct(commonFields))
const decodePassive = decodeStrict(Schema.Struct(passiveFields))
const commonNames = Object.keys(commonFields)

/** Decodes a monitor's body; every broken field of the common ones and of the type's own is named. `current` is what it changes. */
export const decode = (
  checks: ReadonlyMap<string, CheckKind>,
  knownRegions: ReadonlyArray<string>,
  body: unknown,
  current?: Pick<Monitor, "config">
): Result.Result<MonitorDraft, InvalidFields> => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return refuse("", "Expected a JSON object")
  const unfit = Body.objection(body)
  if (unfit !== undefined) return refuse(unfit.path, unfit.message)
  const { type, ...fields } = body as Record<string, unknown>
  const check = typeof type === "string" ? checks.get(type) : undefined
  if (typeof type !== "string" || check === undefined) {
    const problem = type === undefined ? "Required" : `Expected one of ${[...checks.keys()].join(", ")}`
    return refuse("type", problem)
  }
  const [common, own] = split(fields)
  const passive = check.passive !== undefined
  const decoded = passive ? decodePassive(common) : decodeActive(common)
  const config = check.normalize(own)
  const errors: Array<FieldError> = [...errorsOf(decoded), ...errorsOf(config)]
  if (Result.isSuccess(decoded)) errors.push(...commonProblems(decoded.success, knownRegions, passive))
  if (Result.isSuccess(config) && sizeOf(config.success) > Math.max(maxConfig, sizeOf(current?.config ?? {})))
    errors.push({ path: "", message: `Expected at most ${maxConfig} characters in the fields of the type ${type}` })
  if (errors.length > 0 || Result.isFailure(decoded) || Result.isFailure(config))
    return Result.fail(new InvalidFields({ errors }))
  const { timeout = Math.min(check.defaults.timeout, decoded.success.interval), ...rest } = decoded.success
  const [dependsOn, regions, tags] = [unique(rest.dependsOn), unique(rest.regions), unique(rest.tags)]
  const { writeOnly = [] } = check
  const sets = { dependsOn, regions, tags }
  return Result.succeed({ ...rest, ...sets, type, timeout, config: config.success, passive, writeOnly })
}

const unique = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(list)]

/**
 * Lays a change over the monitor and decodes the whole. A field that is set to null goes back to its default, unless null is
 * a value of its own there; so does every field that `unset` names.
 */
export const decodeChange = (
  checks: ReadonlyMap<string, CheckKind>,
  knownRegions: ReadonlyArray<string>,
  current: Monitor,
  body: unknown
): Result.Result<MonitorDraft, InvalidFields> => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return refuse("", "Expected a JSON object")
  const { unset: named = [], ...change } = body as Readonly<Record<string, unknown>>
  const unset = decodeUnset({ unset: named })
  if (Result.isFailure(unset)) return Result.fail(unset.failure)
  const removed = unset.success.unset
  const own = checks.get(current.type)?.config.fields ?? {}
  const errors = removed.flatMap((field, index) => unsetProblem(field, `unset[${index}]`, change, own))
  if (errors.length > 0) return Result.fail(new InvalidFields({ errors }))
  const { type } = change
  if (type !== undefined && type !== current.type)
    return refuse("type", "The type of a monitor cannot be changed; make a new one")
  // A region that has gone since does not stand in the way of another change.
  const known = [...knownRegions, ...current.regions]
  const timeout =
    change["interval"] === undefined && !removed.includes("interval")
      ? current.timeout
      : defaultedTimeout(checks, current, change)
  const { dependsOn, description, group, interval, key, links, name, paused, regions, retryInterval, tags } = current
  const merged: Record<string, unknown> = {
    ...current.config,
    dependsOn,
    description,
    group,
    interval,
    key,
    links,
    name,
    paused,
    regions,
    retryInterval,
    tags,
    ...(timeout === undefined ? {} : { timeout }),
    ...change,
    type: current.type
  }
  for (const field of removed) delete merged[field]
  return decode(checks, known, Body.cleared({ ...own, ...commonFields }, merged), current)
}

const decodeUnset = decodeStrict(Schema.Struct({ unset: Unset }))

const unsetProblem = (
  field: string,
  path: string,
  change: object,
  own: Schema.Struct.Fields
): ReadonlyArray<FieldError> => {
  if (!Object.hasOwn(own, field) && !commonNames.includes(field))
    return [{ path, message: `There is no field ${field}` }]
  return Object.hasOwn(change, field)
    ? [{ path, message: `${field} is set in the same change; leave one of the two out` }]
    : []
}

/** A shorter interval also lowers the timeout, unless the user set one. */
const defaultedTimeout = (
  checks: ReadonlyMap<string, CheckKind>,
  current: Monitor,
  change: object
): number | undefined => {
  const usual = Math.min(checks.get(current.type)?.defaults.timeout ?? current.timeout, current.interval)
  return "timeout" in change || current.timeout !== usual ? current.timeout : undefined
}

/** The facts about a domain's registration in a monitor's record. */
export const DomainSummary = Schema.Struct({
  name: Schema.String,
  expiresAt: Schema.NullOr(Timestamp),
  /** Whole days; negative when it is over. */
  daysLeft: Schema.NullOr(Schema.Int),
  registrar: Schema.NullOr(Schema.String),
  /** When the registry last answered. */
  checkedAt: Schema.NullOr(Timestamp),
  /** Why nothing is known, in words; null when all is well. */
  problem: Schema.NullOr(Schema.String)
})

const encodeFailure = Schema.encodeSync(Schema.NullOr(LastFailure))
const encodeCertificate = Schema.encodeSync(CertificateSummary)
const encodeDomain = Schema.encodeSync(DomainSummary)

/** The facts about a monitored URL. */
export interface Known {
  readonly certificate: CertificateSummary | undefined
  readonly domain: Omit<typeof DomainSummary.Type, "daysLeft"> | undefined
  readonly now: EpochMillis
}

const encodeKnown = ({ certificate, domain, now }: Known): Schema.JsonObject => ({
  certificate: certificate === undefined ? null : encodeCertificate(certificate),
  domain:
    domain === undefined
      ? null
      : encodeDomain({
          ...domain,
          daysLeft: domain.expiresAt === null ? null : Math.floor((domain.expiresAt - now) / dayMillis)
        })
})

/**
 * A monitor in a response: the common fields and, flat beside them, the type's own. `apiUrl` is the API's
 * address: signals are sent below it.
 */
export const encode = (monitor: Monitor, known: Known, apiUrl: string): MonitorRecord => {
  const record: Schema.JsonObject = {
    id: monitor.id,
    projectId: monitor.projectId,
    key: monitor.key,
    name: monitor.name,
    tags: [...monitor.tags],
    group: monitor.group,
    description: monitor.description,
    links: monitor.links.map((link) => ({ ...link })),
    dependsOn: [...monitor.dependsOn],
    type: monitor.type,
    interval: monitor.interval,
    retryInterval: monitor.retryInterval,
    timeout: monitor.timeout,
    regions: [...monitor.regions],
    paused: monitor.paused,
    pausedReason: monitor.pausedReason,
    wantedInterval: monitor.wantedInterval,
    wantedRetryInterval: monitor.wantedRetryInterval,
    status: monitor.status,
    stale: monitor.stale,
    lastCheckedAt: monitor.lastCheckedAt === null ? null : toIso(monitor.lastCheckedAt),
    lastFailure: encodeFailure(monitor.lastFailure),
    createdAt: toIso(monitor.createdAt),
    updatedAt: toIso(monitor.updatedAt),
    ...monitor.config,
    ...("url" in monitor.config ? encodeKnown(known) : {}),
    ...(monitor.signalToken === null ? {} : { heartbeatUrl: `${apiUrl}/heartbeat/${monitor.signalToken}` })
  }
  // The type's plugin made the configuration; which plugins there are is known when the server starts.
  return toRecord(record)
}

const refuse = (path: string, message: string): Result.Result<never, InvalidFields> =>
  Result.fail(new InvalidFields({ errors: [{ path, message }] }))

/** The common fields and the type's own. Built from entries, so that a field called `__proto__` is a field. */
const split = (fields: Record<string, unknown>) => {
  const entries = Object.entries(fields)
  return [
    Object.fromEntries(entries.filter(([name]) => commonNames.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !commonNames.includes(name)))
  ] as const
}

const errorsOf = (result: Result.Result<unknown, InvalidFields>): ReadonlyArray<FieldError> =>
  Result.isFailure(result) ? result.failure.errors : []
