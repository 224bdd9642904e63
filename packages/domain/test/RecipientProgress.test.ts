import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as RecipientProgress from "../src/RecipientProgress.ts"

const minute = 60_000

/** The outcomes of the attempts to a recipient, in order; the last one repeats. */
type Fate = ReadonlyArray<RecipientProgress.RecipientProgress["outcome"]>

const outcome = fc.constantFrom("waiting", "held", "delivered", "failed", "gone")
const fate = fc
  .tuple(fc.array(outcome, { maxLength: 4 }), fc.constantFrom("delivered", "failed", "gone"))
  .map(([before, last]): Fate => [...before, last])
const fates = fc.array(fate, { minLength: 1, maxLength: 20 })

const names = (all: ReadonlyArray<Fate>): ReadonlyArray<string> => all.map((_, index) => `person${index}`)

/** Works a delivery to its end; every step sees what was stored, as after a restart. */
const worked = (all: ReadonlyArray<Fate>) => {
  const recipients = names(all)
  const tries: Array<string> = []
  let progress: ReadonlyArray<RecipientProgress.RecipientProgress> = []
  let now = 0
  for (;;) {
    const step = RecipientProgress.stepOf(recipients, JSON.parse(JSON.stringify(progress)), now)
    if (step._tag === "Settled") return { progress, recipients, tries }
    if (step._tag === "Wait") {
      assert.isAbove(step.until, now, "it waits for what is to come")
      now = step.until
      continue
    }
    const index = recipients.indexOf(step.recipient)
    const before = tries.filter((name) => name === step.recipient).length
    tries.push(step.recipient)
    const result = all[index]![before]!
    const waits = result === "waiting" || result === "held"
    progress = RecipientProgress.noted(progress, {
      recipient: step.recipient,
      outcome: result,
      attempts: before + 1,
      dueAt: waits ? now + (index + 1) * minute : null,
      detail: `${result} ${before}`
    })
  }
}

/** The attempts up to the one that settles. */
const needed = (all: Fate): number => all.findIndex((one) => one !== "waiting" && one !== "held") + 1

describe("a delivery to several recipients", () => {
  it("tries each until it is settled, and never again after that", () =>
    fc.assert(
      fc.property(fates, (all) => {
        const { recipients, tries } = worked(all)
        for (const [index, name] of recipients.entries())
          assert.strictEqual(tries.filter((one) => one === name).length, needed(all[index]!), name)
      })
    ))

  it("tries every recipient once before any of them again", () =>
    fc.assert(
      fc.property(fates, (all) => {
        const { recipients, tries } = worked(all)
        assert.deepStrictEqual(tries.slice(0, recipients.length), recipients)
      })
    ))

  it("names those that did not get it, in their order", () =>
    fc.assert(
      fc.property(fates, (all) => {
        const { progress, recipients } = worked(all)
        const missed = recipients.filter((_, index) => all[index]![needed(all[index]!) - 1] !== "delivered")
        assert.deepStrictEqual(
          RecipientProgress.undelivered(recipients, progress).map(({ recipient }) => recipient),
          missed
        )
      })
    ))

  it("tries a recipient that is added, and forgets one that is removed", () => {
    const sent = { recipient: "ada", outcome: "delivered", attempts: 1, dueAt: null, detail: "" } as const
    const waits = { recipient: "ben", outcome: "waiting", attempts: 1, dueAt: 5 * minute, detail: "" } as const
    const progress = [sent, waits]
    assert.deepStrictEqual(RecipientProgress.stepOf(["ada", "cleo"], progress, 0), { _tag: "Try", recipient: "cleo" })
    assert.deepStrictEqual(RecipientProgress.stepOf(["ada"], progress, 0), { _tag: "Settled" })
    assert.deepStrictEqual(RecipientProgress.stepOf(["ada", "ben"], progress, 0), { _tag: "Wait", until: 5 * minute })
  })
})

const row = fc.record({
  recipient: fc.constantFrom("ada", "ben", "cleo"),
  outcome,
  attempts: fc.nat(5),
  dueAt: fc.nat(1000),
  detail: fc.string()
})
const progress = fc
  .uniqueArray(row, { selector: ({ recipient }) => recipient })
  .map((rows) =>
    rows.map((one) => (one.outcome === "waiting" || one.outcome === "held" ? one : { ...one, dueAt: null }))
  )

describe("one message for several deliveries", () => {
  it("goes to no recipient that got one of them, or is settled in one of them", () =>
    fc.assert(
      fc.property(progress, progress, (one, other) => {
        const both = RecipientProgress.joined([one, other])
        for (const name of ["ada", "ben", "cleo"]) {
          const rows = [one, other].flatMap((each) => RecipientProgress.of(each, name) ?? [])
          const result = RecipientProgress.of(both, name)
          assert.strictEqual(result === undefined, rows.length === 0)
          assert.strictEqual(
            result?.outcome === "delivered",
            rows.some((each) => each.outcome === "delivered")
          )
          if (result !== undefined)
            assert.strictEqual(
              result.dueAt === null,
              rows.some(({ dueAt }) => dueAt === null)
            )
        }
        assert.isTrue(RecipientProgress.isAlike(both, RecipientProgress.joined([other, one])))
      })
    ))

  it("is for deliveries of which the same recipients are left", () =>
    fc.assert(
      fc.property(progress, progress, (one, other) => {
        const settled = (all: typeof one) => all.flatMap(({ dueAt, recipient }) => (dueAt === null ? recipient : []))
        assert.strictEqual(
          RecipientProgress.isAlike(one, other),
          settled(one).sort().join() === settled(other).sort().join()
        )
      })
    ))
})
