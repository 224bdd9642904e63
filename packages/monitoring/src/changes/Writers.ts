/** How the records of each kind are written: with the code of the operations for a single record. */
import {
  ChannelId,
  EscalationPolicyId,
  IncidentId,
  IntegrationId,
  MonitorId,
  type OrganizationId,
  type ProjectId,
  RuleId,
  ScheduleId,
  StatusPageId,
  type UserId
} from "@kanmon/domain/Ids"
import { Projects } from "@kanmon/identity/projects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { ChangeKind } from "@kanmon/protocol/ChangesBody"
import { type Problem, invalid, notFound } from "@kanmon/protocol/Problem"
import { Effect, Option, Schema } from "effect"
import { AlertRules, RuleWrites } from "../alerts/index.ts"
import { Channels, ChannelWrites } from "../channels/index.ts"
import { Policies, PolicyWrites } from "../escalation/index.ts"
import { Incidents, IncidentWrites } from "../incidents/index.ts"
import { Integrations, IntegrationWrites } from "../integrations/index.ts"
import { Monitors, MonitorWrites } from "../monitors/index.ts"
import { Schedules, ScheduleWrites } from "../on-call/index.ts"
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
  /** The people whose shifts a changed schedule moves. */
  readonly movedUserIds?: ReadonlyArray<UserId>
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

/** The operations of an organization, as those of the project that belongs to it. */
const ofOwner = <Id, A>(
  owner: (projectId: ProjectId) => Effect.Effect<OrganizationId, Refusal>,
  of: {
    readonly get: (id: OrganizationId, one: Id) => Effect.Effect<{ readonly updatedAt: EpochMillis }, unknown>
    readonly create: (id: OrganizationId, body: object) => Effect.Effect<A, Refusal>
    readonly update: (id: OrganizationId, one: Id, body: object) => Effect.Effect<A, Refusal>
    readonly remove: (id: OrganizationId, one: Id) => Effect.Effect<void, Refusal>
  }
): Operations<Id, A> => ({
  get: (projectId, one) => Effect.flatMap(owner(projectId), (id) => of.get(id, one)),
  create: (projectId, body) => Effect.flatMap(owner(projectId), (id) => of.create(id, body)),
  update: (projectId, one, body) => Effect.flatMap(owner(projectId), (id) => of.update(id, one, body)),
  remove: (projectId, one) => Effect.flatMap(owner(projectId), (id) => of.remove(id, one))
})

const ofMonitor = (monitor: Monitor): Written => ({ id: monitor.id, monitor })
const ofRecord = ({ id }: { readonly id: string }): Written => ({ id })

export const make = Effect.gen(function* () {
  const monitors = yield* MonitorWrites.make
  const incidents = yield* IncidentWrites.make
  const { get: monitor } = yield* Monitors
  const { get: channel } = yield* Channels
  const { get: incident } = yield* Incidents
  const { get: rule } = yield* AlertRules
  const { get: integration } = yield* Integrations
  const { get: page } = yield* StatusPages
  const { get: policy } = yield* Policies
  const { get: schedule } = yield* Schedules
  const schedules = yield* ScheduleWrites.make
  const projects = yield* Projects
  const owner = (projectId: ProjectId) =>
    Effect.flatMap(projects.ownerOf(projectId), (id) =>
      id === undefined ? Effect.fail(notFound("project")) : Effect.succeed(id)
    )
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
    schedule: writer(
      ScheduleId,
      "schedule",
      ofOwner(owner, {
        ...schedules,
        get: schedule,
        create: (id, body) => Effect.map(schedules.create(id, body), ({ id }): Written => ({ id })),
        update: (id, scheduleId, body) =>
          Effect.map(schedules.update(id, scheduleId, body), ({ movedUserIds, schedule }): Written => ({
            id: schedule.id,
            movedUserIds
          }))
      }),
      (written) => written
    ),
    policy: writer(
      EscalationPolicyId,
      "policy",
      ofOwner(owner, { ...(yield* PolicyWrites.make), get: policy }),
      ofRecord
    ),
    rule: writer(RuleId, "rule", { ...(yield* RuleWrites.make), get: rule }, ofRecord),
    integration: writer(
      IntegrationId,
      "integration",
      { ...(yield* IntegrationWrites.make), get: integration },
      ofRecord
    ),
    page: writer(StatusPageId, "status page", { ...(yield* StatusPageWrites.make), get: page }, ofRecord)
  }
  return {
    of,
    /** Creates monitors together, all or none of them. */
    createMonitors: (projectId: ProjectId, bodies: ReadonlyArray<object>) =>
      Effect.map(monitors.createMany(projectId, { monitors: bodies }), (made) => made.map(ofMonitor))
  }
})
