/**
 * Accepts the signals of passive monitors. Concurrent signals share one transaction, and each is acknowledged once it
 * is durable: a thousand a second cost the database a few dozen transactions.
 */
import type { Signal } from "@kanmon/domain/Heartbeat"
import { Heartbeats, type SentSignal } from "./Heartbeats.ts"
import { Context, Deferred, Effect, Exit, Layer, Queue } from "effect"

interface Waiting extends SentSignal {
  readonly acknowledged: Deferred.Deferred<boolean, unknown>
}

/** Most signals of one transaction, and of those that wait for theirs. */
const short = { atOnce: 500, waiting: 20_000 }
/** The limits for signals with long texts, which bound their memory and event loop time. */
const long = { atOnce: 16, waiting: 500 }
/** Characters of texts from which a signal counts as long. */
const longLength = 4096

const isLong = ({ body, message }: Signal): boolean => (body ?? "").length + (message ?? "").length > longLength

export class HeartbeatInbox extends Context.Service<HeartbeatInbox>()("@kanmon/engine/heartbeats/HeartbeatInbox", {
  make: Effect.gen(function* () {
    const heartbeats = yield* Heartbeats
    const settle = (batch: ReadonlyArray<Waiting>, exit: Exit.Exit<ReadonlySet<string>>) => {
      for (const { acknowledged, token } of batch) {
        Deferred.doneUnsafe(
          acknowledged,
          Exit.isSuccess(exit) ? Effect.succeed(!exit.value.has(token)) : Effect.failCause(exit.cause)
        )
      }
    }
    const queue = Effect.fnUntraced(function* (limits: typeof short) {
      const waiting = yield* Queue.bounded<Waiting>(limits.waiting)
      const work = Effect.gen(function* () {
        const batch = yield* Queue.takeBetween(waiting, 1, limits.atOnce)
        const exit = yield* Effect.exit(heartbeats.receive(batch))
        settle(batch, exit)
      })
      // Two transactions under way: while one is being committed the next one gathers its signals.
      yield* Effect.forkScoped(Effect.forever(work))
      yield* Effect.forkScoped(Effect.forever(work))
      return waiting
    })
    const ofShort = yield* queue(short)
    const ofLong = yield* queue(long)

    return {
      /** Answers when the signal is durable: whether its token is known. */
      take: Effect.fnUntraced(function* (token: string, signal: Signal) {
        const acknowledged = Deferred.makeUnsafe<boolean, unknown>()
        yield* Queue.offer(isLong(signal) ? ofLong : ofShort, { token, signal, acknowledged })
        return yield* Effect.orDie(Deferred.await(acknowledged))
      })
    }
  })
}) {
  static readonly layer: Layer.Layer<HeartbeatInbox, never, Heartbeats> = Layer.effect(
    HeartbeatInbox,
    HeartbeatInbox.make
  )
}
