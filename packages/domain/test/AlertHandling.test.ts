import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import type { AlertActor } from "../src/Alert.ts"
import {
  type Act,
  actorInWords,
  type Handling,
  handle,
  isReminded,
  stateInWords,
  stateOf
} from "../src/AlertHandling.ts"

const actor: fc.Arbitrary<AlertActor> = fc.record({
  kind: fc.constantFrom("user", "key", "link"),
  name: fc.constantFrom("Ada", "Ben", "Cleo")
})
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ _tag: fc.constant("Acknowledge" as const), note: fc.constantFrom(null, "on it") }),
  fc.constant({ _tag: "Unacknowledge" as const }),
  fc.record({ _tag: fc.constant("Snooze" as const), until: fc.integer({ min: 1, max: 200 }) })
)
const steps = fc.array(fc.tuple(act, actor), { maxLength: 12 })

const opened: Handling = {
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null
}

/** The alert after each step; one step takes one millisecond. */
const play = (all: ReadonlyArray<readonly [Act, AlertActor]>) => {
  const seen: Array<{ readonly before: Handling; readonly after: Handling; readonly refused: string | undefined }> = []
  let alert = opened
  for (const [index, [what, by]] of all.entries()) {
    const handled = handle(alert, what, by, index)
    const after = Result.isSuccess(handled) ? (handled.success ?? alert) : alert
    seen.push({ before: alert, after, refused: Result.isFailure(handled) ? handled.failure.detail : undefined })
    alert = after
  }
  return seen
}

describe("handle", () => {
  it("lets one of two people win, and names the winner to the other", () =>
    fc.assert(
      fc.property(steps, (all) => {
        for (const [index, { after, before, refused }] of play(all).entries()) {
          const [what] = all[index]!
          const isTaken = before.acknowledgedAt !== null && what._tag === "Acknowledge"
          assert.strictEqual(refused !== undefined, isTaken)
          if (refused === undefined) continue
          assert.include(refused, actorInWords(before.acknowledgedBy))
          assert.deepStrictEqual(after, before)
        }
      })
    ))

  it("is in exactly one state, and reminds in that of an open alert alone", () =>
    fc.assert(
      fc.property(steps, fc.nat(300), (all, now) => {
        for (const { after } of play(all)) {
          assert.isFalse(after.acknowledgedAt !== null && after.snoozedUntil !== null)
          assert.strictEqual(isReminded(after, now), stateOf(after, now) === "open")
          if (after.acknowledgedAt !== null) assert.strictEqual(stateOf(after, now), "acknowledged")
          if (after.snoozedUntil !== null)
            assert.strictEqual(stateOf(after, now), now < after.snoozedUntil ? "snoozed" : "open")
        }
      })
    ))

  it("refuses everything once the alert is resolved", () =>
    fc.assert(
      fc.property(steps, act, actor, (all, what, by) => {
        const alert = { ...(play(all).at(-1)?.after ?? opened), resolvedAt: 50 }
        assert.isTrue(Result.isFailure(handle(alert, what, by, 60)))
        assert.strictEqual(stateOf(alert, 60), "resolved")
      })
    ))

  it("leaves nothing behind when it is taken back", () =>
    fc.assert(
      fc.property(steps, actor, (all, by) => {
        const alert = play(all).at(-1)?.after ?? opened
        const back = handle(alert, { _tag: "Unacknowledge" }, by, 100)
        assert.deepStrictEqual(Result.getOrThrow(back) ?? alert, opened)
      })
    ))
})

describe("stateInWords", () => {
  it("names the state, and who handles the alert while it is handled", () =>
    fc.assert(
      fc.property(steps, fc.nat(300), fc.boolean(), (all, now, isOver) => {
        const alert = { ...(play(all).at(-1)?.after ?? opened), openedAt: 0, resolvedAt: isOver ? 250 : null }
        const words = stateInWords(alert, now)
        const state = stateOf(alert, now)
        assert.match(
          words,
          { open: /^Open since /, acknowledged: /^Ack/, snoozed: /^Snoozed/, resolved: /^Res/ }[state]
        )
        if (state === "acknowledged") assert.include(words, actorInWords(alert.acknowledgedBy))
        if (state === "snoozed") assert.include(words, actorInWords(alert.snoozedBy))
      })
    ))
})
