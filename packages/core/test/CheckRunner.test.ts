import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { BoundedEvaluator, EvaluationOwner, waitMillis } from "../src/BoundedEvaluator.ts"
import { type Attempt, CheckFailed, type Passed, type Prepared, type Stage } from "../src/Check.ts"
import { CheckRunner, type RunnerSettings } from "../src/CheckRunner.ts"
import { Dialer } from "../src/Dialer.ts"
import { Resolver } from "../src/Resolver.ts"

const nothing = Layer.mergeAll(
  BoundedEvaluator.layer,
  Layer.succeed(Dialer, { dial: () => Effect.die("no check here dials") } as unknown as Dialer["Service"]),
  Layer.succeed(Resolver, { records: () => Effect.die("no check here resolves") } as unknown as Resolver["Service"])
)

const runner = (settings: Partial<RunnerSettings> = {}) =>
  Effect.map(
    Layer.build(
      CheckRunner.layer({ region: "eu-west", concurrency: 10, hostConcurrency: 5, ...settings }).pipe(
        Layer.provide(nothing)
      )
    ),
    (context) => Context.get(context, CheckRunner)
  )

const check = (run: (attempt: Attempt) => Effect.Effect<Passed, CheckFailed>, host = "shop.example"): Prepared => ({
  host,
  target: `https://${host}/`,
  run
})

/** The result of one check. */
const resultOf = (run: (attempt: Attempt) => Effect.Effect<Passed, CheckFailed>) =>
  Effect.flatMap(runner(), (service) => service.run(check(run), 1000, 1000))

const defectOf = (run: (attempt: Attempt) => Effect.Effect<Passed, CheckFailed>) =>
  Effect.map(Effect.exit(resultOf(run)), (exit) => {
    assert.isTrue(Exit.isFailure(exit) && !Cause.hasInterrupts(exit.cause))
    return String(Exit.isFailure(exit) ? Cause.squash(exit.cause) : "")
  })

const trap = (): never => {
  throw new Error("read")
}
const proxy: object = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })
let reads = 0
/** A number on the first read, and something else afterwards. */
const fickle = (first: unknown, then: unknown) => ({
  get value() {
    return reads++ === 0 ? first : then
  }
})

/** Return values of untyped plugins. */
const hostile: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  "a promise": () => Promise.resolve({ responseTime: 1 }),
  "a number": () => 7,
  "an object that throws when it is read": () => proxy,
  "a function": () => trap,
  "an effect of nothing": () => Effect.succeed(undefined),
  "an effect of an object that throws when it is read": () => Effect.succeed(proxy),
  "a result with a getter that throws": () =>
    Effect.succeed({
      get responseTime() {
        return trap()
      }
    }),
  "a time that is an object": () => Effect.succeed({ responseTime: { valueOf: trap } }),
  "a time that throws when it becomes text": () => Effect.succeed({ responseTime: { toString: trap } }),
  "timings that throw": () => Effect.succeed({ responseTime: 1, timing: proxy }),
  "timings that change": () =>
    Effect.sync(() => {
      reads = 0
      const { dns, value } = { dns: 1, value: fickle(1, 1n) }
      return {
        responseTime: 1,
        timing: Object.defineProperty({ dns }, "tls", { enumerable: true, get: () => value.value })
      }
    }),
  "timings of its own": () => Effect.succeed({ responseTime: 1, timing: { toJSON: trap, dns: 1, [Symbol("x")]: 1 } }),
  "facts that throw when they are written": () => Effect.succeed({ responseTime: 1, facts: { a: { toJSON: trap } } }),
  "facts that change": () => Effect.succeed({ responseTime: 1, facts: fickle("small", "x".repeat(100_000)) }),
  "facts without an end": () => {
    const facts: Record<string, unknown> = {}
    facts["again"] = facts
    return Effect.succeed({ responseTime: 1, facts })
  },
  "facts that are huge": () => Effect.succeed({ responseTime: 1, facts: { x: "x".repeat(5_000_000) } }),
  "facts that are text": () => Effect.succeed({ responseTime: 1, facts: { toJSON: () => "text" } }),
  "a code that is an object": () =>
    Effect.succeed({
      responseTime: 1,
      degraded: { code: { toWellFormed: () => ({ replaceAll: () => proxy }) }, message: "m" }
    }),
  "a message that is a list": () => Effect.succeed({ responseTime: 1, degraded: { code: "c", message: ["m"] } }),
  "a code that is huge": () =>
    Effect.succeed({ responseTime: 1, degraded: { code: "c".repeat(5_000_000), message: "m" } }),
  "a failure that throws when it is read": () => Effect.fail(proxy),
  "a failure of no status": () => Effect.fail({ _tag: "CheckFailed", status: "banana", code: "c", message: "m" }),
  "a failure that says it passed": () => Effect.fail({ _tag: "CheckFailed", status: "up", code: "c", message: "m" }),
  "a failure without words": () => Effect.fail({ _tag: "CheckFailed", status: "down" }),
  "a defect that throws when it is read": () => Effect.die(proxy),
  "a finalizer that throws": () => Effect.onExit(Effect.never, trap),
  "a finalizer that does not end": () => Effect.onExit(Effect.never, () => Effect.never)
}

describe("CheckRunner", () => {
  it.effect("does not count the evaluation of an answer towards the timeout, but limits it", () =>
    Effect.gen(function* () {
      const evaluating = (millis: number) => (attempt: Attempt) =>
        Effect.suspend(() => {
          attempt.stage("evaluate")
          return Effect.as(Effect.sleep(millis), { responseTime: 12 })
        })
      const resultAfter = (millis: number) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(resultOf(evaluating(millis)))
          yield* TestClock.adjust(1000 + 3 * waitMillis)
          return yield* Fiber.join(fiber)
        })
      assert.deepInclude(yield* resultAfter(1000 + waitMillis), { status: "up", responseTime: 12 })
      const late = yield* resultAfter(1_000_000)
      assert.deepStrictEqual([late.status, late.failure!.code], ["unknown", "evaluation_unavailable"])
    })
  )

  it.effect("runs a check for the caller's owner", () =>
    Effect.gen(function* () {
      const owned = resultOf(() => Effect.map(EvaluationOwner, (owner) => ({ responseTime: 1, facts: { owner } })))
      const { facts } = yield* Effect.provideService(owned, EvaluationOwner, "prj_1")
      assert.deepStrictEqual(facts, { owner: "prj_1" })
    })
  )

  it.effect("maps passed to up, and degraded to degraded", () =>
    Effect.gen(function* () {
      const up = yield* resultOf(() => Effect.succeed({ responseTime: 12, timing: { dns: 2 }, facts: { a: 1 } }))
      assert.deepStrictEqual(up, { status: "up", responseTime: 12, timing: { dns: 2 }, failure: null, facts: { a: 1 } })
      const slow = { code: "slow", message: "slower than 10 ms" }
      const degraded = yield* resultOf(() => Effect.succeed({ responseTime: 12, degraded: slow }))
      assert.deepStrictEqual([degraded.status, degraded.failure], ["degraded", slow])
    })
  )

  it.effect("maps a failure to down or unknown", () =>
    Effect.gen(function* () {
      for (const status of ["down", "unknown"] as const) {
        const result = yield* resultOf(() => new CheckFailed({ status, code: "connect_refused", message: "refused" }))
        assert.deepStrictEqual(result, {
          status,
          responseTime: null,
          timing: {},
          failure: { code: "connect_refused", message: "refused" },
          facts: {}
        })
      }
    })
  )

  it.effect.each<[Stage | undefined, string, string]>([
    [undefined, "timeout", "waiting for an answer"],
    ["dns", "dns_timeout", "while looking up its name"],
    ["connect", "connect_timeout", "while connecting"],
    ["tls", "tls_timeout", "during the TLS handshake"],
    ["download", "timeout", "while receiving the answer"]
  ])("interrupts a check at its timeout and names its stage: %s", ([stage, code, words]) =>
    Effect.gen(function* () {
      let interrupted = false
      const running = yield* Effect.forkChild(
        resultOf((attempt) => {
          if (stage !== undefined) attempt.stage(stage)
          return Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)))
        })
      )
      yield* TestClock.adjust(1000)
      const { failure, status } = yield* Fiber.join(running)
      assert.isTrue(interrupted)
      assert.strictEqual(status, "down")
      assert.deepInclude(failure, { code, message: `https://shop.example/ took more than 1 s, ${words}` })
    })
  )

  it.effect.each<[string, unknown]>([
    ["an unknown stage", "warp"],
    ["the name of an inherited property", "constructor"],
    ["an object that throws when it is read", { toString: () => assert.fail("read") }],
    ["a symbol", Symbol("stage")],
    ["nothing", undefined]
  ])("reports a timeout, and keeps timing other checks, after a check announced %s", ([_, stage]) =>
    Effect.gen(function* () {
      const service = yield* runner()
      const running = yield* Effect.forEach([stage, "connect"], (announced) =>
        Effect.forkChild(
          service.run(
            check((attempt) => {
              attempt.stage(announced as Stage)
              return Effect.never
            }),
            1000,
            1000
          )
        )
      )
      yield* TestClock.adjust(1000)
      const [odd, known] = yield* Effect.forEach(running, Fiber.join)
      assert.deepInclude(odd!.failure, { code: "timeout", message: "https://shop.example/ took more than 1 s" })
      assert.strictEqual(known!.failure!.code, "connect_timeout")
    })
  )

  it.effect.each(["succeeds", "times out"])(
    "reports unknown when the process was suspended during a check that %s",
    (how) =>
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        let stoodStill = 0
        const late: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
          currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + stoodStill
        })
        const answer = how === "succeeds" ? Effect.as(Effect.sleep(400), { responseTime: 400 }) : Effect.never
        const running = yield* Effect.forkChild(resultOf(() => answer).pipe(Effect.provideService(Clock.Clock, late)))
        yield* TestClock.adjust(100)
        stoodStill = 15_000
        yield* TestClock.adjust(1000)
        const { failure, status } = yield* Fiber.join(running)
        assert.deepStrictEqual([status, failure?.code], ["unknown", "probe_paused"])
      })
  )

  it.effect("accepts results again after a suspension, even when the clock was set back", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const settable: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead
      })
      const service = yield* Effect.provideService(runner(), Clock.Clock, settable)
      ahead = 3_600_000
      yield* TestClock.adjust(1000)
      ahead = 0
      yield* TestClock.adjust(1000)
      const passing = check(() => Effect.succeed({ responseTime: 1 }))
      assert.strictEqual((yield* service.run(passing, 1000, 1000)).status, "up")
    })
  )

  it.effect("passes on defects, and what amounts to one", () =>
    Effect.gen(function* () {
      assert.include(yield* defectOf(() => Effect.die(new Error("a fault"))), "a fault")
      assert.include(
        yield* defectOf(() => {
          throw new Error("thrown")
        }),
        "thrown"
      )
      yield* defectOf(() => Effect.interrupt)
      assert.include(yield* defectOf(() => Effect.fail("not a CheckFailed" as never)), "not a CheckFailed")
      assert.include(yield* defectOf(() => Effect.succeed({ responseTime: Number.NaN })), "not a number")
      assert.include(
        yield* defectOf(() => Effect.succeed({ responseTime: 1, timing: { tls: Number.POSITIVE_INFINITY } })),
        "not a number"
      )
      yield* defectOf(() => Effect.succeed({ responseTime: 1, facts: { big: 1n as never } }))
      yield* defectOf(() => Effect.succeed({ responseTime: 1, facts: [1] as never }))
    })
  )

  it.effect.each(Object.keys(hostile))("returns a serializable result for a check that returns %s", (name) =>
    Effect.gen(function* () {
      const service = yield* runner()
      const running = yield* Effect.forkChild(Effect.exit(service.run(check(hostile[name] as never), 1000, 1000)))
      yield* TestClock.adjust(2000)
      const exit = running.pollUnsafe()
      assert.isDefined(exit, "the caller gets a result")
      if (Exit.isFailure(exit!) || Exit.isFailure(exit.value)) return
      const { value } = exit.value
      // Stable on every read, and small enough for a message.
      assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
      assert.isAtMost(JSON.stringify(value).length, 40_000)
      assert.include(["up", "degraded", "down", "unknown"], value.status)
    })
  )

  it.effect("recognises a failure of a plugin's own copy of the package", () =>
    Effect.gen(function* () {
      const stranger = { _tag: "CheckFailed", status: "down", code: "odd", message: "as they say" } as CheckFailed
      assert.strictEqual((yield* resultOf(() => Effect.fail(stranger))).failure?.code, "odd")
    })
  )

  it.effect("repairs text that a database would refuse, and limits sizes", () =>
    Effect.gen(function* () {
      const { facts, failure } = yield* resultOf(
        () =>
          new CheckFailed({
            status: "down",
            code: "odd",
            message: `\0\uD800${"x".repeat(5000)}`,
            facts: { records: ["v=\0spf", "\uDC00"], plain: "\\u0000 😀", n: 1, no: null, deep: { "k\0": true } }
          })
      )
      assert.isAtMost(failure!.message.length, 1001)
      assert.isTrue(failure!.message.startsWith("\uFFFD\uFFFDx"))
      assert.deepStrictEqual(facts, {
        records: ["v=\uFFFDspf", "\uFFFD"],
        plain: "\\u0000 😀",
        n: 1,
        no: null,
        deep: { "k\uFFFD": true }
      })
      const large = yield* resultOf(() => Effect.succeed({ responseTime: 1, facts: { body: "x".repeat(100_000) } }))
      assert.deepStrictEqual(large.facts, { truncated: true })
    })
  )

  it.effect("abandons an uninterruptible check at its timeout and on interruption", () =>
    Effect.gen(function* () {
      const stubborn = () => Effect.uninterruptible(Effect.never)
      const timed = yield* Effect.forkChild(defectOf(stubborn))
      yield* TestClock.adjust(2000)
      assert.include(yield* Fiber.join(timed), "does not end")
      const calledOff = yield* Effect.forkChild(resultOf(stubborn))
      yield* Effect.yieldNow
      const ended = yield* Effect.forkChild(Fiber.interrupt(calledOff))
      yield* TestClock.adjust(1000)
      yield* Fiber.join(ended)
    })
  )
})

describe("turns", () => {
  /** Checks that take a second and record when they started. */
  const crowd = (settings: Partial<RunnerSettings>, hosts: ReadonlyArray<string>, patience: number) =>
    Effect.gen(function* () {
      const service = yield* runner(settings)
      const now = { total: 0, most: 0, hosts: new Map<string, number>(), maxOfHost: 0 }
      const order: Array<string> = []
      const fibers = yield* Effect.forEach(hosts, (host) =>
        Effect.forkChild(
          service.run(
            check(
              () =>
                Effect.suspend(() => {
                  order.push(host)
                  now.most = Math.max(now.most, ++now.total)
                  now.hosts.set(host, (now.hosts.get(host) ?? 0) + 1)
                  now.maxOfHost = Math.max(now.maxOfHost, now.hosts.get(host)!)
                  return Effect.as(Effect.sleep(1000), { responseTime: 1 })
                }).pipe(
                  Effect.ensuring(
                    Effect.sync(() => {
                      now.total--
                      now.hosts.set(host, now.hosts.get(host)! - 1)
                    })
                  )
                ),
              host
            ),
            5000,
            patience
          ),
          { startImmediately: true }
        )
      )
      yield* TestClock.adjust(60_000)
      return { now, order, results: yield* Effect.forEach(fibers, Fiber.join) }
    })

  it.effect("limits concurrent checks per probe and per host", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 40 }, (_, index) => `h${index % 4}`)
      const { now, results } = yield* crowd({ concurrency: 6, hostConcurrency: 2 }, hosts, 60_000)
      assert.strictEqual(now.most, 6)
      assert.strictEqual(now.maxOfHost, 2)
      assert.isTrue(results.every(({ status }) => status === "up"))
    })
  )

  it.effect("shares permits fairly between hosts", () =>
    Effect.gen(function* () {
      const greedy = Array.from({ length: 8 }, () => "greedy")
      const { order } = yield* crowd({ concurrency: 1, hostConcurrency: 8 }, [...greedy, "modest"], 60_000)
      assert.isAtMost(order.indexOf("modest"), 2)
    })
  )

  it.effect("reports unknown when a check was queued too long, for a host and for the probe", () =>
    Effect.gen(function* () {
      for (const settings of [
        { concurrency: 100, hostConcurrency: 2 },
        { concurrency: 2, hostConcurrency: 2 }
      ]) {
        const hosts = settings.concurrency === 2 ? ["a", "b", "c", "d", "e", "f"] : ["a", "a", "a", "a", "a", "a"]
        const { results } = yield* crowd(settings, hosts, 1500)
        assert.deepStrictEqual(results.map(({ failure, status }) => failure?.code ?? status).sort(), [
          "probe_saturated",
          "probe_saturated",
          "up",
          "up",
          "up",
          "up"
        ])
      }
    })
  )

  it.effect("records when a queued check actually started", () =>
    Effect.gen(function* () {
      const { results } = yield* crowd({ concurrency: 1, hostConcurrency: 1 }, ["a", "a", "b"], 60_000)
      assert.deepStrictEqual(results.map(({ checkedAt }) => checkedAt).sort(), [1000, 2000, undefined])
    })
  )
})
