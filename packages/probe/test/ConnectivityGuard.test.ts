import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as World from "./World.ts"
import { neighbours } from "./World.ts"

/** A target that works until then. */
const diesAt = (second: number) => (now: number) => (now < second ? "alive" : "dead") as "alive" | "dead"
const lostBetween = (from: number, until: number) => (now: number) => now < from || now >= until

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Any behaviour of one account's targets. */
const attacker = fc.array(
  fc.oneof(
    fc.constant(() => "dead" as const),
    fc.integer({ min: 30, max: 90 }).map(diesAt),
    fc.tuple(fc.integer({ min: 5, max: 40 }), fc.nat(40)).map(
      ([period, shift]) =>
        (now: number) =>
          (Math.floor((now + shift) / period) % 2 === 0 ? "alive" : "dead") as "alive" | "dead"
    )
  ),
  { maxLength: 60 }
)

const targetsOf = (behaviours: ReadonlyArray<NonNullable<World.Target["stands"]>>): ReadonlyArray<World.Target> =>
  behaviours.map((stands, index) => ({ name: `evil${index}`, account: "evil", stands }))

describe("a failure of one account, in any state of another one", () => {
  it("is reported unchanged, within seconds", () =>
    fc.assert(
      fc.asyncProperty(
        attacker,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 20, max: 80 }),
        fc.constantFrom(0, 4000),
        // Any number of targets that fail together with the victim.
        fc.nat(60),
        async (behaviours, others, death, timeout, together) => {
          const victim: World.Target = { name: "victim", account: "victim", stands: diesAt(death) }
          const evil = targetsOf([...behaviours, ...range(together).map(() => diesAt(death))])
          await World.run(
            Effect.gen(function* () {
              const world = yield* World.make([...evil, victim, ...neighbours(others)], { timeout })
              yield* world.pass(150)
              const told = world.of("victim").filter(({ observation }) => observation.status !== "up")
              assert.isAtLeast(told.length, 4)
              for (const { delay, observation } of told) {
                assert.strictEqual(observation.status, "down")
                assert.isAtMost(delay, 5000)
              }
              for (const { observation } of world.reported) assert.notStrictEqual(observation.status, "unknown")
              assert.deepStrictEqual(world.changes, [])
            })
          )
        }
      ),
      { numRuns: 150 }
    ))

  it.effect("is reported even if 45 targets of another account never worked", () =>
    Effect.gen(function* () {
      const dead = range(45).map((index): World.Target => ({
        name: `d${index}`,
        account: "free",
        stands: () => "dead"
      }))
      const victim: World.Target = {
        name: "shop",
        account: "paying",
        stands: (now) => (now < 50 ? "alive" : "answers badly")
      }
      const world = yield* World.make([...dead, victim])
      yield* world.pass(100)
      assert.deepStrictEqual(new Set(world.statuses("shop").slice(-4)), new Set(["down"]))
      assert.isTrue(world.of("shop").every(({ delay }) => delay <= 1000))
    })
  )

  it.effect("is reported at once where there are too few others to ask", () =>
    Effect.gen(function* () {
      const few = range(4).map((index): World.Target => ({
        name: `t${index}`,
        account: "only",
        stands: (now) => (now < 50 ? "alive" : "dead")
      }))
      const world = yield* World.make(few)
      yield* world.pass(100)
      for (const { name } of few) assert.deepStrictEqual(new Set(world.statuses(name).slice(-4)), new Set(["down"]))
      assert.deepStrictEqual(
        world.reported.filter(({ delay }) => delay > 0),
        []
      )
    })
  )

  it.effect("is reported for each of 30 of 40 targets of one account that are shut down", () =>
    Effect.gen(function* () {
      const mine = range(40).map((index): World.Target => ({
        name: `t${index}`,
        account: "only",
        ...(index < 30 ? { stands: diesAt(30) } : {})
      }))
      const world = yield* World.make(mine)
      yield* world.pass(60)
      for (const index of range(30)) assert.strictEqual(world.statuses(`t${index}`).at(-1), "down", `t${index}`)
      assert.isFalse(world.guard.isOffline())
    })
  )
})

describe("a probe that loses its connection", () => {
  it("causes no alert with enough witnesses and for less than two minutes", () =>
    fc.assert(
      fc.asyncProperty(
        attacker,
        fc.boolean(),
        fc.integer({ min: 25, max: 100 }),
        fc.constantFrom(0, 4000),
        fc.integer({ min: 40, max: 60 }),
        fc.boolean(),
        async (behaviours, alone, seconds, timeout, from, once) => {
          const own = neighbours(8, alone ? { account: "only" } : {})
          const others = alone ? [] : targetsOf(behaviours)
          await World.run(
            Effect.gen(function* () {
              const connected = lostBetween(from, from + seconds)
              const world = yield* World.make([...own, ...others], { connected, once, timeout })
              yield* world.pass(from + seconds + 30)
              for (const { name } of own) assert.notInclude(world.statuses(name), "down", name)
              assert.deepStrictEqual(world.changesOnly(), ["offline", "online"])
              for (const { name } of own) assert.strictEqual(world.statuses(name).at(-1), "up")
            })
          )
        }
      ),
      { numRuns: 80 }
    ))

  it("causes no alert while no reference target answers, however few targets it has", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 20, max: 600 }), async (count, seconds) => {
        const connected = lostBetween(40, 40 + seconds)
        await World.run(
          Effect.gen(function* () {
            const world = yield* World.make(neighbours(count), { connected, reference: connected })
            yield* world.pass(seconds + 70)
            for (const { observation } of world.reported) assert.notStrictEqual(observation.status, "down")
            assert.deepStrictEqual(world.changesOnly(), ["offline", "online"])
            assert.isTrue(
              world.reported.every(({ delay }) => delay <= 5000),
              "nothing is held longer than the limit"
            )
          })
        )
      }),
      { numRuns: 20 }
    ))

  it.effect("reports what it held unchanged, in order, after two minutes, and does not hold again", () =>
    Effect.gen(function* () {
      const world = yield* World.make(neighbours(8), { connected: (now) => now < 60 })
      yield* world.pass(170)
      assert.isTrue(world.guard.isOffline())
      assert.notInclude(world.statuses("n0"), "down")
      yield* world.pass(130)
      assert.deepStrictEqual(world.changesOnly(), ["offline", "given up"])
      assert.isAtMost(world.changes[1]![0] - 60, 131)
      for (const { name } of neighbours(8)) {
        const all = world.of(name)
        const slots = all.map(({ observation }) => observation.slot)
        assert.deepStrictEqual(
          slots,
          range(slots.length).map((index) => index + 1)
        )
        const failed = all.filter(({ observation }) => observation.status === "down")
        assert.isAtMost(failed[0]!.observation.checkedAt, 70_000, "dated to its first failing check")
        assert.isTrue(failed.slice(-5).every(({ delay }) => delay === 0))
        assert.notInclude(world.statuses(name), "unknown")
      }
    })
  )

  it.effect.each([-3_600_000, 3_600_000])("is offline for two minutes, also when its clock is set by %d ms", (jump) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const settable: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead
      })
      yield* TestClock.setTime(10 * 3_600_000)
      let up = true
      const world = yield* Effect.provideService(
        World.make(neighbours(8), { connected: () => up }),
        Clock.Clock,
        settable
      )
      yield* world.pass(30)
      up = false
      yield* world.pass(30)
      assert.isTrue(world.guard.isOffline())
      ahead = jump
      yield* world.pass(60)
      assert.isTrue(world.guard.isOffline())
      assert.notInclude(world.statuses("n0"), "down")
      yield* world.pass(45)
      assert.isFalse(world.guard.isOffline())
      assert.strictEqual(world.statuses("n0").at(-1), "down")
      // A failure after a proven end must not count as one from before.
      up = true
      yield* world.pass(20)
      up = false
      yield* world.pass(20)
      up = true
      yield* world.pass(20)
      ahead = 0
      for (const target of neighbours(8).slice(1)) yield* world.check(target)
      const before = world.reported.length
      yield* world.check({ ...neighbours(1)[0]!, stands: () => "dead" })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(
        world.reported.slice(before).map(({ observation }) => observation.status),
        ["down"]
      )
    })
  )

  it.effect("can be offline again after something answered", () =>
    Effect.gen(function* () {
      const connected = (now: number) => now < 60 || (now >= 240 && now < 300) || now >= 340
      const world = yield* World.make(neighbours(8), { connected })
      yield* world.pass(380)
      assert.deepStrictEqual(world.changesOnly(), ["offline", "given up", "offline", "online"])
    })
  )

  it.effect("reports nothing as unknown, and asks no witness, with fewer than five accounts", () =>
    Effect.gen(function* () {
      const own = range(40).map((index): World.Target => ({ name: `t${index}`, account: `a${index % 4}` }))
      const world = yield* World.make(own, { connected: (now) => now < 60 })
      yield* world.pass(90)
      assert.strictEqual(world.asked(), 0)
      for (const { name } of own) assert.strictEqual(world.statuses(name).at(-1), "down")
    })
  )

  it.effect("asks once for simultaneous failures", () =>
    Effect.gen(function* () {
      const all = range(500).map((index): World.Target => ({ name: `t${index}`, account: `a${index}`, interval: 1 }))
      const world = yield* World.make(all, { connected: (now) => now < 5 || now >= 8 })
      yield* world.pass(5)
      assert.strictEqual(world.asked(), 0)
      yield* world.pass(3)
      assert.isAtMost(world.asked(), 16 * 3)
      yield* world.pass(3)
      for (const { observation } of world.reported) assert.notStrictEqual(observation.status, "down")
    })
  )

  it.effect("rarely asks other accounts' targets for one account, however many of its own flap", () =>
    Effect.gen(function* () {
      const flapping = range(60).map((index): World.Target => ({
        name: `evil${index}`,
        account: "evil",
        stands: (now) => (Math.floor(now / 10) % 2 === 0 ? "alive" : "dead")
      }))
      const world = yield* World.make([...neighbours(8, { interval: 300 }), ...flapping])
      yield* world.pass(100)
      const before = world.asked()
      yield* world.pass(500)
      assert.isAbove(world.asked(), before)
      assert.isAtMost(world.asked() - before, 9 * 50, "all of them, not more than every ten seconds")
      assert.deepStrictEqual(world.changes, [])
    })
  )

  it.effect("asks for an account immediately, even if others were just asked for another one", () =>
    Effect.gen(function* () {
      const evil: World.Target = { name: "evil", account: "evil", stands: (now) => (now < 59 ? "alive" : "dead") }
      const world = yield* World.make([...neighbours(8, { interval: 60 }), evil], { connected: (now) => now < 62 })
      yield* world.pass(60)
      yield* world.check(evil)
      yield* TestClock.adjust("1 second")
      const before = world.asked()
      assert.isAtLeast(before, 5)
      yield* TestClock.adjust("2 seconds")
      yield* world.check(neighbours(1)[0]!)
      yield* TestClock.adjust("3 seconds")
      assert.isAbove(world.asked(), before)
      assert.isTrue(world.guard.isOffline())
      assert.notInclude(world.statuses("n0"), "down")
    })
  )

  it.effect("returns unknown for a pending check without waiting two minutes", () =>
    Effect.gen(function* () {
      const [own, ...others] = neighbours(8)
      const world = yield* World.make([own!, ...others], { connected: (now) => now < 60 })
      yield* world.pass(80)
      yield* world.check(own!)
      const { failure, status } = world.postponed.at(-1)!
      assert.deepStrictEqual([status, failure?.code], ["unknown", "probe_offline"])
      assert.include(failure!.message, "network connection")
      // Monitors that were held at that moment got provisional results.
      assert.isAtLeast(new Set(world.postponed.map(({ monitorId }) => monitorId)).size, 8)
    })
  )

  it.effect("is not offline when witnesses answer, however badly", () =>
    Effect.gen(function* () {
      const all = neighbours(8, { stands: (now) => (now < 60 ? "alive" : "answers badly") })
      const world = yield* World.make(all)
      yield* world.pass(90)
      assert.deepStrictEqual(world.changes, [])
      for (const { name } of all) assert.deepStrictEqual(new Set(world.statuses(name).slice(-2)), new Set(["down"]))
    })
  )

  it.effect("ignores a witness with an answer that it could not evaluate", () =>
    Effect.gen(function* () {
      const all = neighbours(8, { stands: (now) => (now < 60 ? "alive" : "not evaluated") })
      const world = yield* World.make([
        ...all,
        { name: "shop", account: "ada", stands: (now) => (now < 65 ? "alive" : "dead") }
      ])
      yield* world.pass(90)
      assert.deepStrictEqual(world.changes, [])
      assert.strictEqual(world.statuses("shop").at(-1), "down")
    })
  )

  it.effect("reports its own failure as such", () =>
    Effect.gen(function* () {
      const own = { status: "unknown", failure: { code: "egress_unavailable", message: "no route" } } as const
      const world = yield* World.make(neighbours(8), { connected: (now) => now < 60 })
      yield* world.pass(61)
      for (const target of neighbours(8)) yield* world.check(target, own)
      yield* world.pass(5)
      assert.isTrue(world.guard.isOffline())
      for (const { observation } of world.reported) assert.notStrictEqual(observation.status, "down")
    })
  )
})

describe("held results", () => {
  const offline = (options: World.Options = {}) =>
    Effect.gen(function* () {
      const world = yield* World.make(neighbours(8), { connected: (now) => now < 60, ...options })
      yield* world.pass(90)
      assert.isTrue(world.guard.isOffline())
      return world
    })

  it.effect("are reported as unknown when the monitor is removed, and stay held on handover", () =>
    Effect.gen(function* () {
      const world = yield* offline()
      world.guard.forget("mon_n0")
      world.guard.handOver("mon_n1")
      assert.include(world.statuses("n0"), "unknown")
      assert.notInclude(world.statuses("n1"), "unknown")
      yield* TestClock.adjust("2 minutes")
      assert.notInclude(world.statuses("n0"), "down")
      assert.include(world.statuses("n1"), "down")
    })
  )

  it.effect("are reported as unknown when the settings change, before results of the new ones", () =>
    Effect.gen(function* () {
      const world = yield* offline()
      const [own] = neighbours(1)
      world.specOf(own!, { revision: 2, config: { host: "n0.example", port: 7 } })
      yield* world.check(own!)
      const before = world.statuses("n0").filter((status) => status === "unknown").length
      assert.isAtLeast(before, 3)
      world.specOf(own!, { revision: 3, changedAt: 1 })
      yield* world.check(own!)
      assert.strictEqual(world.statuses("n0").filter((status) => status === "unknown").length, before)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(world.statuses("n0").slice(-2), ["down", "down"])
    })
  )

  it.effect("stay within their limit, and keep the first and the newest of each monitor", () =>
    Effect.gen(function* () {
      const world = yield* offline({ capacity: 10 })
      assert.isAbove(world.lost(), 0)
      yield* TestClock.adjust("2 minutes")
      for (const { name } of neighbours(8)) {
        const down = world.of(name).filter(({ observation }) => observation.status === "down")
        assert.isAtLeast(down.length, 2)
        assert.isAtMost(down[0]!.observation.checkedAt, 70_000)
      }
    })
  )

  it.effect.each([
    ["offline", 30, "unknown"],
    ["in doubt", 0, "down"]
  ] as const)("are reported when the probe stops while it is %s", ([_, seconds, status]) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const options = { connected: (now: number) => now < 60 }
      const world = yield* Effect.provideService(World.make(neighbours(8), options), Scope.Scope, scope)
      yield* world.pass(60 + seconds)
      if (seconds === 0) yield* world.check(neighbours(1)[0]!)
      const before = world.reported.length
      yield* Scope.close(scope, Exit.void)
      const flushed = world.reported.slice(before)
      assert.isNotEmpty(flushed)
      for (const { observation } of flushed) assert.strictEqual(observation.status, status)
    })
  )

  it.effect("are reported when asking fails", () =>
    Effect.gen(function* () {
      const world = yield* World.make(neighbours(2), {
        connected: (now) => now < 60,
        reference: () => assert.fail("a mistake")
      })
      yield* world.pass(90)
      assert.strictEqual(world.statuses("n0").at(-1), "down")
      assert.isTrue(world.reported.every(({ delay }) => delay < 2000))
    })
  )
})
