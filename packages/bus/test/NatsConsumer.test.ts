/** A waiting consumer holds no message, because a message keeps the whole block of bytes that it arrived with. */
import { assert, describe, it } from "@effect/vitest"
import type { JsMsg } from "@nats-io/jetstream"
import { Deferred, Effect } from "effect"
import { collect } from "../../../tests/support/Garbage.ts"
import { type Taking, take } from "../src/NatsConsumer.ts"
import type { Part } from "../src/NatsReader.ts"

/** A reader that receives its messages from the test. */
const stage = () => {
  const parts: Array<Part> = []
  const taking: Taking = {
    positions: {
      of: () => Effect.succeed({ sequence: 0, save: () => Effect.void }),
      live: () => 0,
      enter: () => () => undefined
    },
    saver: new Set(),
    readerOf: () => ({
      join: (part) => {
        parts.push(part)
        return () => undefined
      }
    })
  }
  return { parts, taking }
}

const message = (seq: number): JsMsg => ({ seq, subject: "a", data: new Uint8Array(100_000) }) as unknown as JsMsg

describe("a consumer", () => {
  it.live("holds no message that it has handled", () =>
    Effect.gen(function* () {
      const { parts, taking } = stage()
      const options = { stream: "s", durable: "d", filter: ["a"], batch: 10, maxWait: 0 }
      const handled: Array<number> = []
      const done = yield* Deferred.make<void>()
      yield* take(taking, options, (messages) =>
        Effect.suspend(() => {
          handled.push(...messages.map(({ seq }) => seq))
          return handled.length === 12 ? Deferred.succeed(done, undefined) : Effect.void
        })
      ).pipe(Effect.forkScoped)
      yield* Effect.yieldNow
      const hand = (): ReadonlyArray<WeakRef<JsMsg>> =>
        Array.from({ length: 12 }, (_, index) => {
          const one = message(index + 1)
          void parts[0]!.hand(one)
          return new WeakRef(one)
        })
      const handed = hand()
      yield* Deferred.await(done)
      yield* Effect.promise(collect)
      assert.deepStrictEqual(
        handled,
        Array.from({ length: 12 }, (_, index) => index + 1)
      )
      assert.strictEqual(handed.filter((one) => one.deref() !== undefined).length, 0)
    }).pipe(Effect.scoped)
  )
})
