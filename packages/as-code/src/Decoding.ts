/**
 * Decodes entries with the schemas of the API's request bodies, so that errors are found before anything is sent. References
 * are checked against the keys in the files.
 */
import type { Channel } from "@kanmon/core/Channel"
import { masked } from "@kanmon/core/Masking"
import { cycleThrough } from "@kanmon/domain/Dependencies"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import * as Body from "@kanmon/protocol/Body"
import * as ChannelBody from "@kanmon/protocol/ChannelBody"
import * as IntegrationBody from "@kanmon/protocol/IntegrationBody"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import * as RuleBody from "@kanmon/protocol/RuleBody"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import { toIso } from "@kanmon/domain/Timestamp"
import { ChannelId } from "@kanmon/domain/Ids"
import { Result, Schema } from "effect"
import type { Json } from "@kanmon/protocol/JsonSchema"
import * as Explaining from "./Explaining.ts"
import * as FileSchema from "./FileSchema.ts"
import { isDeepStrictEqual } from "node:util"
import * as OnCall from "./OnCall.ts"
import { monitorsShown, references } from "./References.ts"
import type { Mistake } from "./Place.ts"
import { parts, written } from "./Positions.ts"
import { inFile } from "./RequestBody.ts"
import { type Fields, filled, type Kind, type Kinds, type Wanted } from "./Resource.ts"
import type { Entry } from "./Source.ts"
import { didYouMean } from "@kanmon/domain/Suggestion"

export type { Kinds } from "./Resource.ts"

export interface Decoded {
  readonly wanted: ReadonlyArray<Wanted>
  readonly mistakes: ReadonlyArray<Mistake>
}

/** A decoded entry. */
interface Read {
  readonly fields: Result.Result<Fields, InvalidFields>
  readonly masked?: ReadonlyArray<string>
  readonly secret?: ReadonlyArray<string>
  readonly addresses?: ReadonlyArray<string>
  readonly lasting?: ReadonlyArray<string>
}

export const decode = (entries: ReadonlyArray<Entry>, kinds: Kinds): Decoded => {
  const keys = {
    monitor: entries.filter(({ kind }) => kind === "monitor").map(({ key }) => key),
    channel: entries.filter(({ kind }) => kind === "channel").map(({ key }) => key),
    rule: entries.filter(({ kind }) => kind === "rule").map(({ key }) => key)
  }
  const wanted: Array<Wanted> = []
  const mistakes: Array<Mistake> = []
  let document: Json | undefined
  const schema = () => (document ??= FileSchema.make(kinds))
  for (const entry of entries) {
    const { fields, ...read } = readers[entry.kind](entry, kinds)
    const errors = [
      ...misplaced(entry),
      ...(Result.isFailure(fields) ? fields.failure.errors : []),
      ...references(entry.kind, referring(entry), keys),
      ...(entry.kind === "policy" && Result.isSuccess(fields) ? channelsOf(fields.success, keys.channel) : [])
    ]
    for (const { message, path } of unique(errors)) {
      const words =
        message === "Unknown field"
          ? `Unknown field${suggestion(entry, path, schema())}`
          : explained(entry, path, message, schema)
      const full = written([entry.section, entry.key, ...parts(path)])
      mistakes.push({ place: entry.at(path), path: full, message: words })
    }
    if (errors.length > 0 || Result.isFailure(fields)) continue
    const masked = new Set(read.masked)
    wanted.push({
      kind: entry.kind,
      key: entry.key,
      fields: fields.success,
      masked,
      secret: new Set([...masked, ...(read.secret ?? []), ...[...entry.fromEnvironment].map(topField(entry.kind))]),
      addresses: new Set(read.addresses),
      lasting: new Set(read.lasting)
    })
  }
  return { wanted, mistakes: [...mistakes, ...cycles(entries, wanted)] }
}

/** The channels that a policy names; one of another project, or without a key, is named by its ID. */
const channelsOf = (fields: Fields, keys: ReadonlyArray<string>): ReadonlyArray<FieldError> =>
  OnCall.namedBy(fields).flatMap(({ kind, name, path }) =>
    kind !== "channel" || keys.includes(name) || isChannelId(name)
      ? []
      : [{ path, message: `There is no channel ${name} in these files${didYouMean(name, keys)}` }]
  )

const isChannelId = Schema.is(ChannelId)

/** The references of an entry as they are written: they are checked also where its other fields are wrong. */
const referring = ({ kind, value: { channels = [], dependsOn = [], monitors = [], rule = null } }: Entry): Fields => ({
  rule: rule as Schema.Json,
  monitors: kind === "page" ? monitorsShown(monitors) : (monitors as Schema.Json),
  channels: channels as Schema.Json,
  dependsOn: dependsOn as Schema.Json
})

/** The fields of one entry, without a look at the records that it refers to. */
export const fieldsOf = (kind: Kind, entry: Given, kinds: Kinds): Result.Result<Fields, InvalidFields> =>
  readers[kind](entry, kinds).fields

/** Monitors that depend on themselves, each cycle at the first monitor in it. Dependencies are in the files alone, as references. */
const cycles = (entries: ReadonlyArray<Entry>, wanted: ReadonlyArray<Wanted>): ReadonlyArray<Mistake> => {
  const dependencies = new Map(
    wanted.flatMap(({ fields, key, kind }) =>
      kind === "monitor" ? [[key, (fields["dependsOn"] ?? []) as ReadonlyArray<string>] as const] : []
    )
  )
  const reported = new Set<string>()
  return entries.flatMap((entry) => {
    if (entry.kind !== "monitor" || reported.has(entry.key)) return []
    const cycle = cycleThrough(entry.key, dependencies)
    if (cycle === undefined) return []
    for (const key of cycle) reported.add(key)
    const path = written([entry.section, entry.key, "dependsOn"])
    return [{ place: entry.at("dependsOn"), path, message: `Expected no cycle: ${cycle.join(" depends on ")}` }]
  })
}

/** The compared field that contains a path. */
const topField =
  (kind: Kind) =>
  (path: string): string =>
    written(parts(path).slice(0, kind === "channel" && path.startsWith("config") ? 2 : 1))

/** The parts of an entry that a reader needs. */
type Given = Pick<Entry, "key" | "value">

const monitor = ({ key, value: { dependsOn = [], ...value } }: Given, { checks }: Kinds): Read => {
  const { regions, type } = value
  const check = typeof type === "string" ? checks.get(type) : undefined
  // Only the server knows the regions, so all are accepted here.
  const anywhere = Array.isArray(regions) ? regions.filter((region) => typeof region === "string") : []
  const own = Object.keys(check?.config.fields ?? {})
  return {
    fields: Result.map(MonitorBody.decode(checks, anywhere, { name: key, ...value }), (draft) => {
      const { config, description, group, interval, name, paused, regions: placed, retryInterval, timeout } = draft
      const [links, tags] = [draft.links.map((link) => ({ ...link })), [...draft.tags]]
      const added = filled({ tags, group, description, links, dependsOn: dependsOn as Schema.Json, retryInterval })
      return { name, ...added, type: draft.type, interval, timeout, regions: [...placed], paused, ...config }
    }),
    secret: check?.secrets.filter((field) => !isAddress(value[field])) ?? [],
    masked: own.filter((field) => field in value && check?.writeOnly?.includes(field)),
    addresses: check?.secrets.filter((field) => isAddress(value[field])) ?? [],
    lasting: own.filter((name) => Body.takesNull(check!.config.fields[name]!))
  }
}

const isAddress = (value: unknown): boolean => typeof value === "string" && /^https?:\/\//i.test(value)

const channel = ({ key, value }: Given, { channels }: Kinds): Read => {
  const kind = typeof value["type"] === "string" ? channels.get(value["type"]) : undefined
  const draft = ChannelBody.decode(channels, { name: key, ...value })
  const config = Result.isFailure(draft) ? {} : draft.success.config
  return {
    fields: Result.map(draft, ({ config, name, type }) => ({
      name,
      type,
      ...Object.fromEntries(Object.entries(config).map(([field, inner]) => [`config.${field}`, inner]))
    })),
    masked: kind === undefined ? [] : notShown(config, kind),
    secret: (kind?.sensitive ?? []).map((field) => `config.${field}`),
    addresses: Object.keys(config).flatMap((field) => (isAddress(config[field]) ? [`config.${field}`] : []))
  }
}

/** Fields of a configuration that the API masks in responses. */
const notShown = (config: Schema.JsonObject, kind: Channel): ReadonlyArray<string> => {
  const shown = masked(config, kind)
  return Object.keys(config)
    .filter((field) => kind.secrets.includes(field) || !isDeepStrictEqual(config[field], shown[field]))
    .map((field) => `config.${field}`)
}

const rule = ({ key, value }: Given): Read => {
  const { channels = [], escalationPolicy = null, monitors = [], ...rest } = value
  const body = { name: key, ...rest, escalationPolicyKey: escalationPolicy }
  return {
    fields: Result.map(Result.mapError(RuleBody.decode(body), inFiles), (draft) => {
      const { consecutiveFailures, name, resendEvery, severity, tags, triggers } = draft
      const named = { monitors: monitors as Schema.Json, channels: channels as Schema.Json }
      return {
        name,
        ...named,
        ...filled({ tags: [...tags], escalationPolicy: draft.escalationPolicyKey }),
        triggers: [...triggers],
        consecutiveFailures,
        resendEvery,
        severity
      }
    })
  }
}

/** Errors of a rule's body, at the fields of files. */
const inFiles = ({ errors }: InvalidFields): InvalidFields =>
  new InvalidFields({ errors: errors.map(({ message, path }) => ({ path: inFile(path), message })) })

/** Stands for the rule of an integration, which files name by its key. */
const someRule = "rul_00000000000000000000000000"

const integration = ({ key, value }: Given): Read => {
  const { rule = null, ...rest } = value
  const body = { name: key, ...rest, ruleId: someRule }
  return {
    fields: Result.map(IntegrationBody.decode(body), (draft) => {
      const { mapping, name, quietAfterMinutes, resolveAfterMinutes, type } = draft
      return {
        name,
        type,
        rule: rule as Schema.Json,
        ...filled({ mapping: mapping as Schema.Json, resolveAfterMinutes, quietAfterMinutes })
      }
    })
  }
}

/** Only the server knows the reserved names. */
const nothingReserved = () => undefined

const page = ({ key, value }: Given): Read => {
  const { monitors = [], ...rest } = value
  return {
    fields: Result.map(
      StatusPageBody.decode({ name: key, ...rest }, nothingReserved),
      ({ customDomain, embedOrigins, name, slug, tags }) => ({
        name,
        slug,
        monitors: monitorsShown(monitors),
        ...filled({ tags: [...tags], embedOrigins: [...embedOrigins] }),
        customDomain
      })
    )
  }
}

const maintenance = ({ key, value }: Given): Read => {
  const { monitors = [], ...rest } = value
  const title = typeof rest["title"] === "string" ? rest["title"] : key
  const body = { title, message: title, ...rest, maintenance: true }
  const decoded = IncidentBody.decodeNew(body)
  return {
    fields: Result.map(Object.hasOwn(rest, "message") ? decoded : atTitle(decoded), ({ draft, message }) => ({
      title: draft.title,
      message,
      monitors: monitors as Schema.Json,
      ...filled({ tags: [...draft.tags] }),
      scheduledStart: toIso(draft.scheduledStart!),
      scheduledEnd: toIso(draft.scheduledEnd!),
      recurrence: draft.recurrence,
      timezone: draft.timezone
    }))
  }
}

/** The message that an entry does not have is its title: what is wrong with it is said of the title. */
const atTitle = <A>(decoded: Result.Result<A, InvalidFields>): Result.Result<A, InvalidFields> =>
  Result.mapError(decoded, ({ errors }) => {
    const others = errors.filter(({ path }) => path !== "message")
    return new InvalidFields({
      errors: others.length > 0 ? others : errors.map(({ message }) => ({ path: "title", message }))
    })
  })

const schedule = ({ key, value }: Given): Read => ({ fields: OnCall.schedule(key, value) })

const policy = ({ key, value }: Given): Read => ({ fields: OnCall.policy(key, value) })

const readers: Readonly<Record<Kind, (entry: Given, kinds: Kinds) => Read>> = {
  monitor,
  channel,
  maintenance,
  schedule,
  policy,
  rule,
  integration,
  page
}

/** Fields of the API's bodies that have another form in files. */
const fieldsOfTheApi: Readonly<Record<string, string>> = {
  key: "The name of the entry is its key; remove this field",
  monitorIds: "Files name monitors by their keys: use monitors",
  ruleId: "Files name rules by their keys: use rule",
  channelIds: "Files name channels by their keys: use channels",
  escalationPolicyId: "Files name escalation policies by their keys: use escalationPolicy",
  escalationPolicyKey: "Files name escalation policies by their keys: use escalationPolicy"
}

/** Fields of incidents that a maintenance window in a file does not have. */
const fieldsOfIncidents: Readonly<Record<string, string>> = {
  maintenance: "Every entry of this section is a maintenance window; remove this field",
  status: "The progress of a window is not configuration; remove this field",
  series: "The first window of a series has the fields scheduledStart and scheduledEnd"
}

const misplaced = ({ kind, value }: Entry): ReadonlyArray<FieldError> =>
  Object.entries({ ...fieldsOfTheApi, ...(kind === "maintenance" ? fieldsOfIncidents : {}) }).flatMap(
    ([path, message]) => (Object.hasOwn(value, path) ? [{ path, message }] : [])
  )

/** Adds what to write, and how to load a plugin: the types depend on the plugins of the machine that runs `kanmon apply`. */
const explained = ({ kind, value }: Entry, path: string, message: string, schema: () => Json): string => {
  const at = parts(path)
  const given = at.reduce<unknown>((inner, part) => (inner as Readonly<Record<string, unknown>> | null)?.[part], value)
  const isType = path === "type" && (kind === "monitor" || kind === "channel") && given !== undefined
  const hint = isType ? "; for another plugin's type set KANMON_PLUGINS where kanmon apply runs" : ""
  return Explaining.explained(message, given, () => FileSchema.schemasAt(schema(), kind, value["type"], at), hint)
}

/** The first error of each path. */
const unique = (errors: ReadonlyArray<FieldError>): ReadonlyArray<FieldError> => [
  ...new Map(errors.toReversed().map((error) => [error.path, error])).values()
]

/** The field that was probably meant, by the schema of the files. */
const suggestion = ({ kind, value }: Entry, path: string, schema: Json): string => {
  const all = parts(path)
  return didYouMean(String(all.at(-1) ?? ""), FileSchema.namesAt(schema, kind, value["type"], all.slice(0, -1)))
}
