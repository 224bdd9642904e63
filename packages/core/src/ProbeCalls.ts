/**
 * What a probe can be asked: to check a monitor of its own at once, to try settings that nobody watches yet, and who it is.
 * It answers on `Subjects.probeCalls`.
 */
import { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import { Outcome } from "@kanmon/domain/Observation"
import { Region } from "@kanmon/domain/Region"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { CheckNotRun } from "./ActorMessage.ts"

export { CheckNotRun } from "./ActorMessage.ts"

/** Another probe of the region has the monitor, or the revision that was asked for has not come here yet. */
export class NotWatchedHere extends Schema.TaggedError<NotWatchedHere>()("NotWatchedHere", { monitorId: MonitorId }) {}

export const ProbeInfo = Schema.Struct({
  probeId: Schema.String,
  region: Region,
  version: Schema.String,
  startedAt: Timestamp,
  /** Monitors watched now. */
  monitors: Schema.Int
})

export class ProbeCalls extends RpcGroup.make(
  /**
   * Checks a monitor beside its schedule. What is found is published and judged like any observation, and told as it was
   * published. `revision` is the oldest one of the monitor's settings that will do.
   */
  Rpc.make("CheckNow", {
    payload: { monitorId: MonitorId, revision: Schema.Int },
    success: Outcome,
    error: Schema.Union([NotWatchedHere, CheckNotRun])
  }),
  /** Runs one check of settings that no monitor has, on behalf of a project, under the bounds and the network policy of every check. */
  Rpc.make("RunCheck", {
    payload: {
      /** Left out by an api from before there was a probe that knew it. */
      projectId: Schema.optionalKey(MonitorSpec.fields.projectId),
      type: MonitorSpec.fields.type,
      config: MonitorSpec.fields.config,
      timeout: MonitorSpec.fields.timeout
    },
    success: Outcome,
    error: CheckNotRun
  }),
  Rpc.make("ProbeInfo", { success: ProbeInfo })
) {}
