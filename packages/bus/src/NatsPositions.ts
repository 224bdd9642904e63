/**
 * How far the takers of streams have come, in a bucket beside the streams: a server that has lost its store has lost both. What
 * is written there names the stream by when it was made, because one that was made anew counts from 1 again.
 */
import type { Bucket, BusUnavailable } from "@kanmon/core/EventBus"
import type { JetStreamManager } from "@nats-io/jetstream"
import { Effect } from "effect"
import { ask } from "./NatsCall.ts"

/** What a taker has handled of a stream. */
export interface Position {
  /** The sequence of the last message; 0 before the first. */
  readonly sequence: number
  readonly save: (sequence: number) => Effect.Effect<void, BusUnavailable>
}

interface Taker {
  readonly stream: string
  readonly durable: string
}

export interface Positions {
  readonly of: (taker: Taker) => Effect.Effect<Position, BusUnavailable>
}

export const make = (manager: JetStreamManager, bucket: Effect.Effect<Bucket, BusUnavailable>): Positions => ({
  of: Effect.fnUntraced(function* ({ durable, stream }) {
    const key = `${stream}.${durable}`
    const marks = yield* bucket
    const { created } = yield* ask(() => manager.streams.info(stream))
    const { value } = yield* marks.get(key)
    const saved =
      value === undefined ? undefined : (JSON.parse(value) as { readonly created: string; readonly sequence: number })
    return {
      sequence: saved?.created === created ? saved.sequence : 0,
      save: (sequence: number) => Effect.asVoid(marks.put(key, JSON.stringify({ created, sequence })))
    }
  })
})
