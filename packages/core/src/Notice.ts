/** A notice: the data of a notification. Every channel formats the same notice in its own way. */
import { Explanation } from "@kanmon/domain/Explanation"
import { Locale } from "@kanmon/domain/Locale"
import { Failure, Timing } from "@kanmon/domain/Observation"
import { PageReason } from "@kanmon/domain/PageReason"
import { Severity } from "@kanmon/domain/Severity"
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
  "external",
  "external_resolved",
  "test"
])
export type NoticeEvent = typeof NoticeEvent.Type

/** One region's result when the notice was written. */
export const NoticeRegion = Schema.Struct({
  region: Schema.String,
  status: RegionStatus,
  /** Milliseconds. */
  responseTime: Schema.NullOr(Schema.Finite),
  failure: Schema.NullOr(Failure)
})
export type NoticeRegion = typeof NoticeRegion.Type

/** One alert of a burst. */
export const GroupedAlert = Schema.Struct({
  alertId: Schema.String,
  event: NoticeEvent,
  severity: Severity,
  monitor: Schema.Struct({ id: Schema.String, name: Schema.String, type: Schema.String, target: Schema.String }),
  reason: Schema.String,
  explanation: Schema.optionalKey(Explanation),
  startedAt: Timestamp,
  /** When the certificate or the domain expires, for alerts about one. */
  expiresAt: Schema.optionalKey(Schema.NullOr(Timestamp))
})
export type GroupedAlert = typeof GroupedAlert.Type

export const Notice = Schema.Struct({
  /** The same in every delivery attempt of this notice. */
  id: Schema.String,
  /** The same in every notice of one alert, from opening to recovery. */
  alertId: Schema.String,
  event: NoticeEvent,
  /** How urgent the alert is, also in its recovery; the most urgent one where the notice tells of several alerts. `info` for a test of a channel. */
  severity: Severity,
  /** When the event was detected. */
  at: Timestamp,
  /** The IANA time zone in which texts show times: that of the project, or of the account that is written to. Absent: UTC. */
  zone: Schema.optionalKey(Schema.String),
  /** The language of the account that is written to: of a person who is paged, or of a member at a verified address. Absent: English. */
  language: Schema.optionalKey(Locale),
  project: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /**
   * True: nothing happened, and people practise. The names and the reason say so as well, so a channel type that does not know of
   * drills needs no change. Absent from all other notices.
   */
  drill: Schema.optionalKey(Schema.Boolean),
  /** Null for a test. A drill of a policy has the policy in its place. */
  rule: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /** All rules of this notice, if there are several; `rule` is the first of them. */
  rules: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String }))),
  /**
   * `target` is what is checked, in a form users recognise: a URL, `host:port`. Names are user-written text. For an alert of an
   * integration: its key, title and link at the sender, with the type of the integration. For a drill: the drill.
   */
  monitor: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    type: Schema.String,
    target: Schema.String
  }),
  /** One sentence about the failure or the recovery. It may quote the target's answer. */
  reason: Schema.String,
  /** The reason as a code and its parameters. Absent where somebody else gave it. */
  explanation: Schema.optionalKey(Explanation),
  /**
   * Why the person who reads this is paged; several where a message of several alerts has different ones. Absent from notices to
   * channels, from recoveries and from tests. `NoticeText.facts` has it in words.
   */
  why: Schema.optionalKey(Schema.Array(PageReason)),
  /** The start of the outage; also for a recovery. */
  startedAt: Timestamp,
  /** The duration of the outage; null while it lasts. */
  durationSeconds: Schema.NullOr(Schema.Finite),
  regions: Schema.Array(NoticeRegion),
  /** The region of the result below. */
  region: Schema.NullOr(Schema.String),
  statusCode: Schema.NullOr(Schema.Int),
  /** Milliseconds. */
  responseTime: Schema.NullOr(Schema.Finite),
  timing: Timing,
  /** When the certificate or the domain expires, for notices about one. */
  expiresAt: Schema.NullOr(Timestamp),
  /** The opening notice never reached this channel, so this one must cover both. */
  overtakesOpening: Schema.Boolean,
  /** Whether this repeats an earlier notice. */
  reminder: Schema.Boolean,
  /** The page of the monitor; for a test without a monitor, the list of the project's monitors; for an alert of an integration, its page. */
  links: Schema.Struct({ monitor: Schema.String }),
  /**
   * Opens a page on which the recipient of this notice acknowledges the alert, once and without signing in. A GET
   * changes nothing; a POST without a body acknowledges. Absent from recoveries and from tests of channels. It belongs to
   * this recipient, so it is not logged.
   */
  acknowledgeUrl: Schema.optionalKey(Schema.String),
  /**
   * How the person answers from the device, for channels with `replies`: `address` is where the provider posts, without the hook, and
   * `code` identifies the message in a text. Absent where no answer can come back: from recoveries, and where the installation has no
   * public address.
   */
  replyTo: Schema.optionalKey(Schema.Struct({ address: Schema.String, code: Schema.String })),
  /**
   * All alerts of a burst that this one notice tells of, oldest first; the other fields are those of the first. Absent from notices
   * of one alert. Channels that open incidents never get one.
   */
  group: Schema.optionalKey(Schema.Array(GroupedAlert))
})
export type Notice = typeof Notice.Type
