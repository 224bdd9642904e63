/**
 * A monitor as every part of Kanmon sees it. The fields of its type (`url`, `port`, …) are `config`, kept as the type's
 * plugin encoded them; on the wire they stand flat beside the common fields.
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { MonitorId, ProjectId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { Region } from "./Region.ts"
import { MonitorStatus } from "./Status.ts"
import { Timestamp } from "./Timestamp.ts"

/** Seconds between checks. */
export const Interval = Schema.Int.check(
  Schema.isBetween({ minimum: 10, maximum: 86_400 }, { message: "Expected whole seconds from 10 to 86400" })
)

/** Seconds a check may take; on the wire also a duration string such as `"500ms"` or `"30s"`. Returned as seconds. */
export const Timeout = Schema.Union([Schema.Finite, Schema.String]).pipe(
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

/** The name a person gives. */
export const Name = Schema.String.check(
  Schema.isPattern(/^(?=.*\S)[^\p{Cc}]{1,200}$/u, {
    message: "Expected 1 to 200 characters, without control characters"
  })
)

/** The name of a check plugin's type: `http`, `dns`, `tcp`, `ping`, or a third party's. */
export const MonitorType = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{1,31}$/))

/** The fields every monitor has, whatever its type. */
export const Monitor = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  type: MonitorType,
  interval: Interval,
  /** Seconds. */
  timeout: Schema.Finite,
  /** Empty: all. */
  regions: Schema.Array(Region),
  paused: Schema.Boolean,
  /** Who paused it, where it was not its owner: `plan_limit`, the plan had no room for it. */
  pausedReason: Schema.NullOr(Schema.Literal("plan_limit")),
  /** The interval its owner chose, where the plan raised it; null otherwise. */
  wantedInterval: Schema.NullOr(Interval),
  status: MonitorStatus,
  /** It should have had a result by now, and has not: `status` is what was known last. */
  stale: Schema.Boolean,
  lastCheckedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** The type's own fields, encoded by its plugin. */
  config: Schema.JsonObject,
  /** What a passive monitor's signals are sent to; null for those that are checked. */
  signalToken: Schema.NullOr(Schema.String)
})
export type Monitor = typeof Monitor.Type

/** What a probe needs to watch a monitor: the value under the monitor's key in its region's bucket. */
export const MonitorSpec = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  /**
   * Whose monitor it is: the same text for all projects of one account, and nothing else can be learned from it. Absent from
   * specs that an older engine wrote; then the project stands for its account.
   */
  account: Schema.optionalKey(Schema.String),
  type: MonitorType,
  /** Seconds. */
  interval: Interval,
  /** Seconds. */
  timeout: Schema.Finite,
  config: Schema.JsonObject,
  /** Grows with every change of the monitor, so that an older spec never replaces a newer one. */
  revision: Schema.Int,
  /** When the user last changed it: a monitor that was just changed is checked at once. */
  changedAt: Timestamp
})
export type MonitorSpec = typeof MonitorSpec.Type

/** Statistics of `GET /monitors/{id}/stats`. Percentages; null where nothing is known yet. */
export const MonitorStats = Schema.Struct({
  status: MonitorStatus,
  uptime24h: Schema.NullOr(Schema.Finite),
  uptime7d: Schema.NullOr(Schema.Finite),
  uptime30d: Schema.NullOr(Schema.Finite),
  /** Mean over the last 24 hours, milliseconds. */
  avgResponseTime: Schema.NullOr(Schema.Finite),
  lastCheckedAt: Schema.NullOr(Timestamp)
})
export type MonitorStats = typeof MonitorStats.Type
