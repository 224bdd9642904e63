/** The control plane requests checks from the probe that a monitor is assigned to at the time. */
import { assert, describe, it } from "@effect/vitest"
import * as BusRpc from "@kanmon/core/BusRpc"
import { EventBus } from "@kanmon/core/EventBus"
import { NotWatchedHere, ProbeCalls } from "@kanmon/core/ProbeCalls"
import { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { CheckOutcome } from "@kanmon/domain/Observation"
import * as Assignment from "@kanmon/domain/Assignment"
import { probeBucket, probeCalls } from "@kanmon/domain/Subjects"
import { Probes, type RegionOutcome } from "@kanmon/monitoring/testing/checks/Probes.ts"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { RpcClient, RpcServer } from "effect/rpc"
import { TestClock } from "effect/testing"
import { listen, makeBus, projectId, region, spec, startProbe } from "./Lab.ts"
import * as Regions from "../../support/Regions.ts"

const probesOn = (bus: EventBus["Service"], configured: ReadonlyArray<string> = []) =>
  Effect.map(
    Layer.build(
      Probes.layer.pipe(Layer.provide(Regions.layer(configured)), Layer.provide(Layer.succeed(EventBus, bus)))
    ),
    (context) => Context.get(context, Probes)
  )

/** Lets so much time pass while the answer is on its way; in steps, because what is on its way begins to wait within. */
const after = <A, E>(millis: number, asked: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(asked)
    for (let step = 0; step < 20 && fiber.pollUnsafe() === undefined; step++) yield* TestClock.adjust(millis / 20)
    assert.isDefined(fiber.pollUnsafe(), `no answer within ${millis} ms`)
    // A probe that stops at the end of the test would wait for the bus to have it all.
    yield* TestClock.adjust(100)
    return yield* Fiber.join(fiber)
  })

const only = (rows: ReadonlyArray<RegionOutcome>): RegionOutcome => {
  assert.strictEqual(rows.length, 1)
  return rows[0]!
}

/** Checked once when created, then only on demand. */
const quiet = (name: string, more: Partial<MonitorSpec> = {}) => spec(name, { interval: 86_400, changedAt: 0, ...more })

const found: CheckOutcome = { status: "up", responseTime: 1, timing: {}, failure: null, facts: {}, checkedAt: 0 }

const names = Array.from({ length: 20 }, (_, index) => `m${index}`)

/** Two probes of one region which have divided these monitors between them. */
const twoProbes = Effect.gen(function* () {
  const lab = yield* makeBus
  for (const name of names) yield* lab.put(quiet(name))
  const first = yield* startProbe(lab.bus, { id: "first" })
  const scope = yield* Scope.fork(yield* Effect.scope)
  const second = yield* startProbe(lab.bus, { id: "second" }).pipe(Effect.provideService(Scope.Scope, scope))
  const probes = yield* probesOn(lab.bus)
  yield* TestClock.adjust(15_000)
  const of = (probe: string) =>
    names.filter((name) => Assignment.ranked(`mon_${name}`, ["first", "second"])[0] === probe)
  return { ...lab, probes, first, second, scope, of }
})

/** A live probe that answers a check like this. */
const respond = (bus: EventBus["Service"], probeId: string, check: Effect.Effect<CheckOutcome, NotWatchedHere>) => {
  const calls = ProbeCalls.toLayer({
    CheckNow: () => check,
    RunCheck: () => Effect.succeed(found),
    ProbeInfo: () => Effect.succeed({ probeId, region, version: "0.0.0", startedAt: 0, monitors: 1 })
  })
  const server = RpcServer.layer(ProbeCalls).pipe(
    Layer.provide([calls, BusRpc.layerServer(probeCalls(region, probeId))])
  )
  return Layer.build(server).pipe(Effect.provideService(EventBus, bus))
}

describe("Probes", () => {
  it.effect("checks a monitor on its own probe, and counts the result", () =>
    Effect.gen(function* () {
      const { bus, of, probes } = yield* twoProbes
      const heard = yield* listen(bus)
      yield* TestClock.adjust(0)
      for (const probe of ["first", "second"]) {
        const name = of(probe)[0]!
        const before = heard.of(name).length
        const row = only(yield* after(100, probes.checkNow(quiet(name), [region])))
        assert.deepInclude(row, { region, probeId: probe, status: "up", responseTime: 1, failure: null })
        const [observation, ...more] = heard.of(name).slice(before)
        assert.deepStrictEqual(more, [])
        assert.strictEqual(observation!.checkedAt, row.checkedAt)
      }
    })
  )

  it.effect("joins a check in flight", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* put(quiet("slow", { config: { millis: 3000 } }))
      yield* startProbe(bus)
      const heard = yield* listen(bus)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(20_000)
      const before = heard.messages.length
      const both = Effect.all([probes.checkNow(quiet("slow"), []), probes.checkNow(quiet("slow"), [])], {
        concurrency: 2
      })
      const [[one], [other]] = yield* after(6000, both)
      assert.deepStrictEqual(one, other)
      assert.isAtMost(heard.messages.length - before, 2)
    })
  )

  it.effect("asks the other probes in order if the monitor's own does not have it yet", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      const ids = ["a", "b", "c"]
      const order = Assignment.ranked("mon_one", ids)
      const asked: Array<string> = []
      for (const id of ids) {
        yield* bucket.put(`${region}.${id}`, "{}")
        yield* respond(
          bus,
          id,
          Effect.suspend(() => {
            asked.push(id)
            return id === order[2] && asked.length > 3
              ? Effect.succeed(found)
              : Effect.fail(new NotWatchedHere({ monitorId: MonitorId.make("mon_one") }))
          })
        )
      }
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(0)
      const row = only(yield* after(300, probes.checkNow(quiet("one"), [region])))
      assert.deepStrictEqual(row, { region, probeId: order[2]!, ...found })
      assert.deepStrictEqual(asked, [...order, ...order])
      // Unsaved settings are tested by all probes in turn.
      const tried = yield* Effect.forEach(Array.from({ length: 30 }), () => probes.runCheck(quiet("one"), []))
      assert.deepStrictEqual([...new Set(tried.map((rows) => only(rows).probeId))].sort(), ids)
    })
  )

  it.effect("finds the new probe of a monitor after its own has gone", () =>
    Effect.gen(function* () {
      const { of, probes, scope } = yield* twoProbes
      const name = of("second")[0]!
      yield* Effect.forkChild(Scope.close(scope, Exit.void))
      const row = only(yield* after(5000, probes.checkNow(quiet(name), [region])))
      assert.deepInclude(row, { probeId: "first", status: "up" })
    })
  )

  it.effect("waits briefly for a monitor or revision to arrive, and reports if it does not", () =>
    Effect.gen(function* () {
      const { probes, put } = yield* twoProbes
      const asked = yield* Effect.forkChild(probes.checkNow(quiet("new"), [region]))
      yield* TestClock.adjust(2000)
      yield* put(quiet("new"))
      yield* TestClock.adjust(500)
      assert.strictEqual(only(yield* Fiber.join(asked)).status, "up")

      const changed = quiet("new", { revision: 2, config: { millis: 7 } })
      const again = yield* Effect.forkChild(probes.checkNow(changed, [region]))
      yield* TestClock.adjust(1000)
      yield* put(changed)
      yield* TestClock.adjust(500)
      assert.strictEqual(only(yield* Fiber.join(again)).responseTime, 7)

      const row = only(yield* after(6000, probes.checkNow(quiet("ghost"), [region])))
      assert.deepInclude(row, { status: "unknown", checkedAt: null, responseTime: null })
      assert.strictEqual(row.failure!.code, "not_watched")
    })
  )

  it.effect("asks the next probe within a second if one is silent, and waits for a slow one", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      const [dead, alive] = Assignment.ranked("mon_one", ["a", "b"])
      for (const id of ["a", "b"]) yield* bucket.put(`${region}.${id}`, "{}")
      // As on a bus that does not report missing responders.
      yield* bus.respond(probeCalls(region, dead!), () => Effect.never)
      yield* respond(bus, alive!, Effect.delay(Effect.succeed(found), 4000))
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(0)
      const row = only(yield* after(5000, probes.checkNow(quiet("one"), [region])))
      assert.deepStrictEqual(row, { region, probeId: alive!, ...found })
    })
  )

  it.effect("gives up on a silent probe after the time of a takeover", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      yield* bucket.put(`${region}.deaf`, "{}")
      yield* bus.respond(probeCalls(region, "deaf"), () => Effect.never)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(0)
      const row = only(yield* after(6500, probes.checkNow(quiet("one"), [region])))
      assert.deepInclude(row, { region, probeId: "deaf", status: "unknown", checkedAt: null })
      assert.deepInclude(row.failure, { code: "no_answer", message: "No probe of this region answers" })
    })
  )

  it.effect("gives up on a live probe without a result after the monitor's timeout plus a margin", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      yield* bucket.put(`${region}.stuck`, "{}")
      yield* respond(bus, "stuck", Effect.never)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(0)
      const row = only(yield* after(10_000, probes.checkNow(quiet("one"), [region])))
      assert.deepInclude(row, { region, probeId: "stuck", status: "unknown", checkedAt: null })
      assert.deepInclude(row.failure, { code: "no_answer", message: "The probe did not answer within 10 s" })
    })
  )

  it.effect("reports each region: no probe, no answer, or a result", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* put(quiet("one"))
      yield* startProbe(bus, { id: "here" })
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      yield* bucket.put("us-east.gone", "{}")
      const probes = yield* probesOn(bus, ["ap-south"])
      yield* TestClock.adjust(1000)
      const rows = yield* after(6000, probes.checkNow(quiet("one"), []))
      assert.deepStrictEqual(
        rows.map((row) => [row.region, row.probeId, row.status, row.failure?.code]),
        [
          ["ap-south", null, "unknown", "no_probe"],
          [region, "here", "up", undefined],
          ["us-east", "gone", "unknown", "no_answer"]
        ]
      )
      assert.deepStrictEqual(yield* probes.runCheck(quiet("one"), ["ap-south"]), rows.slice(0, 1))
    })
  )

  it.effect("tests unsaved settings without an observation", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      yield* startProbe(bus)
      const heard = yield* listen(bus)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(1000)
      const trial = (config: object, millis: number) =>
        Effect.map(
          after(
            millis,
            probes.runCheck({ projectId, type: "scripted", config: config as never, timeout: 2 }, [region])
          ),
          only
        )
      assert.deepInclude(yield* trial({ millis: 30 }, 30), { status: "up", responseTime: 30, checkedAt: 1000 })
      assert.deepInclude(yield* trial({ millis: 0, act: "fail" }, 0), {
        status: "down",
        failure: { code: "refused", message: "It refused" }
      })
      assert.strictEqual((yield* trial({ millis: 9000 }, 2000)).failure!.code, "timeout")
      // A failing plugin says nothing about the target and blocks no other check.
      assert.strictEqual((yield* trial({ millis: 0, act: "break" }, 0)).failure!.code, "check_defect")
      assert.strictEqual((yield* trial({ millis: 0, act: "hang" }, 3000)).failure!.code, "check_defect")
      assert.strictEqual((yield* trial({ millis: 0, act: "explode" }, 0)).failure!.code, "check_not_run")
      assert.deepStrictEqual((yield* trial({ millis: 0, act: "date" }, 0)).facts, { at: "1970-01-01T00:00:00.000Z" })
      assert.strictEqual((yield* trial({ millis: "many" }, 0)).failure!.code, "check_not_run")
      assert.deepStrictEqual(heard.messages, [])
    })
  )

  it.effect("is not blocked by a check that never ends", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const probes = yield* probesOn(bus)
      yield* startProbe(bus)
      for (const act of ["hang", "break"]) {
        const own = quiet(act, { config: { millis: 0, act }, timeout: 2 })
        yield* put(own)
        const row = only(yield* after(8000, probes.checkNow(own, [region])))
        assert.deepInclude(row, { status: "unknown", responseTime: null })
        assert.strictEqual(row.failure!.code, "check_defect")
      }
      const odd = quiet("odd", { type: "unheard-of" })
      yield* put(odd)
      assert.strictEqual(only(yield* after(8000, probes.checkNow(odd, [region]))).failure!.code, "check_not_run")
    })
  )

  it.effect("answers unknown for a failed check while the probe is offline", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* put(quiet("one", { config: { millis: 0, act: "fail" } }))
      const probe = yield* startProbe(bus, { referenceTargets: Effect.delay(Effect.succeed(false), 500) })
      const heard = yield* listen(bus)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(1000)
      const row = only(yield* after(1000, probes.checkNow(quiet("one"), [])))
      assert.isTrue(probe.isOffline())
      assert.deepInclude(row, { status: "unknown", responseTime: null })
      assert.strictEqual(row.failure!.code, "probe_offline")
      assert.deepInclude(heard.of("one").at(-1)!, { status: "unknown", checkedAt: row.checkedAt! })
      const trial = only(
        yield* after(
          0,
          probes.runCheck({ projectId, type: "scripted", config: { millis: 0, act: "fail" }, timeout: 2 }, [])
        )
      )
      assert.strictEqual(trial.failure!.code, "probe_offline")
    })
  )

  it.effect("inverts the results of inverted monitors, also in tests", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* startProbe(bus)
      const heard = yield* listen(bus)
      const probes = yield* probesOn(bus)
      for (const [name, config, status] of [
        ["passing", { millis: 0, invert: true }, "down"],
        ["failing", { millis: 0, invert: true, act: "fail" }, "up"],
        ["late", { millis: 9000, invert: true }, "up"],
        ["broken", { millis: 0, invert: true, act: "break" }, "unknown"],
        ["plain", { millis: 0, invert: false, act: "fail" }, "down"]
      ] as const) {
        const own = quiet(name, { config, timeout: 2 })
        yield* put(own)
        assert.strictEqual(only(yield* after(8000, probes.checkNow(own, [region]))).status, status, name)
        assert.strictEqual(heard.of(name).at(-1)!.status, status, name)
        assert.strictEqual(only(yield* after(3000, probes.runCheck(own, [region]))).status, status, name)
      }
    })
  )

  it.effect("does not take a failed inverted check as proof of a connection", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const own = quiet("one", { config: { millis: 0, act: "fail", invert: true } })
      yield* put(own)
      const probe = yield* startProbe(bus, { referenceTargets: Effect.succeed(false) })
      const heard = yield* listen(bus)
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(1000)
      assert.strictEqual(only(yield* after(1000, probes.checkNow(own, []))).status, "unknown")
      assert.isTrue(probe.isOffline())
      assert.strictEqual(heard.of("one").at(-1)!.status, "unknown")
      assert.strictEqual(only(yield* after(1000, probes.runCheck(own, []))).status, "unknown")
    })
  )

  it.effect("answers a pending call with the last check's result when the probe stops", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* put(quiet("slow", { config: { millis: 2000 } }))
      const scope = yield* Scope.fork(yield* Effect.scope)
      yield* startProbe(bus, { id: "here" }).pipe(Effect.provideService(Scope.Scope, scope))
      const probes = yield* probesOn(bus)
      yield* TestClock.adjust(15_000)
      const asked = yield* Effect.forkChild(probes.checkNow(quiet("slow"), [region]))
      yield* TestClock.adjust(100)
      yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(2000)
      assert.deepInclude(only(yield* Fiber.join(asked)), { status: "up", responseTime: 2000 })
    })
  )

  it.effect("reports information about a probe", () =>
    Effect.gen(function* () {
      const { bus, first } = yield* twoProbes
      const info = yield* Effect.scoped(Effect.flatMap(RpcClient.make(ProbeCalls), (probe) => probe.ProbeInfo())).pipe(
        Effect.provide(BusRpc.layerClient(probeCalls(region, "first"), 1000)),
        Effect.provideService(EventBus, bus)
      )
      const { monitors } = first.counts()
      const { clock, ...rest } = info
      assert.deepStrictEqual(rest, {
        probeId: "first",
        region,
        version: "0.0.0",
        startedAt: 0,
        monitors,
        offline: false
      })
      assert.include(["unknown", "ok"], clock?.status)
      assert.isAbove(monitors, 0)
    })
  )
})
