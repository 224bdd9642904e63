/**
 * The requests that a probe answers on `Subjects.probeCalls`: check one of its monitors now, try unsaved settings, and
 * identify itself.
 */
import { clockStatuses } from "@kanmon/domain/ClockOffset"
import { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import { CheckOutcome, Observation } from "@kanmon/domain/Observation"
import { Region } from "@kanmon/domain/Region"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { CheckNotRun } from "./ActorMessage.ts"

export { CheckNotRun } from "./ActorMessage.ts"

/** The result of a test, with what the target answered if the check failed. Probes of older versions send no capture. */
export const TestOutcome = Schema.Struct({ ...CheckOutcome.fields, capture: Observation.fields.capture })
export type TestOutcome = typeof TestOutcome.Type

/** Another probe of the region has the monitor, or the requested revision has not arrived yet. */
export class NotWatchedHere extends Schema.TaggedError<NotWatchedHere>()("NotWatchedHere", { monitorId: MonitorId }) {}

export const ProbeInfo = Schema.Struct({
  probeId: Schema.String,
  region: Region,
  version: Schema.String,
  startedAt: Timestamp,
  /** Number of monitors assigned to the probe. */
  monitors: Schema.Int,
  /** Whether it has no network connection, so that failures count as unknown. Older probes do not say. */
  offline: Schema.optionalKey(Schema.Boolean),
  /** Its clock against the bus's. Older probes do not say. */
  clock: Schema.optionalKey(
    Schema.Struct({ offsetMillis: Schema.NullOr(Schema.Int), status: Schema.Literals(clockStatuses) })
  )
})

export class ProbeCalls extends RpcGroup.make(
  /**
   * Checks a monitor outside its schedule. The result is published and evaluated like any observation, and returned as
   * published. `revision` is the oldest acceptable revision of the monitor's settings.
   */
  Rpc.make("CheckNow", {
    payload: { monitorId: MonitorId, revision: Schema.Int },
    success: CheckOutcome,
    error: Schema.Union([NotWatchedHere, CheckNotRun])
  }),
  /** Runs one check of unsaved settings for a project, with the usual limits and network policy. */
  Rpc.make("RunCheck", {
    payload: {
      /** Absent in requests of an older API. */
      projectId: Schema.optionalKey(MonitorSpec.fields.projectId),
      type: MonitorSpec.fields.type,
      config: MonitorSpec.fields.config,
      timeout: MonitorSpec.fields.timeout
    },
    success: TestOutcome,
    error: CheckNotRun
  }),
  Rpc.make("ProbeInfo", { success: ProbeInfo })
) {}
