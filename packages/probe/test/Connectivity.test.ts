import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Connectivity from "../src/Connectivity.ts"

interface Step {
  readonly _tag: Connectivity.Event["_tag"]
  readonly news: boolean
  /** Milliseconds since the previous step, and the duration of the check. */
  readonly after: number
  readonly lasted: number
}

const tags = ["Answered", "Claimed", "Claimed", "Claimed", "Suspected", "Silent", "Unanswerable", "Elapsed"] as const

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({
    _tag: fc.constantFrom(...tags),
    news: fc.boolean(),
    after: fc.oneof(fc.nat(2000), fc.nat(60_000)),
    lasted: fc.nat(30_000)
  }),
  { maxLength: 60 }
)

interface Past {
  readonly event: Connectivity.Event
  readonly before: Connectivity.State
  readonly decision: Connectivity.Decision
  /** End times of the claims held after this step. */
  readonly held: ReadonlyArray<number>
  readonly released: ReadonlyArray<number>
}

/** The outcomes of events when held claims are treated as the decisions say. */
const follow = (all: ReadonlyArray<Step>, referenced: boolean): ReadonlyArray<Past> => {
  let at = 1_000_000
  let state = Connectivity.initial
  let held: ReadonlyArray<number> = []
  return all.map(({ _tag, after, lasted, news }) => {
    at += after
    const event = { _tag, at, ...(_tag === "Claimed" ? { began: at - lasted, news } : {}) } as Connectivity.Event
    const before = state
    const decision = Connectivity.decide(state, event, referenced)
    state = decision.state
    const released = decision.held === undefined ? [] : held
    if (decision.held !== undefined) held = []
    if (decision.claim === "hold") held = [...held, at]
    return { event, before, decision, held, released }
  })
}

const always = (referenced: boolean, law: (past: ReadonlyArray<Past>) => void): void =>
  fc.assert(
    fc.property(steps, (all) => law(follow(all, referenced))),
    { numRuns: 2000 }
  )

describe.each([true, false])("connectivity (with reference targets: %s)", (referenced) => {
  it("is offline only after everything that was asked was silent, and online with the first answer", () => {
    always(referenced, (past) => {
      for (const { before, decision, event } of past) {
        if (decision.state._tag === "Offline" && before._tag !== "Offline") {
          assert.strictEqual(before._tag, "Doubtful")
          assert.strictEqual(event._tag, "Silent")
        }
        if (event._tag === "Answered") assert.strictEqual(decision.state._tag, "Online")
      }
    })
  })

  it("settles every claim, and holds none while it is online", () => {
    always(referenced, (past) => {
      for (const { decision, event, held } of past) {
        assert.strictEqual(decision.claim !== undefined, event._tag === "Claimed")
        if (!Connectivity.isAsking(decision.state)) assert.deepStrictEqual(held, [])
      }
    })
  })

  it("holds no claim for longer than two minutes", () => {
    always(referenced, (past) => {
      for (const { event, held } of past)
        for (const ended of held) assert.isBelow(event.at - ended, Connectivity.longestOffline)
    })
  })

  it("reports each change once, alternating", () => {
    always(referenced, (past) => {
      const changes = past.flatMap(({ decision }) => decision.change ?? [])
      changes.forEach((change, index) => assert.strictEqual(change === "offline", index % 2 === 0))
    })
  })

  it("accepts a claim that does not change the status without asking", () => {
    always(referenced, (past) => {
      for (const { before, decision, event } of past) {
        if (before._tag !== "Online" || event._tag !== "Claimed" || event.news || event.began < before.offlineUntil)
          continue
        assert.strictEqual(decision.claim, "report")
        assert.strictEqual(decision.state._tag, "Online")
      }
    })
  })
})

describe("connectivity", () => {
  it("settles held claims as unknown only when an answer ends an offline period", () => {
    always(false, (past) => {
      for (const { before, decision, event, released } of past) {
        if (released.length === 0) continue
        const ended = before._tag === "Offline" && event._tag === "Answered" && decision.change === "online"
        assert.strictEqual(decision.held, ended ? "unknown" : "report")
      }
    })
  })

  it("is offline for two minutes at most without reference targets, and not again before something answers", () => {
    always(false, (past) => {
      let answered = true
      for (const { decision, event } of past) {
        if (event._tag === "Answered") answered = true
        if (decision.change === "given up") answered = false
        if (decision.state._tag !== "Offline") continue
        assert.isTrue(answered)
        assert.isBelow(event.at - decision.state.since, Connectivity.longestOffline)
      }
    })
  })

  it("never gives up on reference targets", () => {
    always(true, (past) => {
      for (const { before, decision, event } of past) {
        assert.notStrictEqual(decision.change, "given up")
        if (before._tag === "Offline" && event._tag !== "Answered") assert.strictEqual(decision.state._tag, "Offline")
      }
    })
  })

  it("treats a check that began offline as unknown, even if it ends online", () => {
    const { decide } = Connectivity
    let { state } = decide(Connectivity.initial, { _tag: "Claimed", at: 1000, began: 900, news: true }, false)
    state = decide(state, { _tag: "Silent", at: 3000 }, false).state
    state = decide(state, { _tag: "Answered", at: 9000 }, false).state
    assert.strictEqual(decide(state, { _tag: "Claimed", at: 9500, began: 8000, news: true }, false).claim, "unknown")
    assert.strictEqual(decide(state, { _tag: "Claimed", at: 9500, began: 9001, news: true }, false).claim, "hold")
  })
})
