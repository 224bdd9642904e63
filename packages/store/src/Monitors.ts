/**
 * Monitors. Every write also appends to the outbox, in the same transaction: the spec's change for the probes and the
 * public event.
 */
import type { ProjectId } from "@kanmon/domain/Ids"
import { MonitorId } from "@kanmon/domain/Ids"
import type { Monitor, MonitorSpec } from "@kanmon/domain/Monitor"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { Context, type Effect, Schema } from "effect"
import type { Page, PageOptions } from "./Page.ts"

export class MonitorNotFound extends Schema.TaggedError<MonitorNotFound>()("MonitorNotFound", { id: MonitorId }) {}

/** What a user decides about a monitor. */
export type MonitorDraft = Pick<Monitor, "name" | "type" | "interval" | "timeout" | "regions" | "paused" | "config">

/** A spec and the regions it belongs to (empty: all). */
export interface PlacedSpec {
  readonly spec: MonitorSpec
  readonly regions: ReadonlyArray<string>
}

export class Monitors extends Context.Service<
  Monitors,
  {
    readonly list: (
      projectId: ProjectId,
      options: PageOptions & {
        readonly status?: MonitorStatus | undefined
        readonly type?: string | undefined
        /** Part of the name, in any case. */
        readonly q?: string | undefined
      }
    ) => Effect.Effect<Page<Monitor>>
    readonly get: (projectId: ProjectId, id: MonitorId) => Effect.Effect<Monitor, MonitorNotFound>
    readonly create: (projectId: ProjectId, draft: MonitorDraft) => Effect.Effect<Monitor>
    /** Reads, changes and writes under a row lock: two changes at once both take effect. Pausing and resuming write the time line. */
    readonly update: <E>(
      projectId: ProjectId,
      id: MonitorId,
      change: (current: Monitor) => Effect.Effect<MonitorDraft, E>
    ) => Effect.Effect<Monitor, MonitorNotFound | E>
    readonly remove: (projectId: ProjectId, id: MonitorId) => Effect.Effect<void, MonitorNotFound>
    /** The specs of these monitors that are to be watched now: neither paused nor deleted. */
    readonly specs: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyArray<PlacedSpec>>
    /** All specs that are to be watched now, page by page in the order of ids (`after` is the last id of the page before). */
    readonly allSpecs: (after: MonitorId | undefined, limit: number) => Effect.Effect<ReadonlyArray<PlacedSpec>>
  }
>()("@kanmon/store/Monitors") {}
