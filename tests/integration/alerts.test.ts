/** From evaluated observations to queued notifications on a real PostgreSQL, and the queue itself. */
import { assert, layer } from "@effect/vitest"
import { gone, rejected, throttled, unreachable } from "@kanmon/core/Channel"
import type { AlertHistoryEntry } from "@kanmon/domain/AlertRule"
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { afterFailure } from "@kanmon/monitoring/testing/delivery/Retry.ts"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { accountShare, Deliveries, type DeliveryOutcome } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Effect } from "effect"
import { tried } from "../support/Attempts.ts"
import * as Engines from "../support/Engines.ts"
import { at, environment, history, evaluate, minute, noon, stage } from "../support/Stage.ts"

const told = (entry: AlertHistoryEntry, projectId: ProjectId) =>
  Effect.gen(function* () {
    const alertHistory = yield* AlertHistory
    const found = yield* alertHistory.deliveries(projectId, entry.id)
    return found.map(({ event, status }) => `${event} ${status}`)
  })

/** Works the queue of a channel as the engine does, with this outcome for each notice. */
const deliver = (channel: ChannelId, minutes: number, ...outcomes: ReadonlyArray<DeliveryOutcome>) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const now = noon + minutes * minute
    const sent: Array<{ readonly event: unknown; readonly overtakes: boolean }> = []
    for (const outcome of outcomes) {
      const due = yield* deliveries.next(channel).pipe(at(now))
      if (due === undefined) break
      sent.push({ event: due.notice["event"], overtakes: due.overtakesOpening })
      const word = outcome._tag === "Delivered" ? "delivered" : outcome._tag === "Retry" ? "retrying" : "failed"
      yield* deliveries.conclude(due, tried(now, word, "as told"), outcome).pipe(at(now))
    }
    return sent
  })

const delivered: DeliveryOutcome = { _tag: "Delivered" }
const later = (minutes: number): DeliveryOutcome => ({
  _tag: "Retry",
  at: noon + minutes * minute,
  restUntil: null,
  isFailure: true
})

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("alerts", (it) => {
  it.effect("opens and closes once for each channel, also if a batch is delivered again", () =>
    Effect.gen(function* () {
      const { channels, monitor, project, rule } = yield* stage({ channels: 2 })
      yield* evaluate(monitor, 0, "up", "down", "down", "up", "down", "up")
      yield* evaluate(monitor, 0, "up", "down", "down", "up", "down", "up")
      const entries = yield* history(project.id)
      assert.strictEqual(entries.length, 4)
      assert.deepStrictEqual(
        entries.map(({ channelId }) => String(channelId)).sort(),
        [...channels, ...channels].sort()
      )
      for (const entry of entries) {
        assert.strictEqual(entry.ruleId, rule.id)
        assert.isNotNull(entry.resolvedAt)
        assert.deepStrictEqual(yield* told(entry, project.id), ["monitor_down pending", "monitor_up pending"])
      }
      const first = entries.at(-1)!
      assert.deepStrictEqual([first.triggeredAt, first.resolvedAt], [noon + minute, noon + 3 * minute])
    })
  )

  it.effect("records that a project has no channel", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      yield* evaluate(monitor, 0, "up", "down")
      const [entry] = yield* history(project.id)
      assert.deepInclude(entry!, { channelId: null, status: "failed", resolvedAt: null })
      assert.include(entry!.error ?? "", "No notification was sent")
    })
  )

  it.effect("stays open if more failures are required, and closes if the rule no longer covers the monitor", () =>
    Effect.gen(function* () {
      const { monitor, project, rule } = yield* stage({ channels: 1 })
      const rules = yield* AlertRules
      yield* evaluate(monitor, 0, "up", "down")
      yield* rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, consecutiveFailures: 5 }))
      yield* evaluate(monitor, 2, "down")
      assert.isNull((yield* history(project.id))[0]!.resolvedAt)
      yield* rules.update(project.id, rule.id, (current) =>
        Effect.succeed({ ...current, triggers: ["monitor_degraded" as const] })
      )
      const [dropped] = yield* history(project.id)
      assert.isNotNull(dropped!.resolvedAt)
      assert.deepStrictEqual(yield* told(dropped!, project.id), ["monitor_down failed"])
      yield* evaluate(monitor, 3, "up")
      assert.deepStrictEqual(yield* told(dropped!, project.id), ["monitor_down failed"])

      const other = yield* stage({ channels: 1 })
      yield* evaluate(other.monitor, 0, "up", "down")
      yield* rules.remove(other.project.id, other.rule.id)
      const [removed] = yield* history(other.project.id)
      assert.deepInclude(removed!, { status: "failed", error: "The rule was deleted" })
      yield* evaluate(other.monitor, 2, "down", "up")
      assert.strictEqual((yield* history(other.project.id)).length, 1)
    })
  )

  it.effect("ends with its monitor, and keeps its history", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const monitors = yield* Monitors
      yield* evaluate(monitor, 0, "up", "down")
      yield* monitors
        .update(project.id, monitor.id, (current) => Effect.succeed({ ...current, paused: true }))
        .pipe(at(noon + 5 * minute))
      assert.strictEqual((yield* history(project.id))[0]!.resolvedAt, noon + 5 * minute)
      yield* monitors
        .update(project.id, monitor.id, (current) => Effect.succeed({ ...current, paused: false }))
        .pipe(at(noon + 6 * minute))
      yield* evaluate(monitor, 7, "down")
      assert.strictEqual((yield* history(project.id)).length, 2)
      yield* monitors.remove(project.id, monitor.id).pipe(at(noon + 8 * minute))
      const entries = yield* history(project.id)
      assert.deepStrictEqual(
        entries.map(({ resolvedAt }) => resolvedAt !== null),
        [true, true]
      )
      const projects = yield* Projects
      yield* projects.remove(project.id)
      assert.deepStrictEqual(yield* history(project.id), [])
    })
  )

  it.effect("sends reminders at the rule's interval while open", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 1, rule: { resendEvery: 10 } })
      const openAlerts = yield* OpenAlerts
      yield* evaluate(monitor, 0, "up", "down")
      yield* deliver(channels[0]!, 1, delivered)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 10 * minute)), 0)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 11 * minute)), 1)
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 12 * minute)), 0)
      const [entry] = yield* history(project.id)
      assert.deepStrictEqual(yield* told(entry!, project.id), ["monitor_down delivered", "monitor_down pending"])
      // Who has not taken the last one is not sent another on top.
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 30 * minute)), 0)
      yield* evaluate(monitor, 31, "up")
      assert.strictEqual(yield* openAlerts.remind.pipe(at(noon + 60 * minute)), 0)
    })
  )

  it.effect("reports an undelivered outage and its end in one message", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 1 })
      const [channel] = channels
      yield* evaluate(monitor, 0, "up", "down")
      assert.deepStrictEqual(yield* deliver(channel!, 1, later(30)), [{ event: "monitor_down", overtakes: false }])
      yield* evaluate(monitor, 5, "up")
      assert.deepStrictEqual(yield* deliver(channel!, 6, delivered, delivered), [
        { event: "monitor_up", overtakes: true }
      ])
      const [entry] = yield* history(project.id)
      assert.deepInclude(entry!, { status: "delivered", error: null })
      assert.deepStrictEqual(yield* told(entry!, project.id), ["monitor_down merged", "monitor_up delivered"])
    })
  )

  it.effect("lets one engine at a time deliver to a channel, and the next one after it died", () =>
    Effect.gen(function* () {
      const { channels, monitor } = yield* stage({ channels: 1 })
      const [channel] = channels
      const deliveries = yield* Deliveries
      yield* evaluate(monitor, 0, "up", "down")
      const lease = (engine: string, minutes: number) =>
        Effect.map(deliveries.lease(engine, minute, 1000).pipe(at(noon + minutes * minute)), (all) =>
          all.some(({ id }) => id === channel)
        )
      assert.isFalse(yield* lease("one", 2), "it has not joined the others yet")
      yield* Engines.join("one")
      yield* Engines.join("two")
      assert.isTrue(yield* lease("one", 2))
      assert.isFalse(yield* lease("two", 2.5))
      assert.isTrue(yield* lease("two", 3.1), "the lease is over")
      yield* deliveries.reclaim("two")
      assert.isTrue(yield* lease("one", 3.2), "an engine that starts again gives back what it had")
      assert.isFalse(yield* lease("two", 3.2))
      yield* Engines.die("one")
      assert.isTrue(yield* lease("two", 3.2), "a lease ends with its engine")
      yield* Engines.die("two")
      assert.isFalse(yield* lease("two", 3.2), "who is thought gone takes nothing, not even its own again")
    })
  )

  it.effect("takes a deleted monitor out of rules, and does not turn a rule for it into a rule for all monitors", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 1 })
      const { monitor: another } = yield* stage({ channels: 1 })
      const rules = yield* AlertRules
      const monitors = yield* Monitors
      const made = (name: string, monitorIds: ReadonlyArray<typeof monitor.id>, tags: ReadonlyArray<string> = []) =>
        rules.create(project.id, {
          name,
          monitorIds,
          tags,
          channelIds: [],
          triggers: ["monitor_down"],
          consecutiveFailures: 1,
          resendEvery: 0
        })
      const both = yield* made("Both", [another.id, monitor.id])
      const only = yield* made("Only", [monitor.id])
      const tagged = yield* made("Tagged", [monitor.id], ["shop"])
      yield* monitors.remove(project.id, monitor.id)
      const named = (rule: typeof only) => Effect.map(rules.get(project.id, rule.id), ({ monitorIds }) => monitorIds)
      assert.deepStrictEqual(yield* named(both), [another.id])
      assert.deepStrictEqual(yield* named(tagged), [])
      assert.deepStrictEqual(yield* named(only), [monitor.id])
    })
  )

  it.effect("ends with a deleted channel, and does not turn a rule for it into a rule for all channels", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 2 })
      const store = yield* Channels
      const rules = yield* AlertRules
      const only = yield* rules.create(project.id, {
        name: "Only one",
        monitorIds: [],
        channelIds: [channels[0]!],
        triggers: ["monitor_down"],
        consecutiveFailures: 1,
        resendEvery: 0
      })
      yield* evaluate(monitor, 0, "up", "down")
      yield* store.remove(project.id, channels[0]!)
      const gone = (yield* history(project.id)).filter(({ channelId }) => channelId === channels[0])
      assert.isTrue(gone.every(({ error, status }) => status === "failed" && error === "The channel was deleted"))
      yield* evaluate(monitor, 2, "up", "down")
      const later = (yield* history(project.id)).filter(
        ({ ruleId, triggeredAt }) => ruleId === only.id && triggeredAt > noon + 2 * minute
      )
      assert.deepStrictEqual(
        later.map(({ channelId }) => channelId),
        [null]
      )
    })
  )

  it.effect("keeps delivering for other accounts if one account's channels never answer", () =>
    Effect.gen(function* () {
      const eager = yield* stage({ channels: accountShare + 8 })
      const other = yield* stage({ channels: 2 })
      for (const { monitor } of [eager, other]) yield* evaluate(monitor, 0, "down")
      const deliveries = yield* Deliveries
      for (const engine of ["eager", "another engine"]) yield* Engines.join(engine)
      const leased = yield* deliveries.lease("eager", 5 * minute, 1000).pipe(at(noon + minute))
      const more = yield* deliveries.lease("another engine", 5 * minute, 1000).pipe(at(noon + minute))
      const of = (all: typeof leased, { project }: typeof eager) =>
        all.filter((one) => one.kind === "channel" && one.projectId === project.id).length
      assert.deepStrictEqual([of(leased, eager), of(leased, other)], [accountShare, 2])
      assert.strictEqual(of(more, eager), 0)
      // Reclaimed notifications free the limit.
      yield* deliveries.reclaim("eager")
      const next = yield* deliveries.lease("eager", 5 * minute, 1000).pipe(at(noon + minute))
      assert.strictEqual(of(next, eager), accountShare)
      yield* deliveries.reclaim("eager")
      yield* deliveries.reclaim("another engine")
    })
  )

  it.effect("retries with growing pauses, as the destination asks, up to a limit", () =>
    Effect.sync(() => {
      const after = (reason: Parameters<typeof afterFailure>[0]["reason"], attempts: number, failures = 0, age = 0) =>
        afterFailure({ reason, attempts, failures, createdAt: noon - age, deadline: null, now: noon, random: 0 })
      const away = unreachable("away").reason
      const waits = Array.from({ length: 12 }, (_, index) => {
        const outcome = after(away, index)
        return outcome._tag === "Retry" ? outcome.at - noon : -1
      })
      assert.deepStrictEqual(waits.slice(0, 4), [5000, 10_000, 20_000, 40_000])
      assert.isTrue(waits.every((wait, index) => wait <= 15 * minute && wait >= (waits[index - 1] ?? 0)))
      assert.deepStrictEqual(after(rejected("no").reason, 0), { _tag: "Failed", disable: false })
      assert.deepStrictEqual(after(gone("gone").reason, 0), { _tag: "Failed", disable: true })
      const slow = after(throttled("slow", 90).reason, 0)
      assert.deepStrictEqual(slow, { _tag: "Retry", at: noon + 90_000, restUntil: noon + 90_000 })
      // One that does not say for how long rests from five seconds on, longer each time.
      const unsaid = throttled("slow").reason
      for (const [failures, rest] of [5000, 10_000, 20_000, 40_000].entries())
        assert.deepStrictEqual(after(unsaid, failures, failures), {
          _tag: "Retry",
          at: noon + rest,
          restUntil: noon + rest
        })
      assert.strictEqual(after(away, 3, 3)._tag === "Retry" && after(away, 3, 3)._tag, "Retry")
      assert.deepStrictEqual(after(away, 9, 9, 24 * 60 * minute), { _tag: "Failed", disable: false })
    })
  )
})
