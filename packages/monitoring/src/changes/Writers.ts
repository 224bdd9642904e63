/** How the records of each kind are written: with the code of the operations for a single record. */
import { ChannelId, IncidentId, MonitorId, type ProjectId, RuleId, StatusPageId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { ChangeKind } from "@kanmon/protocol/ChangesBody"
import { type Problem, invalid } from "@kanmon/protocol/Problem"
import { Effect, Option, Schema } from "effect"
import { AlertRules, RuleWrites } from "../alerts/index.ts"
import { Channels, ChannelWrites } from "../channels/index.ts"
import { Incidents, IncidentWrites } from "../incidents/index.ts"
import { Monitors, MonitorWrites } from "../monitors/index.ts"
import { StatusPages, StatusPageWrites } from "../status-pages/index.ts"

export type Refusal = Problem<
  | "plan_limit_reached"
  | "account_limit_reached"
  | "conflict"
  | "not_found"
  | "precondition_failed"
  | "validation_failed"
  | "unavailable"
>

/** A written record. */
export interface Written {
  readonly id: string
  /** A monitor, about which there may be warnings. */
  readonly monitor?: Monitor
  /** Work after the write is committed. */
  readonly follows?: Effect.Effect<unknown>
}

/** Writes the records of one kind in a project. */
export interface Writer {
  /** When the record was changed last; undefined without one of this ID. */
  readonly updatedAt: (projectId: ProjectId, id: string) => Effect.Effect<EpochMillis | undefined, Refusal>
  readonly create: (projectId: ProjectId, body: object) => Effect.Effect<Written, Refusal>
  readonly update: (projectId: ProjectId, id: string, body: object) => Effect.Effect<Written, Refusal>
  /** An update to be rolled back, for a caller who may not read secrets: its answer tells nothing about stored ones. */
  readonly presume: (projectId: ProjectId, id: string, body: object) => Effect.Effect<Written, Refusal>
  readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<void, Refusal>
}

/** The operations of one kind, which take an ID of that kind. */
interface Operations<Id, A> {
  readonly get: (projectId: ProjectId, id: Id) => Effect.Effect<{ readonly updatedAt: EpochMillis }, unknown>
  readonly create: (projectId: ProjectId, body: object) => Effect.Effect<A, Refusal>
  readonly update: (projectId: ProjectId, id: Id, body: object) => Effect.Effect<A, Refusal>
  /** Absent for kinds without secrets. */
  readonly presume?: (projectId: ProjectId, id: Id, body: object) => Effect.Effect<A, Refusal>
  readonly remove: (projectId: ProjectId, id: Id) => Effect.Effect<void, Refusal>
}

const writer = <Id, A>(
  id: Schema.Codec<Id, string>,
  what: string,
  { create, get, remove, update, presume = update }: Operations<Id, A>,
  written: (record: A) => Written
): Writer => {
  const decode = Schema.decodeUnknownOption(id)
  const known = (text: string) =>
    Option.match(decode(text), {
      onNone: () => Effect.fail(invalid([{ path: "id", message: `Expected the ID of a ${what}` }])),
      onSome: Effect.succeed
    })
  const changing =
    (change: typeof update): Writer["update"] =>
    (projectId, text, body) =>
      Effect.map(
        Effect.flatMap(known(text), (one) => change(projectId, one, body)),
        written
      )
  return {
    updatedAt: (projectId, text) =>
      Effect.flatMap(known(text), (one) =>
        Effect.match(get(projectId, one), { onFailure: () => undefined, onSuccess: ({ updatedAt }) => updatedAt })
      ),
    create: (projectId, body) => Effect.map(create(projectId, body), written),
    update: changing(update),
    presume: changing(presume),
    remove: (projectId, text) => Effect.flatMap(known(text), (one) => remove(projectId, one))
  }
}

const ofMonitor = (monitor: Monitor): Written => ({ id: monitor.id, monitor })
const ofRecord = ({ id }: { readonly id: string }): Written => ({ id })

export const make = Effect.gen(function* () {
  const monitors = yield* MonitorWrites.make
  const incidents = yield* IncidentWrites.make
  const { get: monitor } = yield* Monitors
  const { get: channel } = yield* Channels
  const { get: incident } = yield* Incidents
  const { get: rule } = yield* AlertRules
  const { get: page } = yield* StatusPages
  const of: Readonly<Record<ChangeKind, Writer>> = {
    channel: writer(ChannelId, "channel", { ...(yield* ChannelWrites.make), get: channel }, ({ channel, invited }) => ({
      id: channel.id,
      follows: invited
    })),
    monitor: writer(MonitorId, "monitor", { ...monitors, get: monitor }, ofMonitor),
    maintenance: writer(
      IncidentId,
      "maintenance window",
      {
        ...incidents,
        get: incident,
        create: (projectId, body) => incidents.create(projectId, { maintenance: true, ...body })
      },
      ofRecord
    ),
    rule: writer(RuleId, "rule", { ...(yield* RuleWrites.make), get: rule }, ofRecord),
    page: writer(StatusPageId, "status page", { ...(yield* StatusPageWrites.make), get: page }, ofRecord)
  }
  return {
    of,
    /** Creates monitors together, all or none of them. */
    createMonitors: (projectId: ProjectId, bodies: ReadonlyArray<object>) =>
      Effect.map(monitors.createMany(projectId, { monitors: bodies }), (made) => made.map(ofMonitor))
  }
})
