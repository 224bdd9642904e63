import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { BoundedEvaluator } from "../src/BoundedEvaluator.ts"
import { CheckRunner } from "../src/CheckRunner.ts"
import { DialFailed, Dialer } from "../src/Dialer.ts"
import type { Notice } from "../src/Notice.ts"
import * as PromisePlugin from "../src/PromisePlugin.ts"
import { Resolver } from "../src/Resolver.ts"

/** Nothing can be reached. `blind`: because this probe has no network. */
const network = (blind = false) =>
  Context.make(
    Dialer,
    Dialer.of({
      ping: () => Effect.die("nothing is pinged here"),
      dial: () =>
        Effect.fail(
          new DialFailed({
            reason: blind ? "egress_unavailable" : "connect_refused",
            message: "It refused",
            timing: {}
          })
        )
    })
  ).pipe(
    Context.add(Resolver, {
      records: () => Effect.succeed(["192.0.2.1"])
    } as unknown as Resolver["Service"])
  )

type Run = Parameters<typeof PromisePlugin.definePromiseCheck<typeof config.fields>>[0]["run"]

const config = Schema.Struct({ host: Schema.NonEmptyString })

const prepared = (run: Run) =>
  Result.getOrThrow(
    PromisePlugin.definePromiseCheck({
      type: "promised",
      summary: "A check of promises.",
      config,
      example: { host: "a.example" },
      defaults: { timeout: 10 },
      host: ({ host }) => host,
      target: ({ host }) => host,
      run
    }).prepare({ host: "a.example" })
  )

const exitOf = (run: Run, blind = false) =>
  prepared(run)
    .run({ region: "eu-west", stage: () => undefined })
    .pipe(Effect.provideContext(network(blind)), Effect.provide(BoundedEvaluator.layer), Effect.exit)

const failureOf = (run: Run, blind = false) =>
  Effect.map(exitOf(run, blind), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    const failure = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason) : undefined
    return failure?.error
  })

const runner = Effect.map(
  Layer.build(
    CheckRunner.layer({ region: "eu-west", concurrency: 1, hostConcurrency: 1 }).pipe(
      Layer.provide([BoundedEvaluator.layer, Layer.succeedContext(network())])
    )
  ),
  (context) => Context.get(context, CheckRunner)
)

describe("a promise check", () => {
  it.effect("passes with its function's result", () =>
    Effect.gen(function* () {
      const exit = yield* exitOf(async ({ host }, { records, region }) => ({
        responseTime: 3,
        facts: { region, records: [...(await records(host, "A"))] }
      }))
      assert.deepStrictEqual(
        exit,
        Exit.succeed({ responseTime: 3, facts: { region: "eu-west", records: ["192.0.2.1"] } })
      )
    })
  )

  it.effect("fails with what its function throws, and treats anything else as a defect", () =>
    Effect.gen(function* () {
      const failure = yield* failureOf(async () => {
        throw PromisePlugin.down("not_ready", "It is not ready yet", { responseTime: 4 })
      })
      assert.deepInclude(failure, { status: "down", code: "not_ready", responseTime: 4 })
      for (const run of [
        async () => assert.fail("a mistake"),
        (() => assert.fail("a mistake")) as unknown as Run,
        (() => undefined) as unknown as Run
      ] as ReadonlyArray<Run>) {
        const exit = yield* exitOf(run)
        assert.isTrue(Exit.isFailure(exit) ? Cause.hasDies(exit.cause) : exit.value === undefined)
      }
    })
  )

  it.live("treats a value that throws when it is read as a defect", () =>
    Effect.gen(function* () {
      const read = () => assert.fail("read")
      const riddle: object = new Proxy({}, { get: read, has: read })
      const exit = yield* exitOf(() => Promise.reject(riddle))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.effect("rejects a failed connection with the failure to throw", () =>
    Effect.gen(function* () {
      const run: Run = async ({ host }, { dial }) => {
        await dial({ host, port: 1 })
        return { responseTime: 1 }
      }
      assert.deepInclude(yield* failureOf(run), { status: "down", code: "connect_refused", message: "It refused" })
      assert.deepInclude(yield* failureOf(run, true), { status: "unknown", code: "egress_unavailable" })
    })
  )

  it.effect("aborts its signal at the timeout", () =>
    Effect.gen(function* () {
      const { run } = yield* runner
      let aborted = false
      const check = prepared(
        (_config, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true
              reject(signal.reason as Error)
            })
          })
      )
      const running = yield* Effect.forkChild(run(check, 1000, 1000))
      yield* TestClock.adjust("999 millis")
      assert.isFalse(aborted)
      yield* TestClock.adjust("1 millis")
      assert.isTrue(aborted)
      const result = yield* Fiber.join(running)
      assert.deepInclude(result, { status: "down" })
      assert.strictEqual(result.failure?.code, "timeout")
    })
  )

  it.effect("becomes a defect when it ignores its signal, and releases its permit", () =>
    Effect.gen(function* () {
      const { run } = yield* runner
      const running = yield* Effect.forkChild(
        Effect.exit(
          run(
            prepared(() => new Promise(() => undefined)),
            1000,
            1000
          )
        )
      )
      yield* TestClock.adjust("2 seconds")
      const exit = yield* Fiber.join(running)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), "a defect")
      const next = yield* run(
        prepared(async () => ({ responseTime: 1 })),
        1000,
        1000
      )
      assert.strictEqual(next.status, "up")
    })
  )
})

describe("a promise channel", () => {
  type Deliver = Parameters<typeof PromisePlugin.definePromiseChannel<typeof config.fields>>[0]["deliver"]

  const deliver = (deliverIt: Deliver) =>
    Effect.gen(function* () {
      const channel = PromisePlugin.definePromiseChannel({
        type: "promised",
        summary: "A channel of promises.",
        config,
        example: { host: "a.example" },
        deliver: deliverIt
      })
      const started = yield* Result.getOrThrow(channel.start({ host: "a.example" }))
      return yield* started.deliver({ id: "ntc_1" } as Notice)
    }).pipe(Effect.scoped, Effect.provideContext(network()))

  it.effect("delivers with its function, its configuration and the host's network", () =>
    Effect.gen(function* () {
      const receipt = yield* deliver(async ({ id }, { host }) => ({ detail: `${id} to ${host}` }))
      assert.deepStrictEqual(receipt, { detail: "ntc_1 to a.example" })
    })
  )

  it.effect("fails with what its function throws, or with the meaning of the response", () =>
    Effect.gen(function* () {
      const throttled = yield* Effect.flip(
        deliver(async () => {
          throw PromisePlugin.throttled("Later", 7)
        })
      )
      assert.deepInclude(throttled.reason, { _tag: "Throttled", retryAfter: 7 })
      const refused = yield* Effect.flip(
        deliver(async (_notice, { host }, { postJson }) => {
          await postJson({ url: new URL(`https://${host}/`), json: {}, secrets: [] })
          return { detail: "never" }
        })
      )
      assert.strictEqual(refused.reason._tag, "Unreachable")
    })
  )

  it.effect.each([
    ["a text", (host: string) => `https://${host}/`, "Unreachable"],
    ["a text that is no URL", () => "hooks/secret-path", "Rejected"],
    ["another protocol", () => "ftp://example.org/secret-path", "Rejected"],
    ["nothing", () => undefined, "Rejected"]
  ] as const)("takes %s as the address of a request, or says what it needs", ([_what, url, tag]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        deliver(async (_notice, { host }, { postJson }) => {
          await postJson({ url: url(host) as string, json: {}, secrets: [] })
          return { detail: "never" }
        })
      )
      assert.strictEqual(refused.reason._tag, tag)
      if (tag === "Rejected") {
        assert.match(refused.reason.detail, /needs `url`: an absolute URL/)
        assert.notInclude(refused.reason.detail, "secret-path")
      }
    })
  )

  it.effect("aborts its signal when it is interrupted", () =>
    Effect.gen(function* () {
      let aborted = false
      const running = yield* Effect.forkChild(
        deliver(
          (_notice, _config, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                aborted = true
                reject(signal.reason as Error)
              })
            })
        ),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(running)
      assert.isTrue(aborted)
    })
  )
})
