/**
 * How far the takers of streams have come, in a bucket beside the streams: a server that has lost its store has lost both. What
 * is written there names the stream by when it was made, because one that was made anew counts from 1 again.
 */
import { positionBucket } from "@kanmon/domain/Subjects"
import type { JetStreamManager } from "@nats-io/jetstream"
import type { KV, Kvm } from "@nats-io/kv"

/** What a taker has handled of a stream. */
export interface Position {
  /** The sequence of the last message; 0 before the first. */
  readonly sequence: number
  readonly save: (sequence: number) => Promise<void>
}

interface Taker {
  readonly stream: string
  readonly durable: string
}

export interface Positions {
  readonly of: (taker: Taker) => Promise<Position>
}

export const make = (manager: JetStreamManager, kvm: Kvm): Positions => {
  const open = (): Promise<KV> => kvm.create(positionBucket, { history: 1 })
  let opened: Promise<KV> | undefined

  /** The server may have lost the bucket: then it is made again, once. */
  const call = async <A>(body: (kv: KV) => Promise<A>): Promise<A> => {
    try {
      return await body(await (opened ??= open()))
    } catch {
      opened = open()
      return body(await opened)
    }
  }

  return {
    of: async ({ durable, stream }) => {
      const key = `${stream}.${durable}`
      const { created } = await manager.streams.info(stream)
      const entry = await call((kv) => kv.get(key))
      const saved =
        entry?.operation === "PUT" ? entry.json<{ readonly created: string; readonly sequence: number }>() : undefined
      return {
        sequence: saved?.created === created ? saved.sequence : 0,
        save: async (sequence) => {
          await call((kv) => kv.put(key, JSON.stringify({ created, sequence })))
        }
      }
    }
  }
}
