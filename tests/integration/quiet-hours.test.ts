/** Quiet hours of a channel: what is not urgent waits for their end, and is one message then. */
import { assert, layer } from "@effect/vitest"
import type { ChannelId } from "@kanmon/domain/Ids"
import type { QuietHours } from "@kanmon/domain/QuietHours"
import type { Severity } from "@kanmon/domain/Severity"
import { weekdays } from "@kanmon/domain/WeeklyWindows"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect } from "effect"
import { tried } from "../support/Attempts.ts"
import { at, environment, evaluateBatch, history, minute, noon, observed, stage } from "../support/Stage.ts"

/** Around noon, every day. */
const quiet: QuietHours = {
  timezone: "Europe/Berlin",
  windows: [{ weekdays: [...weekdays], from: "11:30", to: "14:00" }],
  holdBelow: "critical"
}
/** When they end: an hour after noon in UTC. */
const end = 60

/** This many monitors, whose rule has a severity. */
const many = Effect.fnUntraced(function* (count: number, severity: Severity) {
  const made = yield* stage({ channels: 1 })
  const rules = yield* AlertRules
  const monitors = yield* Monitors
  const { channelIds, consecutiveFailures, monitorIds, resendEvery, triggers } = made.rule
  const draft = { channelIds, consecutiveFailures, monitorIds, resendEvery, triggers }
  yield* rules.update(made.project.id, made.rule.id, () => Effect.succeed({ ...draft, name: "Down", severity }))
  const all = [made.monitor]
  for (let index = 1; index < count; index++) {
    const { config, type } = made.monitor
    const other = { name: `Web ${index}`, type, interval: 60, timeout: 30, regions: [], paused: false, config }
    all.push(yield* monitors.create(made.project.id, other).pipe(at(noon - 30 * minute)))
  }
  const become = (status: "down" | "up", from: number, to: number, after: number) =>
    evaluateBatch(
      all.slice(from, to).map((monitor) => ({ ...observed(monitor, after, status), checkedAt: noon + after * minute }))
    ).pipe(at(noon + after * minute))
  return { ...made, channel: made.channels[0]!, draft, become }
})

/** Sends what is due this many minutes after noon; returns how many alerts each message told of, negative for recoveries. */
const work = Effect.fnUntraced(function* (
  channel: ChannelId,
  after: number,
  hours: QuietHours | null = quiet,
  limit?: number
) {
  const deliveries = yield* Deliveries
  const now = noon + after * minute
  const sent: Array<number> = []
  for (;;) {
    const due = yield* deliveries.next(channel, limit ?? 10, hours).pipe(at(now))
    if (due === undefined) return sent
    yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), { _tag: "Delivered" }).pipe(at(now))
    sent.push(due.purpose === "close" ? -1 : due.group.length + 1)
  }
})

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("quiet hours of a channel", (it) => {
  it.effect("hold what is less urgent until their end, as one message without what is over by then", () =>
    Effect.gen(function* () {
      const { become, channel, project } = yield* many(5, "warning")
      yield* become("down", 0, 3, 0)
      assert.deepStrictEqual(yield* work(channel, 1), [])
      yield* become("down", 3, 5, 10)
      assert.deepStrictEqual(yield* work(channel, 11), [])
      for (const { error, status } of yield* history(project.id))
        assert.deepStrictEqual([status, error], ["pending", "Held by quiet hours until 2026-11-20 14:00 CET"])
      yield* become("up", 0, 2, 20)
      assert.deepStrictEqual(yield* work(channel, end - 1), [])
      assert.deepStrictEqual(yield* work(channel, end), [3])
      const alertHistory = yield* AlertHistory
      const statuses: Array<string> = []
      for (const entry of yield* history(project.id)) {
        const [opening] = yield* alertHistory.deliveries(project.id, entry.id)
        statuses.push(`${opening!.status}: ${opening!.error}`)
      }
      assert.deepStrictEqual(statuses.toSorted(), [
        ...Array<string>(3).fill("delivered: null"),
        ...Array<string>(2).fill("failed: Not sent: it began and ended within quiet hours")
      ])
      assert.deepStrictEqual(yield* work(channel, end + 30), [])
    })
  )

  it.effect("hold the recovery of what was told before, and tell of it at their end", () =>
    Effect.gen(function* () {
      const { become, channel } = yield* many(2, "warning")
      yield* become("down", 0, 1, 0)
      assert.deepStrictEqual(yield* work(channel, 0, null), [1])
      yield* become("up", 0, 1, 2)
      yield* become("down", 1, 2, 3)
      assert.deepStrictEqual(yield* work(channel, 4), [])
      assert.deepStrictEqual((yield* work(channel, end)).toSorted(), [-1, 1])
    })
  )

  it.effect("let urgent alerts through at once, alone, whatever waits", () =>
    Effect.gen(function* () {
      const made = yield* many(4, "info")
      const { become, channel, draft, monitor, project } = made
      yield* become("down", 1, 4, 0)
      assert.deepStrictEqual(yield* work(channel, 1, quiet, 1), [])
      const rules = yield* AlertRules
      const urgent = { ...draft, name: "Urgent", severity: "critical" as const, monitorIds: [monitor.id] }
      yield* rules.create(project.id, urgent)
      yield* become("down", 0, 1, 2)
      assert.deepStrictEqual(yield* work(channel, 3, quiet, 1), [1])
      assert.deepStrictEqual(yield* work(channel, end, quiet, 10), [3])
    })
  )

  it.effect("hold nothing any more five minutes after they are taken away", () =>
    Effect.gen(function* () {
      const { become, channel } = yield* many(2, "warning")
      yield* become("down", 0, 2, 0)
      assert.deepStrictEqual(yield* work(channel, 1), [])
      assert.deepStrictEqual(yield* work(channel, 5, null), [])
      assert.deepStrictEqual(yield* work(channel, 6, null), [2])
    })
  )

  it.effect("of the whole week hold a message for eight days", () =>
    Effect.gen(function* () {
      const always: QuietHours = { ...quiet, windows: [{ weekdays: [...weekdays], from: "00:00", to: "24:00" }] }
      const { become, channel } = yield* many(1, "warning")
      const week = 7 * 24 * 60
      yield* become("down", 0, 1, 0)
      assert.deepStrictEqual(yield* work(channel, 0, always), [])
      assert.deepStrictEqual(yield* work(channel, week, always), [])
      assert.deepStrictEqual(yield* work(channel, week + 24 * 60, always), [1])
    })
  )
})
