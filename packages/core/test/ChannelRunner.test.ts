import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Channel from "../src/Channel.ts"
import { ChannelRunner } from "../src/ChannelRunner.ts"
import type { Notice } from "../src/Notice.ts"
import * as Plugin from "../src/Plugin.ts"
import { Catalogue } from "../src/PluginHost.ts"
import { Resolver } from "../src/Resolver.ts"

const config = Schema.Struct({ token: Schema.NonEmptyString })

const channel = (
  type: string,
  make: (own: typeof config.Type) => Effect.Effect<Channel.Started, never, Channel.Capabilities>
) =>
  Channel.define({
    type,
    summary: "Misbehaves.",
    config,
    example: { token: "a-token" },
    secrets: ["token"],
    make
  })

const delivering = (type: string, deliver: Channel.Started["deliver"]) =>
  channel(type, () => Effect.succeed({ deliver }))

const channels = [
  delivering("good", () => Effect.succeed({ detail: "taken" })),
  delivering("throws", () => {
    throw new Error("with the token s3cret")
  }),
  channel("throws-in-make", ({ token }) => {
    // Works with its example, because it would be refused otherwise.
    if (token === "s3cret") throw new Error("with the token s3cret")
    return Effect.succeed({ deliver: () => Effect.succeed({ detail: "taken" }) })
  }),
  delivering("quotes", () => Effect.succeed({ detail: "accepted with s3cret" })),
  delivering("quotes-in-errors", () => Effect.fail(Channel.throttled("rejected with s3cret", 7))),
  delivering("never-returns", () => Effect.never),
  delivering("never-ends", () => Effect.uninterruptible(Effect.never))
]

const deliver = (type: string) =>
  Effect.gen(function* () {
    const plugin = Plugin.define({ name: "odd", contract: 1, channels })
    const context = yield* Layer.build(
      ChannelRunner.layer({ dialer: { allowPrivate: false }, operator: new Map() }).pipe(
        Layer.provide([
          Catalogue.layer([{ name: "odd", outside: true, load: () => Promise.resolve({ default: plugin }) }]),
          Layer.succeed(Resolver, {} as Resolver["Service"])
        ])
      )
    )
    return yield* Context.get(context, ChannelRunner).deliver({ type, config: { token: "s3cret" } }, {
      id: "ntc_1"
    } as Notice)
  })

describe("ChannelRunner", () => {
  it.effect("delivers through the plugin", () =>
    Effect.map(deliver("good"), (receipt) => assert.deepStrictEqual(receipt, { detail: "taken" }))
  )

  it.effect("redacts secrets that a plugin quotes, and nothing else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* deliver("quotes"), { detail: "accepted with ••••" })
      const { reason } = yield* Effect.flip(deliver("quotes-in-errors"))
      assert.deepInclude(reason, { _tag: "Throttled", detail: "rejected with ••••", retryAfter: 7 })
    })
  )

  it.effect("rejects a type without a plugin", () =>
    Effect.map(Effect.flip(deliver("unheard-of")), ({ reason }) => assert.strictEqual(reason._tag, "Rejected"))
  )

  it.effect.each(["throws", "throws-in-make"])("retries when a plugin crashes: %s", (type) =>
    Effect.map(Effect.flip(deliver(type)), ({ message, reason }) => {
      assert.strictEqual(reason._tag, "Unreachable")
      assert.notInclude(message, "s3cret")
    })
  )

  it.effect.each(["never-returns", "never-ends"])("limits a plugin that does not return to half a minute: %s", (type) =>
    Effect.gen(function* () {
      const running = yield* Effect.forkChild(Effect.flip(deliver(type)), { startImmediately: true })
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(running.pollUnsafe())
      // One more second, after which an uninterruptible attempt is detached.
      yield* TestClock.adjust("2 seconds")
      const { reason } = yield* Fiber.join(running)
      assert.strictEqual(reason._tag, "Unreachable")
    })
  )

  it.effect("abandons an uninterruptible plugin when the caller is interrupted", () =>
    Effect.gen(function* () {
      const running = yield* Effect.forkChild(deliver("never-ends"), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stopping)
    })
  )
})
