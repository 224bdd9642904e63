/** Several rules that alert one channel to the same outage send one message and keep a history per rule. */
import { assert, layer } from "@effect/vitest"
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules, type RuleDraft } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Deliveries, type DeliveryOutcome } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Effect } from "effect"
import { tried } from "../support/Attempts.ts"
import { at, environment, history, evaluate, minute, noon, stage } from "../support/Stage.ts"

const delivered: DeliveryOutcome = { _tag: "Delivered" }
const refused: DeliveryOutcome = { _tag: "Failed", disable: false }

/** Works the queue of a channel as the engine does: what is sent, and which rules it stands for. */
const work = (channel: ChannelId, minutes: number, outcome: DeliveryOutcome = delivered) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const now = noon + minutes * minute
    const sent: Array<{ readonly event: unknown; readonly alertId: string; readonly rules: ReadonlyArray<string> }> = []
    for (;;) {
      const due = yield* deliveries.next(channel).pipe(at(now))
      if (due === undefined) return sent
      if (due.notifiedBy !== null) {
        yield* deliveries.share(due).pipe(at(now))
        continue
      }
      const word = outcome._tag === "Delivered" ? "delivered" : outcome._tag === "Retry" ? "retrying" : "failed"
      yield* deliveries.conclude(due, tried(now, word, "as told"), outcome).pipe(at(now))
      const said = { event: due.notice["event"], alertId: due.alertId, rules: due.rules.map(({ name }) => name) }
      sent.push(due.notice["reminder"] === true ? { ...said, event: "reminder" } : said)
    }
  })

const another = (projectId: ProjectId, name: string, draft: Partial<RuleDraft> = {}) =>
  Effect.flatMap(AlertRules, (rules) =>
    rules.create(projectId, {
      name,
      monitorIds: [],
      channelIds: [],
      triggers: ["monitor_down"],
      consecutiveFailures: 1,
      resendEvery: 0,
      ...draft
    })
  )

/** Every delivery in the history of a project, by its rule. */
const deliveriesOf = (projectId: ProjectId) =>
  Effect.gen(function* () {
    const alertHistory = yield* AlertHistory
    const entries = yield* history(projectId)
    return yield* Effect.forEach(entries.toReversed(), (entry) =>
      Effect.map(alertHistory.deliveries(projectId, entry.id), (found) => ({
        entry,
        found,
        said: found.map(
          ({ event: name, sharedWith, status }) => `${name} ${status}${sharedWith === null ? "" : " shared"}`
        )
      }))
    )
  })

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("equal rules over one monitor", (it) => {
  it.effect("sends one message when the outage begins and one when it ends, with an entry for each rule", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 2 })
      for (let index = 2; index <= 20; index++) yield* another(project.id, `Down ${index}`)
      yield* evaluate(monitor, 0, "up", "down")
      const told: Array<string> = []
      for (const channel of channels) {
        const opening = yield* work(channel, 2)
        assert.lengthOf(opening, 1)
        assert.strictEqual(opening[0]!.rules[0], "Down")
        assert.sameMembers(
          [...opening[0]!.rules],
          ["Down", ...Array.from({ length: 19 }, (_, index) => `Down ${index + 2}`)]
        )
        told.push(opening[0]!.alertId)
      }
      yield* evaluate(monitor, 2, "up")
      for (const [index, channel] of channels.entries()) {
        const closing = yield* work(channel, 3)
        assert.lengthOf(closing, 1)
        assert.deepInclude(closing[0]!, { event: "monitor_up", alertId: told[index]! })
        assert.lengthOf(closing[0]!.rules, 20)
      }
      const all = yield* deliveriesOf(project.id)
      assert.lengthOf(all, 40)
      for (const { entry, found } of all) {
        assert.deepInclude(entry, { status: "delivered", error: null })
        assert.deepStrictEqual(
          found.map(({ attempts, status }) => [status, attempts.length]),
          [
            ["delivered", 1],
            ["delivered", 1]
          ]
        )
      }
      assert.lengthOf(
        all.flatMap(({ found }) => found.filter(({ sharedWith }) => sharedWith === null)),
        4
      )
    })
  )

  it.effect("notifies only other channels if a rule requires more failures", () =>
    Effect.gen(function* () {
      const { channels, monitor, project, rule } = yield* stage({ channels: 2 })
      const [first, second] = channels as [ChannelId, ChannelId]
      const rules = yield* AlertRules
      yield* rules.update(project.id, rule.id, (current) => Effect.succeed({ ...current, channelIds: [first] }))
      yield* another(project.id, "After three", { consecutiveFailures: 3 })
      yield* evaluate(monitor, 0, "up", "down")
      const [opening] = yield* work(first, 1)
      assert.deepStrictEqual(opening!.rules, ["Down"])
      yield* evaluate(monitor, 2, "down", "down")
      assert.deepStrictEqual(yield* work(first, 3), [])
      const [elsewhere] = yield* work(second, 3)
      assert.deepStrictEqual(elsewhere!.rules, ["After three"])
      yield* evaluate(monitor, 4, "up")
      const [closing, ...more] = yield* work(first, 4)
      assert.deepStrictEqual(closing, {
        event: "monitor_up",
        alertId: opening!.alertId,
        rules: ["Down", "After three"]
      })
      assert.deepStrictEqual(more, [])
      assert.strictEqual((yield* work(second, 4))[0]!.alertId, elsewhere!.alertId)
      const said = (yield* deliveriesOf(project.id)).map((one) => one.said)
      assert.sameDeepMembers(said, [
        ["monitor_down delivered", "monitor_up delivered"],
        ["monitor_down delivered shared", "monitor_up delivered shared"],
        ["monitor_down delivered", "monitor_up delivered"]
      ])
    })
  )

  it.effect("closes an incident under the id that opened it, also after its rule was deleted", () =>
    Effect.gen(function* () {
      const { channels, monitor, project, rule } = yield* stage({ channels: 1 })
      yield* another(project.id, "Other")
      yield* evaluate(monitor, 0, "up", "down")
      const [opening] = yield* work(channels[0]!, 1)
      yield* Effect.flatMap(AlertRules, (rules) => rules.remove(project.id, rule.id))
      yield* evaluate(monitor, 2, "up")
      assert.deepStrictEqual(yield* work(channels[0]!, 2), [
        { event: "monitor_up", alertId: opening!.alertId, rules: ["Other"] }
      ])
    })
  )

  it.effect("retries together, and fails together", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 1 })
      yield* another(project.id, "Other")
      yield* evaluate(monitor, 0, "up", "down")
      const deliveries = yield* Deliveries
      const first = (yield* deliveries.next(channels[0]!).pipe(at(noon + minute)))!
      const retry: DeliveryOutcome = { _tag: "Retry", at: noon + 5 * minute, restUntil: null, isFailure: true }
      yield* work(channels[0]!, 1, retry)
      assert.deepStrictEqual(yield* work(channels[0]!, 4), [])
      const again = (yield* deliveries.next(channels[0]!).pipe(at(noon + 5 * minute)))!
      assert.deepStrictEqual([again.id, again.attempts, again.shared.length], [first.id, 1, 1])
      yield* work(channels[0]!, 5, refused)
      for (const { entry, found } of yield* deliveriesOf(project.id)) {
        assert.deepInclude(entry, { status: "failed", error: "as told" })
        assert.deepStrictEqual(
          found.map(({ attempts }) => attempts.map(({ outcome }) => outcome)),
          [["retrying", "failed"]]
        )
      }
    })
  )

  it.effect("sends one message for an outage that ended before the first delivery", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 1 })
      yield* another(project.id, "Other")
      yield* evaluate(monitor, 0, "up", "down", "up")
      const deliveries = yield* Deliveries
      const opening = (yield* deliveries.next(channels[0]!).pipe(at(noon + 2 * minute)))!
      const later: DeliveryOutcome = { _tag: "Retry", at: noon + 30 * minute, restUntil: null, isFailure: true }
      const again = tried(noon, "retrying", "as told")
      yield* deliveries.conclude(opening, again, later).pipe(at(noon + 2 * minute))
      const due = (yield* deliveries.next(channels[0]!).pipe(at(noon + 3 * minute)))!
      assert.deepInclude(due, { overtakesOpening: true })
      assert.deepStrictEqual([due.notice["event"], due.shared.length], ["monitor_up", 1])
      assert.lengthOf(yield* work(channels[0]!, 11), 1)
      for (const { said } of yield* deliveriesOf(project.id))
        assert.match(said.join(", "), /^monitor_down merged, monitor_up delivered( shared)?$/)
    })
  )

  it.effect("sends reminders at the shortest interval of the rules", () =>
    Effect.gen(function* () {
      const { channels, monitor, project } = yield* stage({ channels: 1, rule: { resendEvery: 12 } })
      const openAlerts = yield* OpenAlerts
      yield* another(project.id, "Often", { consecutiveFailures: 5, resendEvery: 10 })
      yield* evaluate(monitor, 0, "down", "down", "down", "down", "down", "down")
      const reminded: Array<number> = []
      for (let minutes = 5; minutes <= 50; minutes++) {
        yield* openAlerts.remind.pipe(at(noon + minutes * minute))
        for (const { event: name } of yield* work(channels[0]!, minutes))
          if (name === "reminder") reminded.push(minutes)
      }
      const gaps = reminded.slice(1).map((one, index) => one - reminded[index]!)
      assert.isNotEmpty(gaps)
      for (const gap of gaps) assert.strictEqual(gap, 10, `reminded at ${reminded.join(", ")}`)
    })
  )
})
