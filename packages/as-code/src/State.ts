/** Reads the records on the server that have keys, in the form of files. */
import { dots } from "@kanmon/core/Masking"
import type { Check } from "@kanmon/core/Check"
import { commonFields } from "@kanmon/protocol/MonitorFields"
import { Effect, Schema } from "effect"
import * as Directory from "./Directory.ts"
import * as OnCall from "./OnCall.ts"
import * as Body from "./RequestBody.ts"
import { Remote, type RemoteFailure, type Row } from "./Remote.ts"
import {
  byKind,
  byName,
  type Current,
  type Fields,
  filled,
  type Kind,
  kinds,
  nameOf,
  organizationKinds,
  type Wanted
} from "./Resource.ts"

export interface State {
  readonly current: ReadonlyArray<Current>
  /** The name of the project, if there is any record. */
  readonly project: string | undefined
  readonly directory: Directory.Directory
}

type Rows = Readonly<Record<Kind, ReadonlyArray<Row>>>

/** The records of each kind. Those of the organization are read only where files have their sections. */
export const fetch = Effect.fnUntraced(function* (
  list: (kind: Kind) => Effect.Effect<ReadonlyArray<Row>, RemoteFailure>,
  managed: ReadonlySet<Kind>
): Effect.fn.Return<{ readonly rows: Rows; readonly directory: Directory.Directory }, RemoteFailure, Remote> {
  const rows: Record<Kind, ReadonlyArray<Row>> = { ...byKind(() => []) }
  for (const kind of kinds) if (!organizationKinds.has(kind) || managed.has(kind)) rows[kind] = yield* list(kind)
  if (![...organizationKinds].some((kind) => managed.has(kind))) return { rows, directory: new Map() }
  const organization = yield* (yield* Remote).organization
  const schedules = managed.has("schedule") ? rows.schedule : yield* list("schedule")
  return { rows, directory: Directory.make(organization, schedules) }
})

/** Fetches the state. For monitors and channels with wanted secrets, the server also compares these. */
export const read = Effect.fnUntraced(function* (
  wanted: ReadonlyArray<Wanted>,
  checks: ReadonlyMap<string, Check>,
  sections: ReadonlySet<Kind> = new Set()
): Effect.fn.Return<State, RemoteFailure, Remote> {
  const { list } = yield* Remote
  const managed = new Set([...sections, ...wanted.map(({ kind }) => kind)])
  const { directory, rows } = yield* fetch(list, managed)
  const current = fromRows(rows, checks, directory)
  const compared = yield* comparisonOf(wanted, byName(current))
  return {
    current: current.map((one) => ({ ...one, ...compared.get(nameOf(one)) })),
    project: yield* projectOf(rows),
    directory
  }
})

/** What the server says of masked fields, by the names of the records that have any. */
export const comparisonOf = Effect.fnUntraced(function* (
  wanted: ReadonlyArray<Wanted>,
  there: ReadonlyMap<string, Current>
): Effect.fn.Return<ReadonlyMap<string, Pick<Current, "differing" | "hidden">>, RemoteFailure, Remote> {
  const remote = yield* Remote
  const compared = new Map<string, Pick<Current, "differing" | "hidden">>()
  for (const one of wanted) {
    const now = there.get(nameOf(one))
    if (now === undefined || (one.masked.size === 0 && !isMasked(one.kind, now))) continue
    const { differing, hidden } = yield* remote.compare(one.kind, now.id, Body.compared(one, now))
    compared.set(nameOf(one), {
      differing: new Set(differing.filter((field) => one.masked.has(field))),
      hidden: new Set(hidden)
    })
  }
  return compared
})

/** Whether the caller reads a field of the record masked. Only monitors and channels have such fields. */
const isMasked = (kind: Kind, { fields }: Pick<Current, "fields">): boolean =>
  (kind === "monitor" || kind === "channel") && JSON.stringify(fields).includes(dots)

/** The name of the project that the records belong to, if there is any. */
export const projectOf = Effect.fnUntraced(function* (
  rows: Rows
): Effect.fn.Return<string | undefined, RemoteFailure, Remote> {
  // Records of the organization belong to no project.
  const projectId = kinds.flatMap((kind) => rows[kind]).find((row) => "projectId" in row)?.["projectId"]
  return typeof projectId === "string" ? yield* (yield* Remote).projectName(projectId) : undefined
})

/** Records that have keys, with references by key. */
export const fromRows = (
  rows: Rows,
  checks: ReadonlyMap<string, Check>,
  directory: Directory.Directory = new Map()
): ReadonlyArray<Current> => {
  const keys = new Map<string, Schema.Json | undefined>([
    ...Directory.namesIn(directory),
    ...kinds.flatMap((kind) => rows[kind]).map(({ id, key }) => [id, key] as const)
  ])
  const named: Naming = {
    one: (id) => (id === null ? null : (keys.get(String(id)) ?? id)),
    those: (ids) => (ids as ReadonlyArray<string>).filter((id) => keys.has(id)).map((id) => keys.get(id) ?? id)
  }
  return kinds.flatMap((kind) =>
    rows[kind].flatMap((row): ReadonlyArray<Current> => {
      const { id, key } = row
      if (typeof key !== "string") return []
      const overruled = new Set<string>(kind === "monitor" && row["pausedReason"] !== null ? ["paused"] : [])
      const over = kind === "maintenance" && row["status"] === "resolved"
      const updatedAt = row["updatedAt"]
      return [
        {
          kind,
          key,
          id,
          ...(typeof updatedAt === "string" ? { updatedAt } : {}),
          fields: readers[kind](row, named, checks),
          differing: new Set(),
          hidden: new Set(),
          overruled,
          over
        }
      ]
    })
  )
}

/** References by key; by ID, where a record has none. */
interface Naming {
  readonly one: (id: Schema.Json) => Schema.Json
  /** Without records that were deleted: the server may go on naming them. */
  readonly those: (ids: Schema.Json) => ReadonlyArray<Schema.Json>
}

type Reader = (row: Row, named: Naming, checks: ReadonlyMap<string, Check>) => Fields

const common = ["type", ...Object.keys(commonFields).filter((field) => field !== "key")]

const monitor: Reader = (row, named, checks) => {
  const own = Object.keys(checks.get(String(row["type"]))?.config.fields ?? {})
  const fields = Object.fromEntries(
    [...common, ...own].flatMap((field) => (field in row ? [[field, row[field]!]] : []))
  )
  const dependsOn = named.those(row["dependsOn"] ?? [])
  // The user's values, where the plan has raised them.
  const retryInterval = row["wantedRetryInterval"] ?? row["retryInterval"] ?? null
  return filled({ ...fields, dependsOn, interval: row["wantedInterval"] ?? row["interval"]!, retryInterval })
}

const channel: Reader = ({ config, name, type }) => ({
  name: name!,
  type: type!,
  ...Object.fromEntries(Object.entries(config as Fields).map(([field, value]) => [`config.${field}`, value]))
})

const rule: Reader = (
  {
    channelIds,
    consecutiveFailures,
    escalationPolicyId = null,
    escalationPolicyKey = null,
    monitorIds,
    name,
    resendEvery,
    severity,
    tags = [],
    triggers
  },
  named
) => ({
  name: name!,
  monitors: leftOf(monitorIds!, named, (tags as ReadonlyArray<string>).length > 0),
  channels: leftOf(channelIds!, named, false),
  ...filled({ tags, escalationPolicy: escalationPolicyKey ?? named.one(escalationPolicyId) }),
  triggers: triggers!,
  consecutiveFailures: consecutiveFailures!,
  resendEvery: resendEvery!,
  severity: severity!
})

/** A rule that names only deleted records goes on naming them: without any, it would be for all. */
const leftOf = (ids: Schema.Json, { one, those }: Naming, hasTags: boolean): ReadonlyArray<Schema.Json> => {
  const left = those(ids)
  return left.length > 0 || hasTags ? left : (ids as ReadonlyArray<Schema.Json>).map(one)
}

const integration: Reader = (
  { mapping = null, name, quietAfterMinutes = null, resolveAfterMinutes = null, ruleId, type },
  named
) => ({
  name: name!,
  type: type!,
  rule: named.one(ruleId!),
  ...filled({ mapping, resolveAfterMinutes, quietAfterMinutes })
})

const page: Reader = ({ customDomain, embedOrigins = [], monitors, name, slug, tags = [] }, named) => ({
  name: name!,
  slug: slug!,
  monitors: (monitors as ReadonlyArray<{ readonly monitorId: string; readonly displayGroup: string | null }>).map(
    ({ displayGroup, monitorId }) => ({ monitor: named.one(monitorId), group: displayGroup })
  ),
  ...filled({ tags, embedOrigins }),
  customDomain: customDomain!
})

const Timeline = Schema.Array(Schema.Struct({ message: Schema.String }))
const decodeTimeline = Schema.decodeUnknownSync(Timeline)

/** The first window of a series, as files name it; the row is the next one. The first entry of the timeline announces it. */
const maintenance: Reader = (row, named) => {
  const series = row["series"] as { readonly start: string; readonly end: string } | null
  return {
    title: row["title"]!,
    message: decodeTimeline(row["updates"]).at(-1)?.message ?? "",
    monitors: named.those(row["monitorIds"]!),
    ...filled({ tags: row["tags"]! }),
    scheduledStart: series?.start ?? row["scheduledStart"]!,
    scheduledEnd: series?.end ?? row["scheduledEnd"]!,
    recurrence: row["recurrence"]!,
    timezone: row["timezone"]!
  }
}

const schedule: Reader = (row, { one }) => OnCall.scheduleRead(row, (_, id) => String(one(id)))

const policy: Reader = (row, { one }) => OnCall.policyRead(row, (_, id) => String(one(id)))

const readers: Readonly<Record<Kind, Reader>> = {
  monitor,
  channel,
  maintenance,
  schedule,
  policy,
  rule,
  integration,
  page
}
