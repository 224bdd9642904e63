/**
 * Waits for signals of a job (a backup, a queue worker). A signal is expected every interval, or by a cron schedule in a
 * time zone, and counts as missed when the grace time has passed, too.
 */
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { shownWhen } from "@kanmon/core/ShownWhen"
import { filledText, filteredText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { breached, MetricRule } from "./MetricRule.ts"
import { disputed } from "./TextRule.ts"
import { expectedAfter, nextRun, scheduleProblem, timezoneProblem } from "./Schedule.ts"

const seconds = (maximum: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum }, { message: `Expected seconds from 1 to ${maximum}` }))

const Text = filledText(1000)

const config = Schema.Struct({
  grace: Schema.optionalKey(
    seconds(366 * 86_400).annotate({
      description: "Seconds a signal may be late; defaults to a tenth of the interval, and at least 60"
    })
  ),
  schedule: Schema.optionalKey(
    filteredText(200, scheduleProblem).annotate({
      description: "Cron expression (five fields, as crond reads them) of the job, instead of `interval`"
    })
  ),
  timezone: Schema.optionalKey(
    filteredText(64, timezoneProblem).annotate({
      description: "IANA time zone of the schedule; defaults to `UTC`",
      ...shownWhen("schedule")
    })
  ),
  maxRuntime: Schema.optionalKey(
    seconds(7 * 86_400).annotate({ description: "Maximum seconds of a run, from its `/start` to its success" })
  ),
  expectFirstSignal: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "Whether a missing first signal is an outage. Unless it is true, the monitor is `pending` until its first signal"
    })
  ),
  bodyContains: Schema.optionalKey(
    Text.annotate({
      description: "Must appear in the output of a success, which counts as a failure otherwise"
    })
  ),
  bodyNotContains: Schema.optionalKey(
    Text.annotate({
      description: "Must not appear in the output of a success, which counts as a failure otherwise"
    })
  ),
  metricRules: Schema.optionalKey(
    Schema.Array(MetricRule).check(Schema.isMaxLength(20)).annotate({
      description: "Limits on the metrics of signals; a violated one makes the monitor `degraded`, or `down`"
    })
  )
})

const shortestGrace = 60

const heartbeat = Check.passive({
  type: "heartbeat",
  summary: "Waits for signals of a job and reports missed ones.",
  config,
  example: { schedule: "30 3 * * *", timezone: "Europe/Berlin", grace: 900, maxRuntime: 3600 },
  validate: ({ schedule, timezone }) =>
    timezone !== undefined && schedule === undefined
      ? [{ path: "timezone", message: "A time zone requires a schedule" }]
      : [],
  overdueAt: (
    { expectFirstSignal = false, grace, maxRuntime, schedule, timezone },
    { createdAt, interval, isMissed = false, lastSignal, startedAt }
  ) => {
    const from = lastSignal ?? (expectFirstSignal ? createdAt : startedAt)
    if (from === null) return null
    const graceMillis = (grace ?? Math.max(shortestGrace, schedule === undefined ? interval / 10 : 0)) * 1000
    const expectedTime = (): number | null => {
      if (schedule === undefined) return from + interval * 1000
      const isSignal = lastSignal !== null && !isMissed
      return isSignal
        ? expectedAfter(schedule, timezone ?? "UTC", from, graceMillis)
        : nextRun(schedule, timezone ?? "UTC", from)
    }
    const expected = expectedTime()
    if (expected === null) return null
    const overdue = expected + graceMillis
    if (startedAt === null) return overdue
    // A started run is a sign of life and has its own deadline.
    return maxRuntime === undefined ? Math.max(overdue, startedAt + graceMillis) : startedAt + maxRuntime * 1000
  },
  objection: ({ metricRules = [], ...texts }, metrics, said) => {
    const broken = breached(metricRules, metrics)
    return broken?.status === "down" ? broken : (disputed(texts, said) ?? broken)
  }
})

export default Plugin.define({ name: "@kanmon/check-heartbeat", contract: 1, checks: [heartbeat] })
