/**
 * The engine's transaction: observations in, verdicts out, all or nothing. Observations that were seen before (same
 * monitor, region and due time) and those of monitors that no longer exist are left out before anything is decided.
 */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { JudgeState, StatusChange } from "@kanmon/domain/Judge"
import type { Observation } from "@kanmon/domain/Observation"
import { Context, type Effect } from "effect"
import type { OutboxEvent } from "./Outbox.ts"

/** A monitor with what the judge remembers of it. */
export interface JudgedMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly name: string
  readonly type: string
  /** Seconds. */
  readonly interval: number
  readonly regions: ReadonlyArray<string>
  readonly state: JudgeState
}

/** What the batch leads to. Only changed states need to be present. */
export interface Verdicts {
  readonly states: ReadonlyMap<MonitorId, JudgeState>
  readonly changes: ReadonlyArray<{ readonly monitorId: MonitorId; readonly change: StatusChange }>
  readonly events: ReadonlyArray<OutboxEvent>
}

export class Judging extends Context.Service<
  Judging,
  {
    /**
     * Stores a batch and its verdicts in one transaction. The states of the batch's monitors are locked while `decide`,
     * which must be pure, runs; it sees the fresh observations in the order they were given.
     */
    readonly judge: (
      batch: ReadonlyArray<Observation>,
      decide: (monitors: ReadonlyMap<MonitorId, JudgedMonitor>, fresh: ReadonlyArray<Observation>) => Verdicts
    ) => Effect.Effect<{ readonly fresh: number; readonly repeated: number; readonly orphaned: number }>
  }
>()("@kanmon/store/Judging") {}
