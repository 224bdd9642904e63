/**
 * The monitor. The fields of its type (`url`, `port`, …) are `config`, as the type's plugin encoded them; in the API they
 * are flat beside the common fields.
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { boundedText, patternText } from "./BoundedText.ts"
import { DependsOn } from "./Dependencies.ts"
import { MonitorId, ProjectId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { line } from "./Line.ts"
import { Description, GroupPath, MonitorLinks } from "./MonitorNotes.ts"
import { Failure } from "./Observation.ts"
import { Region } from "./Region.ts"
import { MonitorStatus } from "./Status.ts"
import { Tags } from "./Tag.ts"
import { Timestamp } from "./Timestamp.ts"

/** Seconds between checks. */
export const Interval = Schema.Int.check(
  Schema.isBetween({ minimum: 10, maximum: 86_400 }, { message: "Expected whole seconds from 10 to 86400" })
)

/** The longest period of a heartbeat, in seconds: a job that runs once a year, also in a leap year. */
export const longestPeriod = 366 * 86_400

/** Seconds between the signals of a passive monitor, which costs nothing to wait for. */
export const Period = Schema.Int.check(
  Schema.isBetween(
    { minimum: 10, maximum: longestPeriod },
    { message: `Expected whole seconds from 10 to ${longestPeriod} (366 days)` }
  )
)

/** Seconds a check may take; the API also accepts a duration string such as `"500ms"` or `"30s"`. Returned as seconds. */
export const Timeout = Schema.Union([Schema.Finite, boundedText(40)]).pipe(
  Schema.annotate({ description: 'Seconds (0.1 to 120), or a duration string such as "500ms" or "30s"' }),
  Schema.decodeTo(
    Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum: 120 }, { message: "Expected 0.1 to 120 seconds" })),
    SchemaTransformation.transformEffect({
      decode: (input: number | string, options) => {
        const seconds = typeof input === "number" ? input : parseDuration(input)
        return seconds === undefined
          ? Effect.fail(
              new SchemaIssue.InvalidValue(
                { message: 'Expected seconds, or a duration such as "500ms" or "30s"' },
                input,
                options
              )
            )
          : Effect.succeed(seconds)
      },
      encode: (seconds: number): Effect.Effect<number | string> => Effect.succeed(seconds)
    })
  )
)

const parseDuration = (text: string): number | undefined => {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m)\s*$/.exec(text)
  if (match === null) return undefined
  const amount = Number(match[1])
  return match[2] === "ms" ? amount / 1000 : match[2] === "s" ? amount : amount * 60
}

/** A display name. */
export const Name = line(200)

/** The type of a check plugin: `http`, `dns`, `tcp`, `ping`, or a third party's. */
export const MonitorType = patternText(32, /^[a-z][a-z0-9-]{1,31}$/, "Expected a type such as http")

/** The fields of a monitor's type, as its plugin encoded them. Only the plugin can validate them further. */
export const MonitorConfig = Schema.JsonObject
export type MonitorConfig = typeof MonitorConfig.Type

/** The newest failing check of a monitor, and where it was made. */
export const LastFailure = Schema.Struct({ ...Failure.fields, region: Region, at: Timestamp })

/** Fields for people, which probes do not receive. Changing one changes no check. */
export const organizing = {
  /** A set. */
  tags: Tags,
  /** A path such as `Shop/Payments`; null: none. */
  group: Schema.NullOr(GroupPath),
  /** Markdown; null: none. */
  description: Schema.NullOr(Description),
  links: MonitorLinks,
  /** Monitors of the same project. */
  dependsOn: DependsOn
}

/** The fields of every monitor type. */
export const Monitor = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  ...organizing,
  type: MonitorType,
  interval: Interval,
  /** Seconds from a failed check to the next one, until the alert opens; null: the interval. */
  retryInterval: Schema.NullOr(Interval),
  /** Seconds. */
  timeout: Schema.Finite,
  /** Empty: all. */
  regions: Schema.Array(Region),
  paused: Schema.Boolean,
  /** Why Kanmon paused it: `plan_limit` when it exceeds the plan, or its organization is disabled. Null when its owner paused it. */
  pausedReason: Schema.NullOr(Schema.Literal("plan_limit")),
  /** The interval its owner chose, when the plan raised it; null otherwise. */
  wantedInterval: Schema.NullOr(Interval),
  /** The retry interval its owner chose, when the plan raised it; null otherwise. */
  wantedRetryInterval: Schema.NullOr(Interval),
  status: MonitorStatus,
  /** A result is overdue: `status` is the last known one. */
  stale: Schema.Boolean,
  lastCheckedAt: Schema.NullOr(Timestamp),
  /** Kept after the monitor recovers; null: no check has failed. */
  lastFailure: Schema.NullOr(LastFailure),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  config: MonitorConfig,
  /** The URL token for a passive monitor's signals; null for monitors that are checked. */
  signalToken: Schema.NullOr(Schema.String)
})
export type Monitor = typeof Monitor.Type

/** How a probe repeats failed checks. */
export const Retry = Schema.Struct({
  /** Seconds from the start of a failed check to the start of the next one. */
  interval: Interval,
  /** Consecutive failures after which the normal interval applies: the most that any rule of the monitor waits for. */
  failures: Schema.Int
})
export type Retry = typeof Retry.Type

/** The fields that a probe needs to check a monitor: the value under the monitor's key in its region's bucket. */
export const MonitorSpec = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  /**
   * Groups the monitors of one account; an opaque value. Absent from specs that an older engine wrote; then the project
   * takes its place.
   */
  account: Schema.optionalKey(Schema.String),
  type: MonitorType,
  /** Seconds. */
  interval: Interval,
  /** Seconds. */
  timeout: Schema.Finite,
  /** Present when failed checks are repeated sooner than the interval. */
  retry: Schema.optionalKey(Retry),
  config: MonitorConfig,
  /** Increases with every change, so that an older spec never replaces a newer one. */
  revision: Schema.Int,
  /** When the user last changed it; a changed monitor is checked immediately. */
  changedAt: Timestamp
})
export type MonitorSpec = typeof MonitorSpec.Type

/** Statistics of `GET /monitors/{id}/stats`. Percentages; null without data. */
export const MonitorStats = Schema.Struct({
  status: MonitorStatus,
  uptime24h: Schema.NullOr(Schema.Finite),
  uptime7d: Schema.NullOr(Schema.Finite),
  uptime30d: Schema.NullOr(Schema.Finite),
  /** Mean over the last 24 hours, milliseconds. */
  avgResponseTime: Schema.NullOr(Schema.Finite),
  lastCheckedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "MonitorStats" })
export type MonitorStats = typeof MonitorStats.Type
