import { assert, describe, it } from "@effect/vitest"
import type { RecipientProgress } from "@kanmon/domain/RecipientProgress"
import { detailOf, outcomeOf } from "../../src/delivery/RecipientOutcome.ts"

const row = (
  recipient: string,
  outcome: RecipientProgress["outcome"],
  dueAt: number | null = null
): RecipientProgress => ({ recipient, outcome, attempts: 1, dueAt, detail: `${outcome}!` })

const rest = 90_000

describe("a channel with several recipients", () => {
  it("rests only when none of them got the message", () => {
    const failing = [row("ada", "waiting", 10), row("ben", "waiting", 20)]
    assert.deepStrictEqual(outcomeOf(["ada", "ben"], failing, rest, 5), {
      _tag: "Retry",
      at: 10,
      restUntil: rest,
      isFailure: true
    })
    assert.deepStrictEqual(outcomeOf(["ada", "ben"], [row("ada", "delivered"), failing[1]!], rest, 5), {
      _tag: "Retry",
      at: 20,
      restUntil: null,
      isFailure: false
    })
    assert.deepStrictEqual(outcomeOf(["ada", "ben"], failing.slice(0, 1), rest, 5), { _tag: "Continue" })
  })

  it("is switched off only when all of them are gone", () => {
    const all = ["ada", "ben"]
    const disable = (progress: ReadonlyArray<RecipientProgress>) => outcomeOf(all, progress, null, 5)
    assert.deepStrictEqual(disable([row("ada", "gone"), row("ben", "gone")]), { _tag: "Failed", disable: true })
    assert.deepStrictEqual(disable([row("ada", "gone"), row("ben", "failed")]), { _tag: "Failed", disable: false })
    assert.deepStrictEqual(disable([row("ada", "gone"), row("ben", "delivered")]), { _tag: "Failed", disable: false })
    assert.deepStrictEqual(disable([row("ada", "delivered"), row("ben", "delivered")]), { _tag: "Delivered" })
  })

  it("says who has not got it, and why", () => {
    const people = [
      { name: "ada", text: "Ada@example.test" },
      { name: "ben", text: "ben@example.test" }
    ]
    const got = row("ada", "delivered")
    assert.strictEqual(detailOf(people, [got, row("ben", "failed")]), "ben@example.test: failed!")
    assert.strictEqual(
      detailOf(people, [row("ben", "failed"), row("ada", "waiting", 9)]),
      "Ada@example.test: waiting!; ben@example.test: failed!"
    )
    assert.strictEqual(detailOf(people, [got, row("ben", "delivered")]), "Sent to 2 recipients")
    assert.strictEqual(detailOf(people.slice(0, 1), [got]), "delivered!")
  })
})
