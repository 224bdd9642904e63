/** Properties that hold for every account and every sequence of plans. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId } from "../src/Ids.ts"
import { type FitChange, fit, type FittedMonitor } from "../src/PlanFit.ts"
import { type PlanLimits, roomOf, unlimited } from "../src/Plan.ts"

const limits: fc.Arbitrary<PlanLimits> = fc.record({
  monitors: fc.oneof(fc.constant(unlimited), fc.integer({ min: 0, max: 8 })),
  checkInterval: fc.constantFrom(10, 30, 60, 300)
})

/** An account's monitors as their owner left them, before any plan change. */
const untouched: fc.Arbitrary<ReadonlyArray<FittedMonitor>> = fc
  .array(
    fc.record({
      paused: fc.boolean(),
      interval: fc.integer({ min: 10, max: 400 }),
      retry: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      createdAt: fc.integer({ min: 0, max: 5 })
    }),
    { maxLength: 12 }
  )
  .map((rows) =>
    rows.map(({ retry, ...row }, index) => ({
      ...row,
      retryInterval: retry === null ? null : 10 + Math.floor(retry * (row.interval - 10)),
      id: MonitorId.make(`mon_${String(index).padStart(3, "0")}`),
      timeout: 10,
      pausedByPlan: false,
      wantedInterval: null,
      wantedRetryInterval: null
    }))
  )

const apply = (
  monitors: ReadonlyArray<FittedMonitor>,
  changes: ReadonlyArray<FitChange>
): ReadonlyArray<FittedMonitor> => {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return monitors.map((monitor) => ({ ...monitor, ...byId.get(monitor.id) }))
}

const under = (monitors: ReadonlyArray<FittedMonitor>, plan: PlanLimits) => apply(monitors, fit(monitors, plan))
const through = (monitors: ReadonlyArray<FittedMonitor>, plans: ReadonlyArray<PlanLimits>) =>
  plans.reduce(under, monitors)
const running = (monitors: ReadonlyArray<FittedMonitor>) => monitors.filter(({ paused }) => !paused)

describe("PlanFit", () => {
  it("never exceeds the plan's number of monitors or its shortest interval", () => {
    fc.assert(
      fc.property(untouched, fc.array(limits, { minLength: 1, maxLength: 4 }), (monitors, plans) => {
        const last = plans.at(-1)!
        const left = through(monitors, plans)
        assert.isAtMost(running(left).length, roomOf(last))
        for (const { interval } of left) assert.isAtLeast(interval, last.checkInterval)
      })
    )
  })

  it("keeps retry intervals between the plan's shortest interval and the monitor's, and never adds one", () => {
    fc.assert(
      fc.property(untouched, fc.array(limits, { minLength: 1, maxLength: 4 }), (monitors, plans) => {
        through(monitors, plans).forEach(({ interval, retryInterval }, index) => {
          const chosen = monitors[index]!.retryInterval
          if (chosen === null || retryInterval === null) return assert.strictEqual(retryInterval, chosen)
          assert.isAtLeast(retryInterval, plans.at(-1)!.checkInterval)
          assert.isAtMost(retryInterval, interval)
          assert.isAtLeast(retryInterval, chosen)
        })
      })
    )
  })

  it("changes nothing when applied again", () => {
    fc.assert(
      fc.property(untouched, fc.array(limits, { minLength: 1, maxLength: 4 }), (monitors, plans) => {
        assert.deepStrictEqual(fit(through(monitors, plans), plans.at(-1)!), [])
      })
    )
  })

  it("restores everything when the plan allows it, after any changes in between", () => {
    fc.assert(
      fc.property(untouched, fc.array(limits, { maxLength: 4 }), (monitors, plans) => {
        const roomy = { monitors: unlimited, checkInterval: 10 }
        assert.deepStrictEqual(through(monitors, [...plans, roomy]), monitors)
      })
    )
  })

  it("does not resume what the user paused", () => {
    fc.assert(
      fc.property(untouched, fc.array(limits, { maxLength: 4 }), (monitors, plans) => {
        const left = through(monitors, plans)
        monitors.forEach(({ paused }, index) => {
          if (paused) assert.deepInclude(left[index]!, { paused: true, pausedByPlan: false })
        })
      })
    )
  })

  it("pauses no more than necessary, and the newest first", () => {
    fc.assert(
      fc.property(untouched, limits, (monitors, plan) => {
        const left = under(monitors, plan)
        const stopped = left.filter(({ pausedByPlan }) => pausedByPlan)
        assert.strictEqual(stopped.length, Math.max(0, running(monitors).length - roomOf(plan)))
        const youngest = Math.max(...running(left).map(({ createdAt }) => createdAt))
        for (const { createdAt } of stopped) assert.isAtLeast(createdAt, youngest)
      })
    )
  })

  it("prefers running monitors over paused ones", () => {
    fc.assert(
      fc.property(untouched, limits, limits, (monitors, smaller, larger) => {
        const before = under(monitors, { ...smaller, checkInterval: 10 })
        const after = under(before, { monitors: Math.max(roomOf(smaller), roomOf(larger)), checkInterval: 10 })
        before.forEach(({ paused }, index) => {
          if (!paused) assert.isFalse(after[index]!.paused)
        })
      })
    )
  })

  it("restores the chosen interval, but not below a timeout that was raised since", () => {
    const monitor: FittedMonitor = {
      id: MonitorId.make("mon_1"),
      createdAt: 0,
      paused: false,
      pausedByPlan: false,
      interval: 10,
      wantedInterval: null,
      retryInterval: null,
      wantedRetryInterval: null,
      timeout: 10
    }
    const raised = under([monitor], { monitors: 50, checkInterval: 60 })
    assert.deepInclude(raised[0]!, { interval: 60, wantedInterval: 10 })
    assert.deepInclude(under(raised, { monitors: 50, checkInterval: 30 })[0]!, { interval: 30, wantedInterval: 10 })
    const patient = raised.map((one) => ({ ...one, timeout: 44.5 }))
    const lowered = under(patient, { monitors: 50, checkInterval: 10 })
    assert.deepInclude(lowered[0]!, { interval: 45, wantedInterval: 10 })
  })

  it("restores the chosen retry interval, but not above an interval that is restored below it", () => {
    const monitor: FittedMonitor = {
      id: MonitorId.make("mon_1"),
      createdAt: 0,
      paused: false,
      pausedByPlan: false,
      interval: 40,
      wantedInterval: null,
      retryInterval: 20,
      wantedRetryInterval: null,
      timeout: 10
    }
    const raised = under([monitor], { monitors: 50, checkInterval: 60 })
    assert.deepInclude(raised[0]!, { interval: 60, retryInterval: 60, wantedRetryInterval: 20 })
    const half = under(raised, { monitors: 50, checkInterval: 30 })
    assert.deepInclude(half[0]!, { interval: 40, retryInterval: 30, wantedRetryInterval: 20 })
    assert.deepStrictEqual(under(half, { monitors: 50, checkInterval: 10 }), [monitor])
    const chosen = raised.map((one) => ({ ...one, retryInterval: 60, wantedRetryInterval: null }))
    const lowered = under(chosen, { monitors: 50, checkInterval: 10 })
    assert.deepInclude(lowered[0]!, { interval: 40, retryInterval: 40 })
  })
})
