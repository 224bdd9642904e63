import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type QueuedDelivery, stepOf } from "../src/DeliverySharing.ts"

const minute = 60_000

interface Message {
  readonly purpose: QueuedDelivery["purpose"]
  readonly alertId: string
  readonly at: number
  readonly entries: ReadonlyArray<string>
}

/** When a rule alerts, and how often it reminds. */
interface Rule {
  readonly opensAt: number
  readonly resendEvery: number
}

type Outcome = "delivered" | "failed" | "retry"

/** An outage of one monitor that several rules report to one channel; minutes from its start to its end. */
const outage = (rules: ReadonlyArray<Rule>, endsAt: number, outcomes: ReadonlyArray<Outcome>) => {
  let all: ReadonlyArray<QueuedDelivery> = []
  const messages: Array<Message> = []
  let attempts = 0
  let count = 0
  const lastReminded = new Map<number, number>()
  const waits = new Map<string, number>()
  const queue = (rule: number, purpose: QueuedDelivery["purpose"], now: number) => {
    const delivery: QueuedDelivery = {
      id: `dlv_${String(count++).padStart(5, "0")}`,
      entryId: `alr_${rule}`,
      alertId: `alt_${rule}`,
      purpose,
      status: "pending",
      sharedWith: null,
      createdAt: now,
      finishedAt: null,
      resendEvery: rules[rule]!.resendEvery
    }
    all = [...all, delivery]
  }
  const set = (ids: ReadonlyArray<string>, change: Partial<QueuedDelivery>) => {
    all = all.map((one) => (ids.includes(one.id) ? { ...one, ...change } : one))
  }
  /** Processes due deliveries in order until none is left or the channel is unavailable. */
  const work = (now: number) => {
    for (;;) {
      const due = all.find(({ id, status }) => status === "pending" && (waits.get(id) ?? 0) <= now)
      if (due === undefined) return
      const step = stepOf(due, all, now)
      if (step._tag === "Wait") {
        assert.isAbove(step.until, now)
        waits.set(due.id, step.until)
        continue
      }
      if (step._tag === "Notified") {
        set([due.id], { status: "delivered", sharedWith: step.by, finishedAt: now })
        continue
      }
      const group = [due, ...step.shared]
      if (due.purpose !== "open") {
        const entries = new Set(group.map(({ entryId }) => entryId))
        const ids = new Set(group.map(({ id }) => id))
        const earlier = all.filter(
          ({ entryId, id, status }) => status === "pending" && entries.has(entryId) && !ids.has(id) && id < due.id
        )
        set(
          earlier.map(({ id }) => id),
          { status: "merged", finishedAt: now }
        )
      }
      const outcome = outcomes[attempts++ % Math.max(1, outcomes.length)] ?? "delivered"
      if (outcome === "retry" && now <= (endsAt + 20) * minute) return
      const done = outcome === "failed" ? "failed" : "delivered"
      set([due.id], { status: done, finishedAt: now })
      set(
        step.shared.map(({ id }) => id),
        { status: done, sharedWith: due.id, finishedAt: now }
      )
      if (done === "delivered")
        messages.push({
          purpose: due.purpose,
          alertId: step.alertId,
          at: now / minute,
          entries: group.map(({ entryId }) => entryId)
        })
    }
  }
  for (let tick = 0; tick <= endsAt + 30; tick++) {
    const now = tick * minute
    for (const [index, rule] of rules.entries()) {
      if (tick === rule.opensAt && tick < endsAt) {
        queue(index, "open", now)
        lastReminded.set(index, tick)
      } else if (
        rule.resendEvery > 0 &&
        tick < endsAt &&
        tick - (lastReminded.get(index) ?? Number.POSITIVE_INFINITY) >= rule.resendEvery &&
        !all.some(({ entryId, status }) => entryId === `alr_${index}` && status === "pending")
      ) {
        queue(index, "repeat", now)
        lastReminded.set(index, tick)
      }
      if (tick === endsAt && rule.opensAt < endsAt) queue(index, "close", now)
    }
    work(now)
  }
  return { all, messages }
}

const rule = fc.record({ opensAt: fc.nat(6), resendEvery: fc.constantFrom(0, 0, 5, 10, 12, 30) })
const rules = fc.array(rule, { minLength: 1, maxLength: 6 })
const end = fc.integer({ min: 1, max: 70 })
const of = (messages: ReadonlyArray<Message>, purpose: QueuedDelivery["purpose"]) =>
  messages.filter((message) => message.purpose === purpose)

describe("rules that share a channel", () => {
  it("sends the channel one opening and one recovery under one alert id", () =>
    fc.assert(
      fc.property(rules, end, (made, endsAt) => {
        const { all, messages } = outage(made, endsAt, [])
        const alerting = made.filter(({ opensAt }) => opensAt < endsAt)
        assert.lengthOf(of(messages, "open"), Math.min(1, alerting.length))
        assert.lengthOf(of(messages, "close"), Math.min(1, alerting.length))
        assert.isAtMost(new Set(messages.map(({ alertId }) => alertId)).size, 1)
        for (const { purpose, status } of all)
          assert.include(purpose === "repeat" ? ["delivered", "merged"] : ["delivered"], status)
        for (const message of of(messages, "close")) assert.lengthOf(message.entries, alerting.length)
      })
    ))

  it("reminds the channel as often as each rule asks, and never twice within the shortest interval", () =>
    fc.assert(
      fc.property(rules, end, (made, endsAt) => {
        const { messages } = outage(made, endsAt, [])
        const notified = messages.filter(({ purpose }) => purpose !== "close").map(({ at }) => at)
        const reminding = made.filter(({ opensAt, resendEvery }) => opensAt < endsAt && resendEvery > 0)
        for (const { opensAt, resendEvery } of reminding) {
          for (let from = opensAt; from + resendEvery < endsAt; from++)
            assert.isTrue(
              notified.some((at) => at >= from && at <= from + resendEvery),
              `${JSON.stringify(made)}: silent from ${from} for ${resendEvery} minutes; notified at ${notified.join(", ")}`
            )
        }
        const shortest = Math.min(...reminding.map(({ resendEvery }) => resendEvery))
        if (new Set(reminding.map(({ resendEvery }) => resendEvery)).size === 1)
          for (const [index, at] of notified.entries())
            if (index > 0) assert.isAtLeast(at - notified[index - 1]!, shortest)
      })
    ))

  it("settles every delivery for any results of the attempts, and closes an outage under the id that opened it", () =>
    fc.assert(
      fc.property(
        rules,
        end,
        fc.array(fc.constantFrom<Outcome>("delivered", "failed", "retry"), { maxLength: 12 }),
        (made, endsAt, outcomes) => {
          const { all, messages } = outage(made, endsAt, outcomes)
          for (const { status } of all) assert.notStrictEqual(status, "pending")
          const carriers = new Map(all.map((one) => [one.id, one]))
          for (const { sharedWith } of all) if (sharedWith !== null) assert.isNull(carriers.get(sharedWith)!.sharedWith)
          const opened = of(messages, "open").map(({ alertId }) => alertId)
          // A failed opening may be followed by another rule's, which is delivered.
          assert.isAtMost(opened.length, 1)
          for (const { alertId } of of(messages, "close")) if (opened.length > 0) assert.strictEqual(alertId, opened[0])
        }
      )
    ))

  it("sends separate recoveries when the openings were sent separately", () => {
    const one = { entryId: "alr_1", alertId: "alt_1", sharedWith: null, createdAt: 0, resendEvery: 0 } as const
    const other = { ...one, entryId: "alr_2", alertId: "alt_2" } as const
    const all: ReadonlyArray<QueuedDelivery> = [
      { ...one, id: "1", purpose: "open", status: "delivered", finishedAt: 1 },
      { ...other, id: "2", purpose: "open", status: "delivered", finishedAt: 1 },
      { ...one, id: "3", purpose: "close", status: "pending", finishedAt: null },
      { ...other, id: "4", purpose: "close", status: "pending", finishedAt: null }
    ]
    assert.deepStrictEqual(stepOf(all[2]!, all, 2), {
      _tag: "Send",
      alertId: "alt_1",
      shared: [],
      overtakesOpening: false
    })
    assert.deepStrictEqual(stepOf(all[3]!, all, 2), {
      _tag: "Send",
      alertId: "alt_2",
      shared: [],
      overtakesOpening: false
    })
  })
})
