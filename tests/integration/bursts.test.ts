/** Many alerts that open within a minute are one message on a channel. */
import { assert, layer } from "@effect/vitest"
import { AcknowledgeLinks } from "@kanmon/monitoring/testing/alerts/AcknowledgeLinks.ts"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import type { ChannelId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { tried } from "../support/Attempts.ts"
import { at, environment, evaluateBatch, history, minute, noon, observed, stage } from "../support/Stage.ts"

/** A project with this many monitors. */
const many = (count: number) =>
  Effect.gen(function* () {
    const made = yield* stage({ channels: 1 })
    const monitors = yield* Monitors
    const all = [made.monitor]
    for (let index = 1; index < count; index++) {
      const { config, type } = made.monitor
      const draft = { name: `Web ${index}`, type, interval: 60, timeout: 30, regions: [], paused: false, config }
      all.push(yield* monitors.create(made.project.id, draft).pipe(at(noon - 30 * minute)))
    }
    /** The monitors from one number to another fail in that second after noon. */
    const fail = (from: number, to: number, second = 0) =>
      evaluateBatch(
        all.slice(from, to).map((monitor) => ({ ...observed(monitor, 0, "down"), checkedAt: noon + second * 1000 }))
      )
    /** They are well again in that second after noon. */
    const recover = (from: number, to: number, second: number) =>
      evaluateBatch(
        all.slice(from, to).map((monitor) => ({ ...observed(monitor, 1, "up"), checkedAt: noon + second * 1000 }))
      )
    return { ...made, fail, recover, channel: made.channels[0]! }
  })

/** Sends what is due as the engine does; returns how many alerts each message told of. */
const work = (channel: ChannelId, second: number, limit?: number) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const now = noon + second * 1000
    const sent: Array<number> = []
    for (;;) {
      const due = yield* deliveries.next(channel, limit).pipe(at(now))
      if (due === undefined) return sent
      yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), { _tag: "Delivered" }).pipe(at(now))
      sent.push(due.group.length + 1)
    }
  })

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("a burst of alerts", (it) => {
  it.effect("is one message that lists them, with an entry for each", () =>
    Effect.gen(function* () {
      const { channel, fail, project } = yield* many(12)
      yield* fail(0, 12)
      assert.deepStrictEqual(yield* work(channel, 1, 10), [12])
      const entries = yield* history(project.id)
      assert.lengthOf(entries, 12)
      const alertHistory = yield* AlertHistory
      let carried = 0
      for (const entry of entries) {
        assert.deepInclude(entry, { status: "delivered", error: null })
        const [delivery] = yield* alertHistory.deliveries(project.id, entry.id)
        assert.deepInclude(delivery!, { status: "delivered" })
        if (delivery!.sharedWith !== null) carried++
      }
      assert.strictEqual(carried, 11)
      assert.deepStrictEqual(yield* work(channel, 2, 10), [])
    })
  )

  it.effect("lists an outage once whatever number of rules tell of it, and so its recovery", () =>
    Effect.gen(function* () {
      const made = yield* many(12)
      const rules = yield* AlertRules
      const { channelIds, consecutiveFailures, monitorIds, resendEvery, triggers } = made.rule
      const draft = { name: "Down, too", channelIds, consecutiveFailures, monitorIds, resendEvery, triggers }
      yield* rules.create(made.project.id, draft)
      yield* made.fail(0, 12)
      const deliveries = yield* Deliveries
      const opening = (yield* deliveries.next(made.channel, 10).pipe(at(noon + 1000)))!
      const covered = [opening, ...opening.group].flatMap(({ id, shared }) => [id, ...shared.map((one) => one.id)])
      assert.lengthOf(new Set(covered), 24)
      assert.deepStrictEqual(yield* work(made.channel, 1, 10), [12])
      const alertHistory = yield* AlertHistory
      let carried = 0
      for (const entry of yield* history(made.project.id)) {
        assert.deepInclude(entry, { status: "delivered", error: null })
        const [delivery] = yield* alertHistory.deliveries(made.project.id, entry.id)
        if (delivery!.sharedWith === opening.id) carried++
      }
      assert.strictEqual(carried, 23)

      yield* made.recover(0, 12, 60)
      assert.deepStrictEqual(yield* work(made.channel, 61, 10), Array<number>(12).fill(1))
    })
  )

  it.effect("is as urgent as the most urgent rule of any of its outages", () =>
    Effect.gen(function* () {
      const made = yield* many(12)
      const rules = yield* AlertRules
      const { channelIds, consecutiveFailures, monitorIds, resendEvery, triggers } = made.rule
      const draft = { channelIds, consecutiveFailures, monitorIds, resendEvery, triggers }
      yield* rules.update(made.project.id, made.rule.id, () =>
        Effect.succeed({ ...draft, name: "Down", severity: "info" as const })
      )
      yield* rules.create(made.project.id, { ...draft, name: "Urgent", severity: "critical" })
      yield* made.fail(0, 12)
      const deliveries = yield* Deliveries
      const opening = (yield* deliveries.next(made.channel, 10).pipe(at(noon + 1000)))!
      assert.strictEqual(opening.severity, "critical")
      assert.deepStrictEqual(
        opening.group.map(({ notice }) => notice.severity),
        Array<string>(11).fill("critical")
      )
    })
  )

  it.effect("is acknowledged as a whole by the link of its message, also before the channel has answered", () =>
    Effect.gen(function* () {
      const { channel, fail } = yield* many(12)
      yield* fail(0, 12)
      const deliveries = yield* Deliveries
      const links = yield* AcknowledgeLinks
      const now = noon + 1000
      const due = (yield* deliveries.next(channel, 10).pipe(at(now)))!
      const told = Effect.map(
        links.look(links.tokenOf({ ...due, targetId: channel }, now)),
        ({ alerts }) => alerts.length
      ).pipe(at(now))
      yield* deliveries.begin(due).pipe(at(now))
      assert.strictEqual(yield* told, 12)
      yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), { _tag: "Delivered" }).pipe(at(now))
      assert.strictEqual(yield* told, 12)
    })
  )

  it.effect("takes no further alerts into a message that one of several recipients has got", () =>
    Effect.gen(function* () {
      const { channel, fail } = yield* many(14)
      yield* fail(0, 12)
      const now = noon + 1000
      const deliveries = yield* Deliveries
      const due = (yield* deliveries.next(channel, 10).pipe(at(now)))!
      assert.lengthOf(due.group, 11)
      const got = { recipient: "email:ada", outcome: "delivered", attempts: 1, dueAt: null, detail: "queued" } as const
      const reached = { ...tried(now, "delivered", "queued"), progress: [got] }
      yield* deliveries.conclude(due, reached, { _tag: "Continue" }).pipe(at(now))
      yield* fail(12, 14, 2)
      const again = (yield* deliveries.next(channel, 10).pipe(at(now + 2000)))!
      assert.deepStrictEqual([again.id, again.group.length, again.progress], [due.id, 11, [got]])
      yield* deliveries.conclude(again, reached, { _tag: "Delivered" }).pipe(at(now + 2000))
      // The others are sent by themselves, to everybody.
      const rest = (yield* deliveries.next(channel, 10).pipe(at(now + 20_000)))!
      assert.deepStrictEqual([rest.group.length, rest.progress], [1, []])
    })
  )

  it.effect("is sent one by one up to the limit, and to a paging service always", () =>
    Effect.gen(function* () {
      const few = yield* many(10)
      yield* few.fail(0, 10)
      assert.deepStrictEqual(yield* work(few.channel, 1, 10), Array<number>(10).fill(1))
      const pager = yield* many(12)
      yield* pager.fail(0, 12)
      assert.deepStrictEqual(yield* work(pager.channel, 1), Array<number>(12).fill(1))
    })
  )

  it.effect("is collected for some seconds when its alerts follow one by one", () =>
    Effect.gen(function* () {
      const { channel, fail } = yield* many(14)
      yield* fail(0, 10)
      assert.lengthOf(yield* work(channel, 1, 10), 10)
      for (const [index, second] of [5, 10, 15, 18].entries()) {
        yield* fail(10 + index, 11 + index, second)
        assert.deepStrictEqual(yield* work(channel, second, 10), [])
      }
      assert.deepStrictEqual(yield* work(channel, 20, 10), [4])
    })
  )
})
