import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Channel from "../src/Channel.ts"
import * as Check from "../src/Check.ts"
import * as LogQuota from "../src/LogQuota.ts"
import { make, maxUnending } from "../src/PluginGuard.ts"
import * as PluginOwner from "../src/PluginOwner.ts"

const guarded = (plugin: string, run: () => Effect.Effect<Check.Passed, Check.CheckFailed>) => {
  const check = Check.define({
    type: "odd",
    summary: "A check.",
    config: Schema.Struct({}),
    example: {},
    defaults: { timeout: 10 },
    host: () => "a.example",
    target: () => "a.example",
    run
  })
  const prepared = Result.getOrThrow(make(plugin).check(check).prepare({}))
  return Effect.suspend(() => prepared.run({ region: "eu-west", stage: () => undefined })) as Effect.Effect<
    Check.Passed,
    Check.CheckFailed
  >
}

const passed = { responseTime: 1 }

describe("PluginGuard", () => {
  it.effect("passes results and failures through", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* guarded("good", () => Effect.succeed(passed)), passed)
      const failure = new Check.CheckFailed({ status: "down", code: "no", message: "no" })
      assert.strictEqual(yield* Effect.flip(guarded("good", () => Effect.fail(failure))), failure)
      const exit = yield* Effect.exit(guarded("good", () => assert.fail("a mistake")))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.live("guards a channel's messages as well", () =>
    Effect.gen(function* () {
      const senders: Array<string | undefined> = []
      const send = Effect.sync(() => {
        senders.push(PluginOwner.current())
        return { detail: "sent" }
      })
      const pager = Channel.define({
        type: "pager",
        summary: "A pager.",
        config: Schema.Struct({ number: Schema.String }),
        example: { number: "+4915112345678" },
        recipient: { field: "number", kind: "phone" },
        make: () => Effect.succeed({ deliver: () => send, message: () => send })
      })
      const held = make("stranger").channel(pager)
      assert.deepStrictEqual(held.recipient, { field: "number", kind: "phone" })
      const started = yield* Result.getOrThrow(held.start(pager.example)) as Effect.Effect<Channel.Started>
      yield* started.message!({ id: "msg_1", subject: "A code", text: "482915" }) as typeof send
      assert.deepStrictEqual(senders, ["stranger"])
    })
  )

  it.live("attributes code to the plugin, also after a pause and in detached work", () =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const look = () => void seen.push(PluginOwner.current())
      const { promise: last, resolve: detached } = Promise.withResolvers<void>()
      yield* guarded("curious", () =>
        Effect.gen(function* () {
          look()
          yield* Effect.sleep("5 millis")
          look()
          yield* Effect.promise(async () => {
            await Promise.resolve()
            look()
            setTimeout(() => (look(), detached()), 1)
          })
          return passed
        })
      )
      yield* Effect.promise(() => last)
      assert.deepStrictEqual(seen, ["curious", "curious", "curious", "curious"])
      assert.isUndefined(PluginOwner.current())
    })
  )

  it.effect("labels the plugin's log lines and drops what exceeds the quota", () =>
    Effect.gen(function* () {
      const lines: Array<{ readonly message: unknown; readonly annotations: Readonly<Record<string, unknown>> }> = []
      const collect = Logger.make<unknown, void>((options) => void lines.push(Logger.formatStructured.log(options)))
      const flood = guarded("chatty", () =>
        Effect.as(
          Effect.forEach(Array.from({ length: 10_000 }), () => Effect.logInfo("me again"), { discard: true }),
          passed
        )
      ).pipe(Effect.provide(Logger.layer([collect])))
      yield* flood
      assert.strictEqual(lines.length, LogQuota.linesPerMinute + 1)
      assert.deepInclude(lines[0]!.annotations, { plugin: "chatty" })
      assert.include(JSON.stringify(lines.at(-1)!.message), "further lines are dropped")
      yield* TestClock.adjust("1 minute")
      yield* flood
      assert.strictEqual(lines.length, 2 * (LogQuota.linesPerMinute + 1))
    })
  )

  it.effect("starts no more attempts when a hundred of them do not end", () =>
    Effect.gen(function* () {
      let begun = 0
      const release: Array<() => void> = []
      const attempt = guarded("stubborn", () => {
        begun++
        return Effect.uninterruptible(
          Effect.callback<Check.Passed>((resume) => void release.push(() => resume(Effect.succeed(passed))))
        )
      })
      for (let i = 0; i < maxUnending; i++) {
        const fiber = yield* Effect.forkChild(attempt, { startImmediately: true })
        fiber.interruptUnsafe()
      }
      assert.strictEqual(begun, maxUnending)
      const exit = yield* Effect.exit(attempt)
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "do not end")
      assert.strictEqual(begun, maxUnending)
      for (const end of release.splice(0)) end()
      const again = yield* Effect.forkChild(attempt, { startImmediately: true })
      assert.strictEqual(begun, maxUnending + 1)
      for (const end of release) end()
      assert.deepStrictEqual(yield* Fiber.join(again), passed)
    })
  )
})
