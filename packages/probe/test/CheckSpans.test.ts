/** Spans of checks: which checks are traced, and what their spans say. */
import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Effect, Tracer } from "effect"
import * as CheckSpans from "../src/CheckSpans.ts"

const observed = (status: RegionStatus, name = "one"): Observation => ({
  monitorId: MonitorId.make(`mon_${name}`),
  projectId: ProjectId.make("prj_one"),
  region: "eu-west",
  slot: 1,
  scheduledAt: 1000,
  checkedAt: 1005,
  finishedAt: 1025,
  status,
  responseTime: status === "up" ? 20 : null,
  timing: {},
  failure: status === "up" ? null : { code: "timeout", message: "too slow" },
  facts: {}
})

const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const make = (share: number) => Effect.map(Effect.withTracer(CheckSpans.make(share), tracer), (made) => made!)
  return { spans, make }
}

describe("CheckSpans", () => {
  it.effect("records nothing without an exporting tracer", () =>
    Effect.map(CheckSpans.make(1), (made) => assert.isUndefined(made))
  )

  it.effect("traces checks that fail and the first that passes afterwards", () =>
    Effect.gen(function* () {
      const { make, spans } = recording()
      const { forget, record } = yield* make(0)
      const traced = (status: RegionStatus, name?: string) => record(observed(status, name), "tcp") !== undefined
      assert.isFalse(traced("up"))
      assert.isFalse(traced("unknown"))
      assert.isTrue(traced("down"))
      assert.isFalse(traced("up", "two"))
      assert.isTrue(traced("degraded"))
      assert.isTrue(traced("down"))
      assert.isFalse(traced("unknown"))
      assert.isTrue(traced("up"))
      assert.isFalse(traced("up"))
      assert.isTrue(traced("down"))
      forget("mon_one")
      assert.isFalse(traced("up"))
      assert.strictEqual(spans.length, 5)
    })
  )

  it.effect("limits the traces of a mass outage, and traces failures again afterwards", () =>
    Effect.gen(function* () {
      const { make, spans } = recording()
      const { record } = yield* make(0)
      const minute = CheckSpans.maxTraced.periodMillis
      /** Every one of 2000 monitors, within a minute. */
      const round = (status: RegionStatus, from: number) => {
        for (let index = 0; index < 2000; index++) {
          const at = from + Math.floor((index * minute) / 2000)
          record({ ...observed(status, String(index)), checkedAt: at, finishedAt: at }, "tcp")
        }
      }
      for (let passed = 0; passed < 5; passed++) round("down", passed * minute)
      const { limit } = CheckSpans.maxTraced
      assert.isAtMost(spans.length, 6 * limit, "the allowance of five minutes, and what was saved before")
      assert.isAtLeast(spans.length, 5 * limit - 5)
      const before = spans.length
      round("up", 5 * minute)
      assert.isAtMost(spans.length - before, limit + 1, "recoveries count too")
      const later = { checkedAt: 60 * minute, finishedAt: 60 * minute }
      assert.isDefined(record({ ...observed("down"), ...later }, "tcp"))
    })
  )

  it.effect("traces every check with a share of 1, each in its own trace", () =>
    Effect.gen(function* () {
      const { make, spans } = recording()
      const { record } = yield* make(1)
      const first = record(observed("up"), "tcp")
      record(observed("unknown"), "tcp")
      const [one, two] = spans
      assert.strictEqual(first, `00-${one!.traceId}-${one!.spanId}-01`)
      assert.notStrictEqual(one!.traceId, two!.traceId)
    })
  )

  it.effect("records when the check ran, of what, and its result", () =>
    Effect.gen(function* () {
      const { make, spans } = recording()
      const { record } = yield* make(0)
      record(observed("down"), "tcp")
      const [span] = spans
      const status = span!.status
      assert.strictEqual(status._tag, "Ended")
      assert.strictEqual(status.startTime, 1_005_000_000n)
      if (status._tag === "Ended") {
        assert.strictEqual(status.endTime, 1_025_000_000n)
        assert.strictEqual(status.exit._tag, "Failure")
      }
      assert.deepStrictEqual(Object.fromEntries(span!.attributes), {
        "kanmon.monitor.id": "mon_one",
        "kanmon.project.id": "prj_one",
        "kanmon.region": "eu-west",
        "kanmon.check.type": "tcp",
        "kanmon.check.status": "down",
        "kanmon.check.delay_ms": 5,
        "kanmon.check.failure": "timeout"
      })
    })
  )
})
