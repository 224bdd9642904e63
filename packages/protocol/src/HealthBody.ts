/** The response of `/health`. */
import { clockStatuses } from "@kanmon/domain/ClockOffset"
import { Schema } from "effect"

/** Work in which the event loop of this process did not turn for seconds, so that the process was started again. */
const Stall = Schema.Struct({
  at: Schema.String,
  /** How long the loop had not turned. */
  stalledMillis: Schema.Int,
  /** What ran: `check`, `channel`, `auth`, `plugin` or `request`; null where it is not known. */
  kind: Schema.NullOr(Schema.String),
  /** The id of the monitor or channel, or the name of the plugin; null for a request. */
  key: Schema.NullOr(Schema.String),
  /** The type of the check or channel, or the route. */
  label: Schema.NullOr(Schema.String),
  /** Bytes of input, where that is known. */
  size: Schema.NullOr(Schema.Int),
  /** The third-party plugin that was running. */
  plugin: Schema.NullOr(Schema.String),
  /** The innermost calls first; empty where the process was in a system call or in native code. */
  stack: Schema.Array(Schema.String),
  /** Whether this work is not run any more until it is changed. */
  quarantined: Schema.Boolean
})

/** `unavailable` when a dependency is down, checks are late, or messages wait too long for the bus. */
export const Health = Schema.Struct({
  status: Schema.Literals(["ok", "unavailable"]),
  version: Schema.String,
  /** `none`: this process does without (a probe apart from the rest). */
  database: Schema.Literals(["ok", "down", "none"]),
  bus: Schema.Literals(["ok", "down"]),
  scheduler: Schema.Literals(["ok", "late"]),
  /** `refused`: the bus does not take some of the messages; see `refusals`. */
  outbox: Schema.Literals(["ok", "late", "refused"]),
  /** Permissions that the bus denies to roles, one sentence each. */
  refusals: Schema.Array(Schema.String),
  /** `offline`: this process's probe has no network connection, so failed checks are reported as unknown. */
  connectivity: Schema.Literals(["ok", "offline"]),
  /**
   * This process's clock against the bus's. `offsetMillis`: positive when it is behind, null until it was measured. `corrected`:
   * more than 2 s off, times are corrected. `wrong`: more than 30 s off, a probe's results count as unknown.
   */
  clock: Schema.Struct({
    offsetMillis: Schema.NullOr(Schema.Int),
    status: Schema.Literals(clockStatuses)
  }),
  /**
   * Monitors of the installation with overdue results; null if this process has no database, or the database is down.
   */
  stale: Schema.NullOr(Schema.Int),
  /** Probes alive, by region. */
  probes: Schema.Record(Schema.String, Schema.Int),
  /** The newest of this process, at most twenty, newest first; see the operator's handbook on watching Kanmon. */
  stalls: Schema.Array(Stall)
}).annotate({ identifier: "Health" })
export type Health = typeof Health.Type
