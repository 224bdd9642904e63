/** A notice: the fact that is sent to people. Every channel renders the same notice in its own way. */
import { Failure, Timing } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

export const NoticeEvent = Schema.Literals([
  "monitor_down",
  "monitor_up",
  "monitor_degraded",
  "monitor_degraded_recovered",
  "monitor_stale",
  "monitor_stale_recovered",
  "ssl_expiring",
  "ssl_expired",
  "ssl_invalid",
  "ssl_recovered",
  "domain_expiring",
  "domain_expired",
  "domain_recovered",
  "test"
])
export type NoticeEvent = typeof NoticeEvent.Type

/** How one region saw the monitor when the notice was written. */
export const NoticeRegion = Schema.Struct({
  region: Schema.String,
  status: RegionStatus,
  /** Milliseconds. */
  responseTime: Schema.NullOr(Schema.Finite),
  failure: Schema.NullOr(Failure)
})
export type NoticeRegion = typeof NoticeRegion.Type

export const Notice = Schema.Struct({
  /** The same in every attempt to deliver this notice. */
  id: Schema.String,
  /** The same in every notice of one alert: what opens it and what closes it. */
  alertId: Schema.String,
  event: NoticeEvent,
  /** When the fact was found. */
  at: Timestamp,
  project: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /** Null for a test. */
  rule: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /** All rules that this notice stands for, when they are several; `rule` is the first of them. */
  rules: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String }))),
  /** `target` is what is checked, in the words a person would use: a URL, `host:port`. Names are the users' own text. */
  monitor: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    type: Schema.String,
    target: Schema.String
  }),
  /** One sentence: what failed, or what is well again. It may quote the target's answer. */
  reason: Schema.String,
  /** The beginning of what the notice tells: of the outage, for a recovery too. */
  startedAt: Timestamp,
  /** How long it lasted; null while it lasts. */
  durationSeconds: Schema.NullOr(Schema.Finite),
  regions: Schema.Array(NoticeRegion),
  /** The region whose result is shown with the notice. */
  region: Schema.NullOr(Schema.String),
  statusCode: Schema.NullOr(Schema.Int),
  /** Milliseconds. */
  responseTime: Schema.NullOr(Schema.Finite),
  timing: Timing,
  /** When the certificate or the domain expires, for notices about one. */
  expiresAt: Schema.NullOr(Timestamp),
  /** The notice that opened the alert never reached this channel: this one has to say both. */
  overtakesOpening: Schema.Boolean,
  /** People were told before, and it still is so. */
  reminder: Schema.Boolean,
  links: Schema.Struct({ monitor: Schema.String })
})
export type Notice = typeof Notice.Type
