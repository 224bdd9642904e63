import { assert, describe, it } from "@effect/vitest"
import type { CheckResult } from "@kanmon/core/CheckResult"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Sight from "../src/Sight.ts"

const result = (status: RegionStatus): CheckResult => ({
  status,
  responseTime: null,
  timing: {},
  failure: null,
  facts: {}
})

/** A probe's eyes on `hosts` targets, and a network in which every host stands as it is told. */
const stage = (options: { readonly hosts: number; readonly sentinels?: () => boolean }) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const reported: Array<Observation> = []
    const turns: Array<boolean> = []
    const down = new Set<number>()
    let asked = 0
    let lookMillis = 0
    const sight = yield* Sight.make({
      report: (observation) => void reported.push(observation),
      check: ({ host }) =>
        Effect.map(Effect.sleep(lookMillis), () => {
          asked++
          return result(down.has(Number(host.slice(1))) ? "down" : "up")
        }),
      prepare: ({ config }) => ({ host: String(config["host"]), target: "x", run: () => Effect.die("not here") }),
      sentinels: options.sentinels === undefined ? undefined : Effect.sync(options.sentinels),
      changed: (blind) => Effect.sync(() => void turns.push(blind))
    })
    let slot = 0
    const spec = (index: number): MonitorSpec => ({
      id: MonitorId.make(`mon_${index}`),
      projectId: ProjectId.make("prj_1"),
      type: "http",
      interval: 10,
      timeout: 5,
      config: { host: `h${index}` },
      revision: 1,
      changedAt: 0
    })
    /** Every target is checked once, and time goes on by an interval. */
    const round = Effect.gen(function* () {
      const before = reported.length
      slot++
      for (let index = 0; index < options.hosts; index++) {
        const at = clock.currentTimeMillisUnsafe()
        const status = down.has(index) ? "down" : "up"
        sight.see(
          {
            monitorId: spec(index).id,
            projectId: ProjectId.make("prj_1"),
            region: "eu-west",
            slot,
            scheduledAt: at,
            checkedAt: at,
            ...result(status),
            failure: status === "up" ? null : { code: "connect_refused", message: "refused" }
          },
          spec(index)
        )
        yield* TestClock.adjust(10_000 / options.hosts)
      }
      const seen = reported.slice(before)
      return (status: RegionStatus) => seen.filter((one) => one.status === status).length
    })
    return {
      round,
      reported,
      turns,
      asked: () => asked,
      isBlind: sight.isBlind,
      slowDown: (millis: number) => void (lookMillis = millis),
      fail: (...indexes: ReadonlyArray<number>) => indexes.forEach((index) => down.add(index)),
      mend: (...indexes: ReadonlyArray<number>) => indexes.forEach((index) => down.delete(index))
    }
  })

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("a probe that can see", () => {
  it.effect("reports each failure as it is, and asks around for it once", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 40 })
      yield* eyes.round
      eyes.fail(3, 17)
      const count = yield* eyes.round
      assert.deepStrictEqual([count("down"), count("up"), count("unknown")], [2, 38, 0])
      const asked = eyes.asked()
      assert.isAtMost(asked, 10)
      yield* eyes.round
      assert.strictEqual(eyes.asked(), asked, "a target that stays down is not looked into again")
      assert.deepStrictEqual(eyes.turns, [])
    })
  )

  it.effect("believes in an outage of all its few targets", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 6 })
      yield* eyes.round
      eyes.fail(...range(6))
      const count = yield* eyes.round
      assert.strictEqual(count("down"), 6)
    })
  )

  it.effect("believes in a mass failure when a sentinel answers", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 40, sentinels: () => true })
      yield* eyes.round
      eyes.fail(...range(40))
      const count = yield* eyes.round
      assert.strictEqual(count("down"), 40)
    })
  )
})

describe("a probe that cannot see", () => {
  it.effect("leaves unknown what it saw in the dark, though it finds time to think about it in the light", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 40 })
      yield* eyes.round
      eyes.fail(...range(40))
      yield* eyes.round
      assert.isTrue(eyes.isBlind())
      yield* TestClock.adjust("2 seconds")
      // The first is asked before the network is back; the look around that follows ends when most have been seen well again.
      eyes.mend(...range(40).slice(1))
      eyes.slowDown(8000)
      const back = yield* eyes.round
      assert.isFalse(eyes.isBlind())
      assert.deepStrictEqual([back("up"), back("down"), back("unknown")], [39, 0, 1])
      const after = yield* eyes.round
      assert.deepStrictEqual([after("up"), after("down"), after("unknown")], [39, 1, 0])
    })
  )

  it.effect("says so from the first failure on, and tells the truth again afterwards", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 500 })
      yield* eyes.round
      eyes.fail(...range(500))
      const dark = yield* eyes.round
      assert.deepStrictEqual([dark("down"), dark("unknown")], [0, 500])
      assert.isTrue(eyes.isBlind())
      const still = yield* eyes.round
      assert.strictEqual(still("down"), 0)
      // Three really broke meanwhile.
      eyes.mend(...range(497))
      yield* eyes.round
      const after = yield* eyes.round
      assert.deepStrictEqual([after("up"), after("down"), after("unknown")], [497, 3, 0])
      assert.deepStrictEqual(eyes.turns, [true, false])
    })
  )

  it.effect("asks its sentinels when it has any, however few targets it has", () =>
    Effect.gen(function* () {
      let answers = true
      const eyes = yield* stage({ hosts: 2, sentinels: () => answers })
      yield* eyes.round
      answers = false
      eyes.fail(0, 1)
      const dark = yield* eyes.round
      assert.deepStrictEqual([dark("down"), dark("unknown")], [0, 2])
      answers = true
      const after = yield* eyes.round
      assert.strictEqual(after("down"), 2)
      assert.deepStrictEqual(eyes.turns, [true, false])
    })
  )

  it.effect("notices when most targets are lost, though some can still be seen", () =>
    Effect.gen(function* () {
      const eyes = yield* stage({ hosts: 100 })
      yield* eyes.round
      // Those that can be seen stand beside those that cannot: the others that are asked are among both.
      eyes.fail(...range(100).filter((index) => index % 4 !== 0))
      yield* eyes.round
      const later = yield* eyes.round
      assert.isTrue(eyes.isBlind())
      assert.strictEqual(later("up"), 25)
      assert.isAtLeast(later("unknown"), 20)
      eyes.mend(...range(100))
      yield* eyes.round
      const after = yield* eyes.round
      assert.strictEqual(after("up"), 100)
      assert.isFalse(eyes.isBlind())
    })
  )
})
