/**
 * Waits for the signals of a job (a backup, a queue's worker) instead of looking itself. A signal is expected every interval,
 * or by a cron schedule in a time zone, and counts as missed when the grace time after it is over, too.
 */
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { Schema } from "effect"
import { nextRun, scheduleProblem, timezoneProblem } from "./CronSchedule.ts"
import { breached, MetricRule } from "./MetricRule.ts"

const seconds = (maximum: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum }, { message: `Expected seconds from 1 to ${maximum}` }))

const config = Schema.Struct({
  grace: Schema.optionalKey(
    seconds(7 * 86_400).annotate({
      description: "Seconds a signal may be late; a tenth of the interval, and at least 60, unless given"
    })
  ),
  schedule: Schema.optionalKey(
    Schema.String.annotate({
      description: "Cron expression (five fields) by which the job runs, instead of `interval`"
    }).check(Schema.isMaxLength(200), Schema.makeFilter(scheduleProblem))
  ),
  timezone: Schema.optionalKey(
    Schema.String.annotate({
      description: "IANA time zone of the schedule; `UTC` unless given"
    }).check(Schema.isMaxLength(64), Schema.makeFilter(timezoneProblem))
  ),
  maxRuntime: Schema.optionalKey(
    seconds(7 * 86_400).annotate({ description: "Seconds a run may take from its `/start` to its success" })
  ),
  expectFirstSignal: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "Whether the first signal may be missed, too. Unless it is true, the monitor is `pending` until its first signal"
    })
  ),
  metricRules: Schema.optionalKey(
    Schema.Array(MetricRule)
      .check(Schema.isMaxLength(20))
      .annotate({ description: "Bounds on metrics that a signal brings; a breached one is `degraded`, or `down`" })
  )
})

const shortestGrace = 60

const heartbeat = Check.passive({
  type: "heartbeat",
  summary: "Waits for the signals of a job and reports a missed one.",
  config,
  example: { schedule: "30 3 * * *", timezone: "Europe/Berlin", grace: 900, maxRuntime: 3600 },
  validate: ({ schedule, timezone }) =>
    timezone !== undefined && schedule === undefined
      ? [{ path: "timezone", message: "A time zone goes with a schedule; there is none" }]
      : [],
  overdueAt: (
    { expectFirstSignal = false, grace, maxRuntime, schedule, timezone },
    { createdAt, interval, lastSignal, startedAt }
  ) => {
    const from = lastSignal ?? (expectFirstSignal ? createdAt : startedAt)
    if (from === null) return null
    const graceMillis = (grace ?? Math.max(shortestGrace, schedule === undefined ? interval / 10 : 0)) * 1000
    const expected = schedule === undefined ? from + interval * 1000 : nextRun(schedule, timezone ?? "UTC", from)
    const overdue = expected + graceMillis
    if (startedAt === null) return overdue
    // A run that has begun is a sign of life: it has its own time now.
    return maxRuntime === undefined ? Math.max(overdue, startedAt + graceMillis) : startedAt + maxRuntime * 1000
  },
  objection: ({ metricRules = [] }, metrics) => breached(metricRules, metrics)
})

export default Plugin.define({ name: "@kanmon/check-heartbeat", contract: 1, checks: [heartbeat] })
