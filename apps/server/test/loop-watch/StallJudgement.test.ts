import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as StallJudgement from "../../src/loop-watch/StallJudgement.ts"

type Look = StallJudgement.Look

/** Between two looks: the loop turned or not, and its thread computed for a part of the time. */
interface Step {
  readonly turned: boolean
  readonly elapsed: number
  readonly computed: number
  readonly isAsleep: boolean | undefined
}

const start: Look = { turns: 0, at: 0, cpu: 0, isAsleep: false, isDebugged: false }

const judged = (steps: ReadonlyArray<Step>, isDebugged = false): StallJudgement.Judgement => {
  let judgement = StallJudgement.begin({ ...start, isDebugged })
  for (const { computed, elapsed, isAsleep, turned } of steps) {
    const { at, cpu, turns } = judgement.look
    judgement = StallJudgement.next(judgement, {
      turns: turns + (turned ? 1 : 0),
      at: at + elapsed,
      cpu: cpu + computed * elapsed,
      isAsleep,
      isDebugged
    })
  }
  return judgement
}

const seconds = (count: number, step: Partial<Step> = {}): ReadonlyArray<Step> =>
  Array.from({ length: count }, () => ({ turned: false, elapsed: 1000, computed: 0, isAsleep: false, ...step }))

const stalls = (steps: ReadonlyArray<Step>, hasStarted = true): boolean =>
  StallJudgement.isStalled(judged(steps), hasStarted)

const anySteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({
    turned: fc.boolean(),
    elapsed: fc.integer({ min: 0, max: 100_000 }),
    computed: fc.double({ min: 0, max: 1, noNaN: true }),
    isAsleep: fc.constantFrom(true, false, undefined)
  }),
  { maxLength: 40 }
)

describe("StallJudgement", () => {
  it("tells of a loop that computes for five seconds, and not of one that computed for less", () => {
    assert.isFalse(stalls(seconds(4, { computed: 1 })))
    assert.isTrue(stalls(seconds(5, { computed: 1 })))
  })

  it("tells of a loop that waits in a system call for five seconds", () => {
    assert.isFalse(stalls(seconds(4, { isAsleep: true })))
    assert.isTrue(stalls(seconds(5, { isAsleep: true })))
  })

  it("gives a process that starts more time", () => {
    assert.isFalse(stalls(seconds(14, { computed: 1 }), false))
    assert.isTrue(stalls(seconds(15, { computed: 1 }), false))
  })

  it("waits for a starved process, and not for ever for a loop on a busy machine", () => {
    assert.isFalse(stalls(seconds(10_000)))
    assert.isFalse(stalls(seconds(12, { computed: 0.2 })))
    assert.isTrue(stalls(seconds(15, { computed: 0.2 })))
  })

  it("takes longer where it cannot see whether the thread waits", () => {
    assert.isFalse(stalls(seconds(14, { isAsleep: undefined })))
    assert.isTrue(stalls(seconds(16, { isAsleep: undefined })))
    assert.isTrue(stalls(seconds(5, { isAsleep: undefined, computed: 1 })))
  })

  it("never tells of a loop that turned since the look before", () =>
    fc.assert(
      fc.property(anySteps, (steps) =>
        assert.isFalse(stalls([...steps, { turned: true, elapsed: 1000, computed: 1, isAsleep: true }]))
      )
    ))

  it("never tells of a process that was suspended, however long", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.boolean(), (elapsed, isAsleep) =>
        assert.isFalse(stalls([{ turned: false, elapsed, computed: 0, isAsleep }]))
      )
    ))

  it("never tells while a debugger is attached", () =>
    fc.assert(fc.property(anySteps, (steps) => assert.isFalse(StallJudgement.isStalled(judged(steps, true), true)))))

  it("counts no time twice, and none that did not pass", () =>
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { elapsed, own } = judged(steps)
        const last = steps.findLastIndex(({ turned }) => turned)
        const passed = steps.slice(last + 1).reduce((sum, step) => sum + step.elapsed, 0)
        assert.isAtMost(own, elapsed + 1e-6)
        assert.isAtMost(elapsed, passed)
      })
    ))
})
