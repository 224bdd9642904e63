import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { afterMissed, fresh, missed, receive, type Signal } from "../src/Heartbeat.ts"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { refusedText } from "../src/Admission.ts"
import { aheadMillis } from "../src/Observation.ts"

const monitor = { id: MonitorId.make("mon_1"), projectId: ProjectId.make("prj_1") }
const signal = (at: number): Signal => ({ kind: "success", at, rid: "", exitCode: null, message: null, metrics: {} })
const take = (state: typeof fresh, at: number) => receive(monitor, state, signal(at), () => undefined)

describe("the observations of a heartbeat", () => {
  it("assigns unique instants in the order in which the signals arrived", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 50 }), (gaps) => {
        let state = fresh
        let at = 1_000_000
        let last = 0
        for (const gap of gaps) {
          const taken = take(state, (at += gap))
          assert.isAbove(taken.observation!.scheduledAt, last)
          assert.isAtLeast(taken.observation!.scheduledAt, at)
          last = taken.observation!.scheduledAt
          state = taken.state
        }
      })
    )
  })

  it("returns to the present after an observation that a wrong clock dated into the future", () => {
    const { state } = take(fresh, 10_000_000_000)
    const at = 10_000_000_000 - 2 * aheadMillis
    assert.strictEqual(take(state, at).observation!.scheduledAt, at)
  })

  it("tells a deadline that passed from a signal, until the next signal", () => {
    const { state } = missed(monitor, take(fresh, 1_000_000).state, 2_000_000)
    assert.deepInclude(state, { lastSignal: 2_000_000, isMissed: true, lastSuccess: 1_000_000 })
    assert.isTrue(afterMissed(fresh, 2_000_000).isMissed)
    assert.deepStrictEqual(take(state, 3_000_000).state, take(fresh, 3_000_000).state)
  })

  it("produces acceptable observations for any message and any cut", () => {
    const parts = fc.constantFrom("a".repeat(99), "a".repeat(100), "a", "😀", "\n", "é")
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 20 }),
        fc.constantFrom("success" as const, "fail" as const),
        (all, kind) => {
          const sent: Signal = { ...signal(1_000_000), kind, message: all.join("") }
          const { observation } = receive(monitor, fresh, sent, () => undefined)
          assert.isUndefined(refusedText(JSON.stringify(observation)))
        }
      ),
      { numRuns: 1000 }
    )
  })
})
