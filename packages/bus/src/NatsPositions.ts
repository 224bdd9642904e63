/**
 * Positions of stream consumers, in a bucket beside the streams: a server that lost its store has lost both. A position
 * includes the stream's creation time, because a recreated stream counts from 1 again.
 */
import type { Bucket, BusUnavailable } from "@kanmon/core/EventBus"
import type { JetStreamManager } from "@nats-io/jetstream"
import { Effect } from "effect"
import { ask } from "./NatsConnection.ts"

/** The position of a consumer in a stream. */
export interface Position {
  /** The sequence of the last message; 0 before the first. */
  readonly sequence: number
  readonly save: (sequence: number) => Effect.Effect<void, BusUnavailable>
}

interface Consumer {
  readonly stream: string
  readonly durable: string
}

export interface Positions {
  /** The recorded position. */
  readonly of: (consumer: Consumer) => Effect.Effect<Position, BusUnavailable>
  /** How far a consumer of this process is, recorded or not; 0 for others. */
  readonly live: (consumer: Consumer) => number
  /** Makes a consumer of this process known to `live`, until the returned function is called. */
  readonly enter: (consumer: Consumer, sequence: () => number) => () => void
}

const nameOf = ({ durable, stream }: Consumer): string => `${stream}.${durable}`

export const make = (manager: JetStreamManager, bucket: Effect.Effect<Bucket, BusUnavailable>): Positions => {
  const consuming = new Map<string, () => number>()
  return {
    ...recorded(manager, bucket),
    live: (consumer) => consuming.get(nameOf(consumer))?.() ?? 0,
    enter: (consumer, sequence) => {
      const name = nameOf(consumer)
      consuming.set(name, sequence)
      return () => {
        if (consuming.get(name) === sequence) consuming.delete(name)
      }
    }
  }
}

const recorded = (manager: JetStreamManager, bucket: Effect.Effect<Bucket, BusUnavailable>): Pick<Positions, "of"> => ({
  of: Effect.fnUntraced(function* (consumer) {
    const { stream } = consumer
    const key = nameOf(consumer)
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
