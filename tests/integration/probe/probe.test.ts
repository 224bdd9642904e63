import { assert, describe, it } from "@effect/vitest"
import { MonitorId } from "@kanmon/domain/Ids"
import { Observation } from "@kanmon/domain/Observation"
import { phase, slotOf } from "@kanmon/domain/Slots"
import { check, probeBucket } from "@kanmon/domain/Subjects"
import { Clock, Effect, Exit, Fiber, Schema, Scope, Stream, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { listen, makeBus, region, spec, startProbe } from "./Lab.ts"

const encodeObservation = Schema.encodeSync(Schema.fromJsonString(Observation))

/** A scope of its own, so that the probe can be stopped before the test ends. */
const scoped = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const value = yield* Effect.provideService(effect, Scope.Scope, scope)
    /** Stops it; stopping may take up to nine seconds. */
    const close = Effect.gen(function* () {
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(9000)
      yield* Fiber.join(closing)
    })
    return { value, close }
  })

describe("Probe", () => {
  it.effect("runs the monitors of the bucket and follows changes", () =>
    Effect.gen(function* () {
      const { bus, put, specs } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("old"))
      const probe = yield* startProbe(bus)
      yield* TestClock.adjust(11_000)
      // The slot that had begun before the probe did, and the next one.
      assert.strictEqual(heard.of("old").length, 2)
      assert.strictEqual(heard.of("old")[0]!.responseTime, 1)

      yield* put(spec("new"))
      yield* put(spec("old", { revision: 2, config: { millis: 2 } }))
      yield* specs.put("mon_odd", "{")
      yield* TestClock.adjust(10_000)
      assert.strictEqual(heard.of("new").length, 1)
      assert.strictEqual(heard.of("old").at(-1)!.responseTime, 2)
      assert.strictEqual(probe.counts().monitors, 2)

      yield* specs.remove("mon_old")
      yield* TestClock.adjust(1000)
      const before = heard.of("old").length
      yield* TestClock.adjust(60_000)
      assert.strictEqual(heard.of("old").length, before)
      assert.isAtLeast(heard.of("new").length, 6)
      assert.strictEqual(new Set(heard.messages.map(({ headers }) => headers["ce-id"])).size, heard.messages.length)
    })
  )

  it.effect("publishes trace contexts only with a tracer that exports spans", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("one"))
      const { close, value: untraced } = yield* scoped(startProbe(bus, { traceShare: 1 }))
      yield* TestClock.adjust(11_000)
      assert.isAbove(heard.messages.length, 0)
      for (const { headers } of heard.messages) assert.notProperty(headers, "traceparent")
      yield* close
      const before = heard.messages.length

      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* Effect.withTracer(startProbe(bus, { id: untraced.id, traceShare: 1 }), tracer)
      yield* TestClock.adjust(20_000)
      const traced = heard.messages.slice(before)
      assert.isAbove(traced.length, 0)
      assert.deepStrictEqual(
        traced.map(({ headers }) => headers["traceparent"]),
        spans.filter(({ name }) => name === "Check.run").map(({ spanId, traceId }) => `00-${traceId}-${spanId}-01`)
      )
    })
  )

  it.effect("is accepted although somebody else has published under its observation ids before", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      const own = spec("one")
      const offset = phase(own.id, 10_000)
      const subject = check({ region: "us-east", projectId: own.projectId, monitorId: own.id })
      const payload = encodeObservation({
        monitorId: own.id,
        projectId: own.projectId,
        region: "us-east",
        slot: 1,
        scheduledAt: 1,
        checkedAt: 1,
        status: "up",
        responseTime: null,
        timing: {},
        failure: null,
        facts: {}
      })
      const slots = [-1, 0, 1, 2, 3].map((step) => slotOf(step * 10_000, offset, 10_000))
      yield* bus.publish(slots.map((slot) => ({ id: `${own.id}:${region}:${slot}`, subject, payload })))
      yield* put(own)
      yield* startProbe(bus)
      yield* TestClock.adjust(21_000)
      const found = heard.of("one").filter((one) => one.region === region)
      assert.includeMembers(
        found.map(({ slot }) => slot),
        slots.slice(2, 4)
      )
    })
  )

  it.effect("reports the start and end of a check", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("slow", { config: { millis: 1700 } }))
      yield* startProbe(bus)
      yield* TestClock.adjust(21_000)
      assert.isAtLeast(heard.of("slow").length, 2)
      for (const { checkedAt, finishedAt } of heard.of("slow")) assert.strictEqual(finishedAt! - checkedAt, 1700)
    })
  )

  it.effect("uses the bus's time if its own clock is slightly wrong", () =>
    Effect.gen(function* () {
      for (const ahead of [7300, -7300]) {
        const { bus, put, setAhead } = yield* makeBus
        yield* setAhead(ahead)
        const heard = yield* listen(bus)
        yield* put(spec("one"))
        yield* startProbe(bus)
        const now = yield* Clock.currentTimeMillis
        yield* TestClock.adjust(30_500)
        const own = heard.of("one")
        assert.isAtLeast(own.length, 3)
        for (const { checkedAt, finishedAt, scheduledAt, slot, status } of own) {
          assert.strictEqual(status, "up")
          assert.strictEqual(slotOf(scheduledAt, phase("mon_one", 10_000), 10_000), slot)
          assert.isAtLeast(checkedAt, now + ahead - 10_000)
          assert.isAtMost(finishedAt!, now + ahead + 31_000)
        }
        assert.isAbove(own.at(-1)!.checkedAt, now + ahead + 20_000)
      }
    })
  )

  it.effect("reports unknown while its clock is wrong by more than 30 s", () =>
    Effect.gen(function* () {
      for (const ahead of [90_000, -90_000]) {
        const { bus, put, setAhead } = yield* makeBus
        yield* setAhead(ahead)
        const heard = yield* listen(bus)
        yield* put(spec("one"))
        yield* startProbe(bus)
        yield* TestClock.adjust(30_000)
        const wrong = heard.of("one")
        assert.isAtLeast(wrong.length, 3)
        for (const { failure, status } of wrong)
          assert.deepStrictEqual([status, failure?.code], ["unknown", "probe_clock_wrong"])
        assert.include(wrong[0]!.failure!.message, `90 s ${ahead > 0 ? "behind" : "ahead"}`)
        // The clock is corrected, and the next measurement shows it.
        yield* setAhead(0)
        yield* TestClock.adjust(125_000)
        assert.strictEqual(heard.of("one").at(-1)!.status, "up")
      }
    })
  )

  it.effect("continues to check while the bus is down, and then sends results in order", () =>
    Effect.gen(function* () {
      const { bus, put, turnOff, turnOn } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("one"))
      yield* startProbe(bus)
      yield* TestClock.adjust(20_000)
      const before = heard.messages.length
      yield* turnOff
      yield* TestClock.adjust(300_000)
      assert.strictEqual(heard.messages.length, before)
      yield* turnOn
      yield* TestClock.adjust(10_000)
      const slots = heard.of("one").map(({ slot }) => slot)
      assert.strictEqual(slots.length, before + 31)
      slots.forEach((slot, index) => assert.strictEqual(slot, slots[0]! + index))
    })
  )

  it.effect("publishes again without an acknowledgement", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("one"))
      let silent = true
      yield* startProbe({ ...bus, publish: (messages) => (silent ? Effect.never : bus.publish(messages)) })
      yield* TestClock.adjust(20_000)
      assert.deepStrictEqual(heard.messages, [])
      silent = false
      yield* TestClock.adjust(40_000)
      assert.isAtLeast(heard.of("one").length, 5)
    })
  )

  it.effect("follows the other probes again after its watch has ended or failed", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      for (let index = 0; index < 40; index++) yield* put(spec(`m${index}`))
      let watches = 0
      const probe = yield* startProbe({
        ...bus,
        bucket: (name, options) =>
          Effect.map(bus.bucket(name, options), (bucket) =>
            name === probeBucket
              ? {
                  ...bucket,
                  watch: Stream.suspend(() => {
                    watches++
                    if (watches === 1) return Stream.empty
                    return watches === 2 ? Stream.die(new Error("a mistake")) : bucket.watch
                  })
                }
              : bucket
          )
      })
      yield* TestClock.adjust(5000)
      const probes = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      yield* probes.put(`${region}.another`, "{}")
      yield* TestClock.adjust(1000)
      assert.isBelow(probe.counts().monitors, 40)
    })
  )

  it.effect("drops the oldest observations if its buffer is full", () =>
    Effect.gen(function* () {
      const { bus, put, turnOff, turnOn } = yield* makeBus
      const heard = yield* listen(bus)
      yield* put(spec("one"))
      yield* startProbe(bus, { buffer: 10 })
      yield* TestClock.adjust(1000)
      yield* turnOff
      yield* TestClock.adjust(1_000_000)
      yield* turnOn
      yield* TestClock.adjust(3000)
      const slots = heard.of("one").map(({ slot }) => slot)
      assert.isAtMost(slots.length, 11)
      assert.isAtLeast(slots.length, 10)
      assert.isAtLeast(slots[0]!, 89)
    })
  )

  it.effect("catches up on monitors that were removed and created while the bus was down", () =>
    Effect.gen(function* () {
      const { bus, put, specs, turnOff, turnOn } = yield* makeBus
      yield* put(spec("gone"))
      yield* put(spec("stays"))
      const probe = yield* startProbe(bus)
      yield* TestClock.adjust(1000)
      assert.strictEqual(probe.counts().monitors, 2)
      yield* turnOff
      yield* TestClock.adjust(5000)
      yield* specs.remove("mon_gone")
      yield* put(spec("made"))
      yield* put(spec("too"))
      yield* turnOn
      yield* TestClock.adjust(5000)
      assert.strictEqual(probe.counts().monitors, 3)
    })
  )

  it.effect("announces itself while it runs", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      yield* put(spec("one"))
      const probes = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      const { close, value: probe } = yield* scoped(startProbe(bus))
      yield* TestClock.adjust(60_000)
      const key = `${region}.${probe.id}`
      assert.deepStrictEqual(JSON.parse((yield* probes.get(key)).value ?? "null"), {
        probeId: probe.id,
        region,
        version: "0.0.0",
        startedAt: "1970-01-01T00:00:00.000Z",
        monitors: 1
      })
      yield* close
      assert.deepStrictEqual(yield* probes.keys, [])
    })
  )

  it.effect("is not late with checks that it catches up on at start", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-22T07:20:00Z"))
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      for (let index = 0; index < 40; index++) yield* put(spec(`m${index}`, { interval: 3600 }))
      const probe = yield* startProbe(bus)
      yield* TestClock.adjust(40_000)
      const made = heard.observations()
      assert.isAbove(Math.max(...made.map(({ checkedAt, scheduledAt }) => checkedAt - scheduledAt)), 600_000)
      assert.isFalse(probe.isLate())
    })
  )

  it.effect("is late for about a minute after a check started more than its interval late", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const settable: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead
      })
      const { bus, put } = yield* makeBus
      yield* put(spec("rare", { interval: 3600 }))
      const probe = yield* Effect.provideService(startProbe(bus), Clock.Clock, settable)
      yield* TestClock.adjust(20_000)
      // As after a time in which the process did not run.
      ahead = 30_000
      yield* TestClock.adjust(20_000)
      assert.isFalse(probe.isLate(), "half a minute is little in an hour")
      yield* put(spec("often"))
      yield* TestClock.adjust(20_000)
      assert.isFalse(probe.isLate())
      ahead = 60_000
      yield* TestClock.adjust(11_000)
      assert.isTrue(probe.isLate())
      yield* TestClock.adjust(60_000)
      assert.isFalse(probe.isLate())
    })
  )

  it.effect("counts a monitor whose spec it cannot read", () =>
    Effect.gen(function* () {
      const { bus, put, specs } = yield* makeBus
      yield* put(spec("one"))
      yield* specs.put("mon_odd", "{")
      const probe = yield* startProbe(bus)
      yield* TestClock.adjust(1000)
      assert.deepInclude(probe.counts(), { monitors: 1, unusable: 1 })
      yield* specs.remove("mon_odd")
      yield* TestClock.adjust(1000)
      assert.deepInclude(probe.counts(), { monitors: 1, unusable: 0 })
    })
  )

  it.effect("finishes running checks when it stops, and sends their results", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      const { close } = yield* scoped(startProbe(bus))
      yield* put(spec("one", { changedAt: 0, config: { millis: 3000 } }))
      yield* put(spec("endless", { changedAt: 0, timeout: 60, config: { millis: 60_000 } }))
      yield* TestClock.adjust(1000)
      yield* close
      assert.deepStrictEqual(
        heard.observations().map(({ monitorId }) => monitorId),
        [MonitorId.make("mon_one")]
      )
    })
  )

  it.effect("stops in time while the bus is down", () =>
    Effect.gen(function* () {
      const { bus, put, turnOff } = yield* makeBus
      yield* put(spec("one"))
      const { close } = yield* scoped(startProbe(bus))
      yield* TestClock.adjust(1000)
      yield* turnOff
      yield* TestClock.adjust(20_000)
      yield* close
    })
  )
})

describe("two probes of a region", () => {
  const names = Array.from({ length: 40 }, (_, index) => `m${index}`)

  it.effect("divides the monitors, and takes over those of a probe that leaves", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      const heard = yield* listen(bus)
      for (const name of names) yield* put(spec(name))
      const first = yield* startProbe(bus, { buffer: 1000 })
      yield* TestClock.adjust(1000)
      assert.strictEqual(first.counts().monitors, names.length)

      const second = yield* scoped(startProbe(bus, { buffer: 1000 }))
      yield* TestClock.adjust(1000)
      const shares = [first.counts().monitors, second.value.counts().monitors]
      assert.strictEqual(shares[0]! + shares[1]!, names.length)
      assert.isAbove(Math.min(...shares), 5)
      yield* TestClock.adjust(60_000)
      for (const name of names) assert.isAtLeast(heard.of(name).length, 5)

      yield* second.close
      yield* TestClock.adjust(1000)
      assert.strictEqual(first.counts().monitors, names.length)
    })
  )

  it.effect("detects a dead probe within the lifetime of an announcement", () =>
    Effect.gen(function* () {
      const { bus, put } = yield* makeBus
      for (const name of names) yield* put(spec(name))
      const probes = yield* bus.bucket(probeBucket, { ttlMillis: 15_000 })
      const probe = yield* startProbe(bus)
      yield* probes.put(`${region}.another`, "{}")
      yield* probes.put("us-east.elsewhere", "{}")
      yield* TestClock.adjust(1000)
      assert.isBelow(probe.counts().monitors, names.length)
      yield* TestClock.adjust(20_000)
      assert.strictEqual(probe.counts().monitors, names.length)
    })
  )
})
