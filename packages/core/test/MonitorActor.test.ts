import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { message } from "@kanmon/domain/ObservationMessage"
import { type Gathering, gatheringOf, waitOf } from "@kanmon/domain/Gathering"
import { phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { Clock, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import type { ActorHost } from "../src/ActorHost.ts"
import * as AlarmClock from "../src/AlarmClock.ts"
import type { Prepared } from "../src/Check.ts"
import type { CheckResult } from "../src/CheckRunner.ts"
import * as MonitorActor from "../src/MonitorActor.ts"

const up: CheckResult = { status: "up", responseTime: 1, timing: {}, failure: null, facts: {} }

const defectsOnly = new Set(["unknown check_defect"])

const check: Prepared = { host: "a.example", target: "a.example", run: () => Effect.die("the runner is ours") }

const spec = (id = "mon_1", more: Partial<MonitorSpec> = {}): MonitorSpec => ({
  id: MonitorId.make(id),
  projectId: ProjectId.make("prj_1"),
  type: "http",
  interval: 10,
  timeout: 5,
  config: {},
  revision: 1,
  changedAt: 0,
  ...more
})

interface StageOptions {
  readonly resumes?: boolean
  readonly alarms?: AlarmClock.AlarmClock
  /** Unless false, the actor is started. */
  readonly lives?: boolean
  /** Reports fail. */
  readonly refuses?: boolean
  readonly gathering?: () => Gathering | undefined
}

/** An actor that runs `run` for its checks. */
const stage = (run: () => Effect.Effect<CheckResult>, own = spec(), options: StageOptions = {}) =>
  Effect.gen(function* () {
    const seen: Array<Observation> = []
    const told = { skipped: 0, late: 0, defects: 0, quarantined: 0, running: 0, most: 0 }
    const host: ActorHost = {
      region: "eu-west",
      ...(options.gathering !== undefined && { gathering: options.gathering }),
      alarms: options.alarms ?? (yield* AlarmClock.make),
      run: (_check, _timeout, _patience, begun) =>
        Effect.suspend(() => {
          begun()
          told.most = Math.max(told.most, ++told.running)
          return run().pipe(Effect.ensuring(Effect.sync(() => void told.running--)))
        }),
      judged: (_spec, observation) => observation,
      report: (observation, _spec, { lagMillis }) => {
        told.late += lagMillis
        if (options.refuses === true || "poison" in observation.facts) throw new Error("cannot be sent")
        seen.push(observation)
      },
      skipped: (_id, slots) => void (told.skipped += slots),
      defect: () => Effect.sync(() => void told.defects++),
      quarantined: () => Effect.sync(() => void told.quarantined++)
    }
    const actor = MonitorActor.make(host, own, check, { resumes: options.resumes ?? false })
    const fiber = yield* Effect.forkScoped(options.lives === false ? Effect.void : actor.live)
    yield* Effect.yieldNow
    return { actor, fiber, seen, told }
  })

describe("MonitorActor", () => {
  it.effect("runs every slot once, on time, over 10,000 ticks", () =>
    Effect.gen(function* () {
      const { seen, told } = yield* stage(() => Effect.succeed(up))
      yield* TestClock.adjust(10_000 * 10_000)
      assert.strictEqual(seen.length, 10_000)
      const own = phase("mon_1", 10_000)
      seen.forEach((observation, index) => {
        assert.strictEqual(observation.slot, seen[0]!.slot + index)
        assert.strictEqual(observation.scheduledAt, slotStart(observation.slot, own, 10_000))
        assert.strictEqual(observation.checkedAt, observation.scheduledAt)
      })
      assert.strictEqual(told.skipped, 0)
    })
  )

  it.effect("begins gathered checks at their cell's end, and counts no lateness for it", () =>
    Effect.gen(function* () {
      const gathering = { cell: 1000, window: 32 }
      const { seen, told } = yield* stage(() => Effect.succeed(up), spec(), { gathering: () => gathering })
      yield* TestClock.adjust(10_000 * 100)
      assert.strictEqual(seen.length, 100)
      seen.forEach((observation, index) => {
        assert.strictEqual(observation.slot, seen[0]!.slot + index)
        assert.strictEqual(observation.scheduledAt, slotStart(observation.slot, phase("mon_1", 10_000), 10_000))
        assert.strictEqual(observation.checkedAt - observation.scheduledAt, waitOf(observation.scheduledAt, gathering))
      })
      assert.deepStrictEqual([told.skipped, told.late], [0, 0])
    })
  )

  it.effect("runs every slot once while checks are gathered in changing ways", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.integer({ min: 1, max: 15_000 }), fc.integer({ min: 0, max: 400 }), fc.boolean())),
          fc.integer({ min: 0, max: 99 }),
          (changes, name) =>
            Effect.runPromise(
              Effect.gen(function* () {
                let gathering: Gathering | undefined
                const own = spec(`mon_${name}`)
                const { actor, seen, told } = yield* stage(() => Effect.succeed(up), own, {
                  gathering: () => gathering
                })
                for (const [millis, checksPerSecond, isDisturbed] of changes) {
                  yield* TestClock.adjust(millis)
                  gathering = gatheringOf(checksPerSecond)
                  if (isDisturbed) actor.tell({ _tag: "Resume" })
                }
                yield* TestClock.adjust(11_000)
                const first = seen[0]!.slot
                assert.deepStrictEqual(
                  seen.map(({ slot }) => slot),
                  seen.map((_, index) => first + index)
                )
                const now = yield* Clock.currentTimeMillis
                assert.isBelow(now - seen.at(-1)!.scheduledAt, 11_000)
                for (const { checkedAt, scheduledAt } of seen) assert.isAtMost(checkedAt - scheduledAt, 1000)
                assert.strictEqual(told.skipped, 0)
              }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
            )
        )
      )
    )
  )

  it.effect("replaces a gathered check with one on demand in the second before it", () =>
    Effect.gen(function* () {
      const gathering = { cell: 1000, window: 1 }
      const { actor, seen, told } = yield* stage(() => Effect.succeed(up), spec(), { gathering: () => gathering })
      const due = slotStart(2, phase("mon_1", 10_000), 10_000)
      yield* TestClock.setTime(due + waitOf(due, gathering) - 1)
      seen.length = 0
      yield* MonitorActor.checkNow(actor)
      yield* TestClock.adjust(10_000)
      assert.deepStrictEqual(
        seen.map(({ scheduledAt }) => scheduledAt - due),
        [waitOf(due, gathering) - 1]
      )
      yield* TestClock.adjust(1)
      assert.strictEqual(seen.length, 2)
      assert.strictEqual(told.skipped, 0)
    })
  )

  it.effect("catches up on the current slot within half an interval, and runs all others on time", () =>
    Effect.gen(function* () {
      const own = phase("mon_1", 10_000)
      yield* TestClock.setTime(slotStart(100, own, 10_000) + 3000)
      const { seen } = yield* stage(() => Effect.succeed(up), spec(), { resumes: true })
      yield* TestClock.adjust(30_000)
      assert.deepStrictEqual(
        seen.map(({ slot }) => slot),
        [100, 101, 102, 103]
      )
      assert.strictEqual(seen[0]!.scheduledAt, slotStart(100, own, 10_000))
      assert.strictEqual(seen[0]!.checkedAt, seen[0]!.scheduledAt + 5400)
      assert.strictEqual(seen[1]!.checkedAt, seen[1]!.scheduledAt)
    })
  )

  it.effect("skips and counts a slot that begins while a check is running", () =>
    Effect.gen(function* () {
      const { seen, told } = yield* stage(() => Effect.as(Effect.sleep(25_000), up))
      yield* TestClock.adjust(90_000)
      assert.strictEqual(told.most, 1)
      assert.isAtLeast(told.skipped, 4)
      assert.strictEqual(new Set(seen.map(({ slot }) => slot)).size, seen.length)
    })
  )

  it.effect("counts a slot with a cancelled check as skipped", () =>
    Effect.gen(function* () {
      const { actor, fiber, seen, told } = yield* stage(() => Effect.as(Effect.sleep(5000), up))
      yield* TestClock.adjust(phase("mon_1", 10_000) + 1000)
      assert.deepStrictEqual([told.running, told.skipped], [1, 0])
      actor.tell({ _tag: "Configure", spec: spec("mon_1", { timeout: 9, revision: 2 }), check })
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([told.running, told.skipped, seen.length], [0, 1, 0])
      yield* TestClock.adjust(10_000)
      assert.strictEqual(told.running, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual([told.running, told.skipped], [0, 2])
    })
  )

  it.effect("runs a requested check immediately, and answers with the running one if there is one", () =>
    Effect.gen(function* () {
      const { actor, seen } = yield* stage(() => Effect.as(Effect.sleep(1000), up))
      const first = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      const second = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      yield* TestClock.adjust(1000)
      const observation = yield* Fiber.join(first)
      assert.strictEqual(yield* Fiber.join(second), observation)
      assert.strictEqual(observation.scheduledAt, observation.checkedAt)
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("replaces a slot less than a second later with a check on demand, and no other slot", () =>
    Effect.gen(function* () {
      const own = spec()
      const { actor, seen, told } = yield* stage(() => Effect.succeed(up), own)
      const due = slotStart(2, phase(own.id, 10_000), 10_000)
      yield* TestClock.setTime(due - 999)
      seen.length = 0
      const dues = () => seen.map(({ scheduledAt }) => scheduledAt - due)
      yield* MonitorActor.checkNow(actor)
      yield* TestClock.adjust(9999)
      assert.deepStrictEqual(dues(), [-999])
      yield* TestClock.adjust(10_000)
      yield* MonitorActor.checkNow(actor)
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(dues(), [-999, 10_000, 19_000, 20_000])
      assert.strictEqual(told.skipped, 0)
    })
  )

  it.effect("cancels a running check when the settings change, and continues with the new ones", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const { actor, seen } = yield* stage(() =>
        Effect.as(Effect.sleep(8000), up).pipe(Effect.onInterrupt(() => Effect.sync(() => void interrupted++)))
      )
      yield* Effect.forkChild(Effect.exit(MonitorActor.checkNow(actor)))
      yield* TestClock.adjust(1000)
      actor.tell({ _tag: "Configure", spec: spec("mon_1", { interval: 60, revision: 2 }), check })
      yield* TestClock.adjust(1)
      assert.strictEqual(interrupted, 1)
      assert.strictEqual(seen.length, 0)
      yield* TestClock.adjust(130_000)
      assert.strictEqual(seen.length, 2)
      assert.strictEqual(seen[1]!.scheduledAt - seen[0]!.scheduledAt, 60_000)
    })
  )

  it.effect("stops while paused, cancels the running check, and resumes its slots", () =>
    Effect.gen(function* () {
      const { actor, seen } = yield* stage(() => Effect.as(Effect.sleep(500), up))
      yield* TestClock.adjust(20_000)
      const before = seen.length
      actor.tell({ _tag: "Pause" })
      yield* TestClock.adjust(100_000)
      assert.isAtMost(seen.length, before + 1)
      const paused = seen.length
      actor.tell({ _tag: "Resume" })
      yield* TestClock.adjust(20_000)
      assert.isAtLeast(seen.length, paused + 1)
      assert.strictEqual((seen.at(-1)!.scheduledAt - seen[0]!.scheduledAt) % 10_000, 0)
    })
  )

  it.effect("pauses longer after each defect, stops after five, and continues on request", () =>
    Effect.gen(function* () {
      let broken = true
      let runs = 0
      const { actor, seen, told } = yield* stage(() =>
        Effect.suspend(() => {
          runs++
          return broken ? Effect.die(new Error("a fault of the check")) : Effect.succeed(up)
        })
      )
      yield* TestClock.adjust(600_000)
      assert.strictEqual(runs, 5)
      assert.strictEqual(told.defects, 5)
      assert.strictEqual(told.quarantined, 1)
      assert.isTrue(actor.isQuarantined())
      assert.deepStrictEqual(new Set(seen.map(({ failure, status }) => `${status} ${failure?.code}`)), defectsOnly)

      seen.length = 0
      broken = false
      assert.strictEqual((yield* MonitorActor.checkNow(actor)).status, "up")
      assert.isFalse(actor.isQuarantined())
      yield* TestClock.adjust(10_000)
      assert.strictEqual(seen.length, 2)
    })
  )

  it.effect("reports unknown when the check fails, throws, times out or returns what cannot be sent", () =>
    Effect.gen(function* () {
      const faults: ReadonlyArray<() => Effect.Effect<CheckResult>> = [
        () => Effect.die(new Error("a fault of the check")),
        () => Effect.sync(() => assert.fail("a fault of the check")),
        () => Effect.interrupt,
        () => Effect.succeed({ ...up, facts: { poison: true } })
      ]
      for (const fault of faults) {
        const { actor, told } = yield* stage(fault)
        const observation = yield* MonitorActor.checkNow(actor)
        assert.strictEqual(observation.status, "unknown")
        assert.strictEqual(observation.failure?.code, "check_defect")
        assert.strictEqual(told.defects, 1)
      }
    })
  )

  it.effect("keeps a running check when the new settings do not affect it", () =>
    Effect.gen(function* () {
      const { actor, seen } = yield* stage(() => Effect.as(Effect.sleep(1000), up))
      const asked = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      yield* TestClock.adjust(500)
      actor.tell({ _tag: "Configure", spec: spec("mon_1", { revision: 2 }), check })
      yield* TestClock.adjust(500)
      assert.strictEqual((yield* Fiber.join(asked)).status, "up")
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("never runs a slot twice, however often its interval changes and back", () =>
    Effect.gen(function* () {
      const { actor, seen } = yield* stage(() => Effect.succeed(up))
      for (let revision = 2; revision < 200; revision++) {
        yield* TestClock.adjust(revision % 3 === 0 ? 10_000 : 1000)
        actor.tell({
          _tag: "Configure",
          spec: spec("mon_1", { interval: revision % 2 === 0 ? 10 : 20, revision }),
          check
        })
      }
      assert.isAbove(seen.length, 10)
      assert.strictEqual(new Set(seen.map(({ scheduledAt }) => scheduledAt)).size, seen.length)
    })
  )

  it.effect("lets a running check finish when it is stopped, and answers nothing afterwards", () =>
    Effect.gen(function* () {
      const { actor, fiber, seen } = yield* stage(() => Effect.as(Effect.sleep(3000), up))
      const asked = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      yield* Effect.yieldNow
      actor.tell({ _tag: "Stop" })
      const tooLate = yield* Effect.forkChild(Effect.exit(MonitorActor.checkNow(actor)))
      yield* TestClock.adjust(3000)
      assert.strictEqual((yield* Fiber.join(asked)).status, "up")
      yield* Fiber.join(fiber)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(tooLate)))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(MonitorActor.checkNow(actor))))
      yield* TestClock.adjust(60_000)
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("answers that the check was cancelled when it is paused or stopped", () =>
    Effect.gen(function* () {
      const { actor, fiber } = yield* stage(() => Effect.never)
      const first = yield* Effect.forkChild(Effect.exit(MonitorActor.checkNow(actor)))
      yield* Effect.yieldNow
      actor.tell({ _tag: "Pause" })
      assert.isTrue(Exit.isFailure(yield* Fiber.join(first)))
      const second = yield* Effect.forkChild(Effect.exit(MonitorActor.checkNow(actor)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(second)))
    })
  )

  it.effect("isolates 999 other monitors from a broken one", () =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: 1000 }), (_, index) =>
        stage(() => (index === 500 ? Effect.die(new Error("a fault")) : Effect.succeed(up)), spec(`mon_${index}`))
      )
      yield* TestClock.adjust(60_000)
      all.forEach(({ seen }, index) => {
        if (index === 500) return assert.isTrue(seen.every(({ status }) => status === "unknown"))
        // Six slots in a minute; seven when the phase is zero.
        const slots = phase(`mon_${index}`, 10_000) === 0 ? 7 : 6
        assert.strictEqual(seen.filter(({ status }) => status === "up").length, slots, `monitor ${index}`)
      })
    })
  )

  it.effect("resumes the same slots after a restart, within one interval", () =>
    Effect.gen(function* () {
      const first = yield* stage(() => Effect.succeed(up))
      yield* TestClock.adjust(35_000)
      yield* Fiber.interrupt(first.fiber)
      yield* TestClock.adjust(3000)
      const restarted = yield* Clock.currentTimeMillis
      const second = yield* stage(() => Effect.succeed(up))
      yield* TestClock.adjust(10_000)
      assert.strictEqual(second.seen.length, 1)
      assert.isAtMost(second.seen[0]!.checkedAt - restarted, 10_000)
      assert.strictEqual((second.seen[0]!.scheduledAt - first.seen[0]!.scheduledAt) % 10_000, 0)
      assert.isFalse(first.seen.some(({ slot }) => slot === second.seen[0]!.slot))
    })
  )

  it.effect("abandons a check that does not return, and answers the caller", () =>
    Effect.gen(function* () {
      let lost = true
      const { actor, seen, told } = yield* stage(
        () => (lost ? Effect.uninterruptible(Effect.never) : Effect.succeed(up)),
        spec("mon_1", { interval: 60 })
      )
      const asked = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      yield* TestClock.adjust(80_000)
      actor.tend()
      assert.isUndefined(asked.pollUnsafe(), "once may be a process that was frozen")
      actor.tend()
      yield* Effect.yieldNow
      const observation = yield* Fiber.join(asked)
      assert.deepStrictEqual([observation.status, observation.failure?.code], ["unknown", "check_defect"])
      assert.strictEqual(told.defects, 1)
      lost = false
      yield* TestClock.adjust(60_000)
      assert.strictEqual(seen.at(-1)?.status, "up")
    })
  )

  it.effect("leaves a check alone within its time", () =>
    Effect.gen(function* () {
      const own = spec("mon_1", { interval: 60, timeout: 60 })
      const { actor, seen, told } = yield* stage(() => Effect.as(Effect.sleep(59_000), up), own)
      yield* Effect.forkChild(MonitorActor.checkNow(actor))
      for (let second = 0; second < 60; second++) {
        yield* TestClock.adjust(1000)
        actor.tend()
      }
      assert.deepStrictEqual([seen.length, told.defects], [1, 0])
    })
  )

  it.effect("wakes when its alarm was lost", () =>
    Effect.gen(function* () {
      const alarms = yield* AlarmClock.make
      const { actor, seen } = yield* stage(() => Effect.succeed(up), spec(), {
        alarms: { ...alarms, after: () => () => undefined }
      })
      yield* TestClock.adjust(60_000)
      assert.deepStrictEqual(seen, [])
      actor.tend()
      yield* Effect.yieldNow
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("keeps its mailbox between its death and its restart", () =>
    Effect.gen(function* () {
      const { actor, seen } = yield* stage(() => Effect.succeed(up), spec(), { lives: false })
      const live = () => Effect.forkChild(Effect.exit(actor.live), { startImmediately: true })
      const first = yield* live()
      actor.tell({ _tag: "Configure", spec: null as never, check })
      assert.isTrue(Exit.isFailure(yield* Fiber.join(first)))
      actor.tell({ _tag: "Configure", spec: spec("mon_1", { interval: 60, revision: 2 }), check })
      const asked = yield* Effect.forkChild(MonitorActor.checkNow(actor))
      yield* live()
      assert.strictEqual((yield* Fiber.join(asked)).status, "up")
      assert.strictEqual(actor.spec().revision, 2)
      yield* TestClock.adjust(120_000)
      assert.strictEqual(seen.length, 3)
    })
  )

  it.effect("answers callers when reports fail", () =>
    Effect.gen(function* () {
      const poisoned = { ...up, facts: { poison: true } }
      const { actor } = yield* stage(() => Effect.succeed(poisoned), spec(), { refuses: true })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(MonitorActor.checkNow(actor))))
    })
  )

  it.effect.each([-3_600_000, 3_600_000])("continues within an interval when the clock is set by %d ms", (jump) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const settable: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead
      })
      yield* TestClock.setTime(10 * 3_600_000)
      const { seen } = yield* Effect.provideService(
        stage(() => Effect.succeed(up)),
        Clock.Clock,
        settable
      )
      yield* TestClock.adjust(60_000)
      const before = seen.length
      ahead = jump
      yield* TestClock.adjust(60_000)
      assert.isAtLeast(seen.length - before, 5)
      assert.isAtMost(seen.length - before, 7)
    })
  )

  describe("with a retry interval", () => {
    const down: CheckResult = { ...up, status: "down", failure: { code: "connect_refused", message: "refused" } }
    const failing = (interval: number, failures: number) =>
      spec("mon_1", { interval: 60, retry: { interval, failures } })
    const own = phase("mon_1", 60_000)
    const first = slotStart(100, own, 60_000)
    const seconds = (seen: ReadonlyArray<Observation>) => seen.map(({ scheduledAt }) => (scheduledAt - first) / 1000)

    it.effect("repeats a failed check until the failures are enough, then waits for the next slots", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(first - 1)
        const { seen, told } = yield* stage(() => Effect.succeed(down), failing(25, 4))
        yield* TestClock.adjust(240_001)
        assert.deepStrictEqual(seconds(seen), [0, 25, 50, 75, 120, 180, 240])
        assert.deepStrictEqual(
          seen.map(({ slot }) => slot),
          [100, 100, 100, 101, 102, 103, 104]
        )
        assert.strictEqual(told.skipped, 0)
        for (const { scheduledAt, slot } of seen) assert.strictEqual(slotOf(scheduledAt, own, 60_000), slot)
      })
    )

    it.effect("has a distinct id for every check", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(first - 1)
        const { seen } = yield* stage(() => Effect.succeed(down), failing(20, 50))
        yield* TestClock.adjust(600_000)
        const ids = seen.map((observation) => message(observation, 60_000).id)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.isAbove(ids.length, 25)
      })
    )

    it.effect("returns to the slots after a check that passes, and counts from the beginning again", () =>
      Effect.gen(function* () {
        const results = [down, down, up, down, down, down, down]
        yield* TestClock.setTime(first - 1)
        const { seen } = yield* stage(() => Effect.succeed(results.shift() ?? up), failing(20, 3))
        yield* TestClock.adjust(240_001)
        assert.deepStrictEqual(seconds(seen), [0, 20, 40, 60, 80, 100, 120, 180, 240])
      })
    )

    it.effect("does not repeat a check with an unknown result", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(first - 1)
        const { seen } = yield* stage(() => Effect.succeed({ ...down, status: "unknown" }), failing(20, 3))
        yield* TestClock.adjust(120_001)
        assert.deepStrictEqual(seconds(seen), [0, 60, 120])
      })
    )

    it.effect("waits for a multiple of the retry interval when the check takes longer", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(first - 1)
        const { seen, told } = yield* stage(() => Effect.as(Effect.sleep(25_000), down), failing(20, 3))
        yield* TestClock.adjust(170_000)
        assert.deepStrictEqual(seconds(seen), [0, 40, 80, 120])
        assert.strictEqual(told.skipped, 0)
      })
    )

    it.effect("lets a check on demand take the place of a planned retry", () =>
      Effect.gen(function* () {
        const results = [down, up]
        yield* TestClock.setTime(first - 1)
        const { actor, seen } = yield* stage(() => Effect.succeed(results.shift() ?? up), failing(20, 3))
        yield* TestClock.adjust(10_001)
        yield* MonitorActor.checkNow(actor)
        yield* TestClock.adjust(50_000)
        assert.deepStrictEqual(seconds(seen), [0, 10, 60])
      })
    )

    it.effect("repeats nothing while it is paused", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(first - 1)
        const { actor, seen } = yield* stage(() => Effect.succeed(down), failing(20, 3))
        yield* TestClock.adjust(10_001)
        actor.tell({ _tag: "Pause" })
        yield* TestClock.adjust(100_000)
        assert.deepStrictEqual(seconds(seen), [0])
        actor.tell({ _tag: "Resume" })
        yield* TestClock.adjust(10_000)
        assert.deepStrictEqual(seconds(seen), [0, 120])
      })
    )
  })
})
