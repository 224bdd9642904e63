import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Context, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { Activity } from "../src/Activity.ts"
import { BoundedEvaluator } from "../src/BoundedEvaluator.ts"
import * as Check from "../src/Check.ts"
import { CheckRunner } from "../src/CheckRunner.ts"
import { Dialer } from "../src/Dialer.ts"
import * as Plugin from "../src/Plugin.ts"
import { Catalogue } from "../src/PluginHost.ts"
import { Quarantine, type QuarantineShape } from "../src/Quarantine.ts"
import { Resolver } from "../src/Resolver.ts"
import { Supervisor } from "../src/Supervisor.ts"

/** Long ago, so that monitors wait for their slots. */
const longAgo = -1_000_000

const spec = (id: string, config: MonitorSpec["config"], more: Partial<MonitorSpec> = {}): MonitorSpec => ({
  id: MonitorId.make(id),
  projectId: ProjectId.make("prj_1"),
  type: "scripted",
  interval: 10,
  timeout: 5,
  config,
  revision: 1,
  changedAt: longAgo,
  ...more
})

/** Throws on any access. */
const riddle: object = new Proxy(
  {},
  {
    get: () => {
      throw riddle
    },
    has: () => {
      throw riddle
    }
  }
)

/** Runs as configured: `millis` of work, then a pass or a failure. */
const scripted = Check.define({
  type: "scripted",
  summary: "Runs as configured.",
  config: Schema.Struct({ millis: Schema.Finite, act: Schema.Literals(["pass", "die", "explode", "hang", "riddle"]) }),
  example: { millis: 0, act: "pass" },
  defaults: { timeout: 5 },
  host: ({ act }) => {
    if (act === "explode") throw new Error("no host")
    return "a.example"
  },
  target: () => "a.example",
  run: ({ act, millis }) =>
    act === "die" || act === "riddle"
      ? Effect.die(act === "die" ? new Error("a fault") : riddle)
      : act === "hang"
        ? Effect.uninterruptible(Effect.never)
        : Effect.as(Effect.sleep(millis), { responseTime: millis })
})

const pass = { millis: 0, act: "pass" }

const attempt: Check.Attempt = { region: "eu-west", stage: () => undefined }

const runnerOf = (concurrency: number) =>
  CheckRunner.layer({ region: "eu-west", concurrency, hostConcurrency: concurrency }).pipe(
    Layer.provide([Layer.succeed(Dialer, {} as Dialer["Service"]), Layer.succeed(Resolver, {} as Resolver["Service"])])
  )

const supervisedBy = Effect.fnUntraced(function* (runner: Layer.Layer<CheckRunner>) {
  const seen: Array<Observation> = []
  const accounts: Array<string | undefined> = []
  const told = { skipped: 0, defects: 0 }
  let refuses = false
  const layer = Supervisor.layer({
    region: "eu-west",
    report: (observation, { account }) => {
      if (refuses) throw new Error("nothing can be reported")
      seen.push(observation)
      accounts.push(account)
    },
    skipped: (slots) => void (told.skipped += slots),
    defect: () => void told.defects++
  }).pipe(
    Layer.provide([
      runner,
      Catalogue.layer([
        {
          name: "scripted",
          load: () => Promise.resolve({ default: Plugin.define({ name: "scripted", contract: 1, checks: [scripted] }) })
        }
      ])
    ])
  )
  const supervisor = Context.get(yield* Layer.build(layer), Supervisor)
  return { supervisor, seen, accounts, told, refuse: (whether: boolean) => void (refuses = whether) }
})

const supervisedWith = (concurrency: number) =>
  supervisedBy(Layer.provide(runnerOf(concurrency), BoundedEvaluator.layer))

const supervised = supervisedWith(2000)

const of = (seen: ReadonlyArray<Observation>, id: string) => seen.filter(({ monitorId }) => monitorId === id)

const activityOf = (key: string, version = "1 "): Activity => ({
  kind: "check",
  key,
  version,
  label: "scripted",
  size: null
})

/** Stalls, one for each running activity, or one of which is known only what was in flight. */
const endedIn = (running: ReadonlyArray<Activity>, inFlight: ReadonlyArray<Activity>): QuarantineShape => {
  const stalls = (running.length === 0 ? [null] : running).map((activity) => ({
    at: 0,
    release: "1",
    stalledMillis: 5000,
    activity,
    plugin: null,
    stack: [],
    inFlight
  }))
  return { stalls, last: stalls.at(-1) }
}

describe("Supervisor", () => {
  it.effect("keeps a thousand monitors running, even if one of them fails in any way", () =>
    Effect.gen(function* () {
      const { seen, supervisor, told } = yield* supervised
      for (let index = 0; index < 1000; index++) {
        yield* supervisor.configure(spec(`mon_${index}`, index === 500 ? { millis: 0, act: "die" } : pass))
      }
      yield* TestClock.adjust(60_000)
      const counts = new Map<string, number>()
      for (const { monitorId, status } of seen) {
        if (status === "up") counts.set(monitorId, (counts.get(monitorId) ?? 0) + 1)
      }
      assert.strictEqual(counts.size, 999)
      assert.isTrue([...counts.values()].every((count) => count === 6 || count === 7))
      assert.strictEqual(told.skipped, 0)
      yield* TestClock.adjust(600_000)
      assert.strictEqual(told.defects, 5)
      assert.deepStrictEqual(supervisor.counts(), { monitors: 1000, quarantined: 1, unusable: 0 })
    })
  )

  it.effect("never lets an older revision replace a newer one, however fast they arrive", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      const millis = (value: number, revision: number) =>
        supervisor.configure(spec("mon_1", { millis: value, act: "pass" }, { revision }))
      yield* millis(1, 1)
      yield* millis(3, 3)
      yield* millis(2, 2)
      yield* millis(4, 3)
      yield* TestClock.adjust(15_000)
      assert.deepStrictEqual(
        seen.map(({ responseTime }) => responseTime),
        [3]
      )
    })
  )

  it.effect("skips what its plugin does not support, until a usable revision arrives", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", pass))
      yield* supervisor.configure(spec("mon_1", { millis: "many", act: "pass" }, { revision: 2 }))
      yield* supervisor.configure(spec("mon_2", pass, { type: "unheard-of" }))
      yield* supervisor.configure(spec("mon_3", { millis: 0, act: "explode" }))
      assert.deepStrictEqual(supervisor.counts(), { monitors: 0, quarantined: 0, unusable: 3 })
      assert.deepStrictEqual([...supervisor.ids()].sort(), ["mon_1", "mon_2", "mon_3"])
      yield* supervisor.configure(spec("mon_1", pass))
      yield* TestClock.adjust(20_000)
      assert.deepStrictEqual(seen, [])
      yield* supervisor.configure(spec("mon_1", pass, { revision: 3 }))
      yield* supervisor.remove(MonitorId.make("mon_2"))
      assert.deepStrictEqual(supervisor.counts(), { monitors: 1, quarantined: 0, unusable: 1 })
      yield* TestClock.adjust(10_000)
      // The current slot, and the next one.
      assert.deepStrictEqual(
        seen.map(({ slot }) => slot),
        [1, 2]
      )
    })
  )

  it.effect("checks a new or changed monitor immediately, and an old one at its slot", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", pass, { changedAt: 0 }))
      yield* supervisor.configure(spec("mon_2", pass))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        seen.map(({ monitorId }) => monitorId),
        ["mon_1"]
      )
      yield* supervisor.configure(spec("mon_2", { millis: 1, act: "pass" }, { changedAt: 1, revision: 2 }))
      yield* TestClock.adjust(1)
      assert.strictEqual(of(seen, "mon_2")[0]?.responseTime, 1)
    })
  )

  it.effect("checks on demand, and returns none for an unknown monitor", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      assert.isTrue(Option.isNone(yield* supervisor.checkNow(MonitorId.make("mon_1"))))
      yield* supervisor.configure(spec("mon_1", pass))
      const asked = yield* Effect.forkChild(supervisor.checkNow(MonitorId.make("mon_1")))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(Option.getOrUndefined(yield* Fiber.join(asked)), seen[0])
    })
  )

  it.effect("checks on demand with the requested revision, or not at all", () =>
    Effect.gen(function* () {
      const { supervisor } = yield* supervised
      const id = MonitorId.make("mon_1")
      const slow = { millis: 3000, act: "pass" }
      yield* supervisor.configure(spec("mon_1", slow))
      assert.isTrue(Option.isNone(yield* supervisor.checkNow(id, 2)))
      const old = yield* Effect.forkChild(Effect.exit(supervisor.checkNow(id, 1)))
      yield* TestClock.adjust(1000)
      // In this order the actor reads its mailbox first: the check of the old settings is not reported for the new ones.
      yield* supervisor.configure(spec("mon_1", { millis: 7, act: "pass" }, { revision: 2 }))
      const asked = yield* Effect.forkChild(supervisor.checkNow(id, 2))
      yield* TestClock.adjust(10)
      assert.strictEqual(Option.getOrUndefined(yield* Fiber.join(asked))?.responseTime, 7)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(old)))
      yield* supervisor.configure(spec("mon_1", { millis: "many" }, { revision: 3 }))
      assert.strictEqual((yield* Effect.flip(supervisor.checkNow(id, 3)))._tag, "CheckNotRun")
      assert.isTrue(Option.isNone(yield* supervisor.checkNow(id, 4)))
    })
  )

  it.effect("stops a removed monitor, including its running check", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", { millis: 3000, act: "pass" }))
      const asked = yield* Effect.forkChild(Effect.exit(supervisor.checkNow(MonitorId.make("mon_1"))))
      yield* TestClock.adjust(1000)
      yield* supervisor.remove(MonitorId.make("mon_1"))
      assert.isTrue(Exit.isFailure(yield* Fiber.join(asked)))
      yield* TestClock.adjust(60_000)
      assert.deepStrictEqual(seen, [])
      assert.strictEqual(supervisor.counts().monitors, 0)
    })
  )

  it.effect("finishes a running check on handover, and starts no other", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", { millis: 3000, act: "pass" }))
      const asked = yield* Effect.forkChild(supervisor.checkNow(MonitorId.make("mon_1")))
      yield* TestClock.adjust(1000)
      const released = yield* Effect.forkChild(supervisor.release(MonitorId.make("mon_1")))
      yield* TestClock.adjust(0)
      assert.strictEqual(supervisor.counts().monitors, 0)
      yield* TestClock.adjust(2000)
      yield* Fiber.join(released)
      assert.deepStrictEqual(Option.getOrUndefined(yield* Fiber.join(asked)), seen[0])
      yield* TestClock.adjust(600_000)
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("does not wait long for an uninterruptible check", () =>
    Effect.gen(function* () {
      const { supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", { millis: 0, act: "hang" }, { changedAt: 0 }))
      yield* TestClock.adjust(100)
      const removed = yield* Effect.forkChild(supervisor.remove(MonitorId.make("mon_1")))
      yield* TestClock.adjust(1000)
      yield* Fiber.join(removed)
    })
  )

  it.effect("quarantines checks that never end, and releases their permits", () =>
    Effect.gen(function* () {
      const { seen, supervisor, told } = yield* supervisedWith(2)
      for (let index = 0; index < 4; index++)
        yield* supervisor.configure(spec(`mon_${index}`, { millis: 0, act: "hang" }, { timeout: 1 }))
      yield* supervisor.configure(spec("mon_good", pass))
      yield* TestClock.adjust(600_000)
      assert.deepStrictEqual(supervisor.counts(), { monitors: 5, quarantined: 4, unusable: 0 })
      assert.strictEqual(told.defects, 20)
      yield* TestClock.adjust(60_000)
      const last = of(seen, "mon_good").slice(-6)
      assert.isTrue(last.every(({ status }) => status === "up"))
      assert.isAbove(last[0]!.scheduledAt, 600_000)
    })
  )

  it.effect("reports the check that a stall ended as unknown, once, and then checks again", () =>
    Effect.gen(function* () {
      const once = ["check_stalled", "up", "up"]
      const never = ["up", "up", "up"]
      const held = ["check_quarantined", "check_quarantined", "check_quarantined"]
      const cases: ReadonlyArray<readonly [QuarantineShape, Array<string>, Array<string>]> = [
        [endedIn([activityOf("mon_1")], []), once, never],
        // Where it is not known which of them blocked, each was ended.
        [endedIn([], [activityOf("mon_1"), activityOf("mon_2")]), once, once],
        [endedIn([activityOf("mon_2", "0 ")], []), never, never],
        [{ ...endedIn([activityOf("mon_1")], []), last: undefined }, never, never],
        [endedIn([activityOf("mon_1"), activityOf("mon_1")], []), held, never]
      ]
      for (const [quarantine, ...expected] of cases) {
        const { seen, supervisor } = yield* Effect.provideService(supervised, Quarantine, quarantine)
        for (const id of ["mon_1", "mon_2"]) yield* supervisor.configure(spec(id, pass))
        yield* TestClock.adjust(40_000)
        const codes = ["mon_1", "mon_2"].map((id) => of(seen, id).map(({ failure, status }) => failure?.code ?? status))
        assert.deepStrictEqual(
          codes.map((those) => those.slice(0, 3)),
          expected
        )
        assert.isTrue(seen.every(({ failure, status }) => failure === null || status === "unknown"))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("does not repeat that when the monitor comes back from another probe, or to another account", () =>
    Effect.gen(function* () {
      const quarantine = endedIn([activityOf("mon_1")], [])
      const { seen, supervisor } = yield* Effect.provideService(supervised, Quarantine, quarantine)
      yield* supervisor.configure(spec("mon_1", pass))
      yield* TestClock.adjust(20_000)
      yield* supervisor.configure(spec("mon_1", pass, { account: "org_2" }))
      yield* TestClock.adjust(20_000)
      yield* supervisor.release(MonitorId.make("mon_1"))
      yield* supervisor.configure(spec("mon_1", pass))
      yield* TestClock.adjust(20_000)
      const stalled = of(seen, "mon_1").filter(({ failure }) => failure?.code === "check_stalled")
      assert.lengthOf(stalled, 1)
      assert.isAbove(of(seen, "mon_1").length, 4)
    })
  )

  it.effect("finishes running checks when it stops, and drops those that take too long", () =>
    Effect.gen(function* () {
      const { seen, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", { millis: 3000, act: "pass" }, { changedAt: 0 }))
      yield* supervisor.configure(spec("mon_2", { millis: 30_000, act: "pass" }, { changedAt: 0, timeout: 60 }))
      yield* TestClock.adjust(1000)
      const stopped = yield* Effect.forkChild(supervisor.stop("5 seconds"))
      yield* TestClock.adjust(5000)
      yield* Fiber.join(stopped)
      assert.deepStrictEqual(
        seen.map(({ monitorId }) => monitorId),
        ["mon_1"]
      )
      yield* TestClock.adjust(60_000)
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("abandons a check that the runner lost, and counts it", () =>
    Effect.gen(function* () {
      let lost = true
      const { seen, supervisor, told } = yield* supervisedBy(
        Layer.succeed(CheckRunner, {
          run: (check) =>
            lost ? Effect.uninterruptible(Effect.never) : Effect.orDie(check.run(attempt) as Effect.Effect<never>),
          runAtOnce: () => Effect.never
        })
      )
      yield* supervisor.configure(spec("mon_1", pass))
      yield* TestClock.adjust(40_000)
      assert.deepStrictEqual(
        seen.map(({ failure }) => failure?.code),
        ["check_defect"]
      )
      assert.strictEqual(told.defects, 1)
      lost = false
      yield* TestClock.adjust(60_000)
      assert.isAtLeast(seen.length, 5)
    })
  )

  it.effect("restarts and counts an actor that died, and can hand it over", () =>
    Effect.gen(function* () {
      const { refuse, seen, supervisor, told } = yield* supervised
      yield* supervisor.configure(spec("mon_1", pass))
      refuse(true)
      yield* TestClock.adjust(10_000)
      // Both the check's report and the report of its crash fail.
      assert.isAtLeast(told.defects, 1)
      refuse(false)
      yield* TestClock.adjust(20_000)
      assert.isNotEmpty(seen)
      refuse(true)
      yield* TestClock.adjust(10_000)
      yield* supervisor.release(MonitorId.make("mon_1")).pipe(Effect.forkChild({ startImmediately: true }))
      refuse(false)
      yield* TestClock.adjust(5000)
      const { length } = seen
      yield* TestClock.adjust(60_000)
      assert.strictEqual(seen.length, length)
    })
  )

  it.effect("continues when a plugin's exception cannot be formatted", () =>
    Effect.gen(function* () {
      const { seen, supervisor, told } = yield* supervised
      yield* supervisor.configure(spec("mon_1", { millis: 0, act: "riddle" }))
      yield* TestClock.adjust(20_000)
      assert.isAtLeast(told.defects, 2)
      assert.strictEqual(seen.length, told.defects)
    })
  )

  it.effect("accepts the account of an unchanged monitor without an extra check", () =>
    Effect.gen(function* () {
      const { seen, accounts, supervisor } = yield* supervised
      yield* supervisor.configure(spec("mon_1", pass))
      yield* supervisor.configure(spec("mon_1", pass, { account: "a1" }))
      yield* TestClock.adjust(10_000)
      assert.deepStrictEqual(accounts, ["a1"])
      assert.strictEqual(seen.length, 1)
    })
  )
})
