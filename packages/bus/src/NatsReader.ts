/**
 * Reads a stream once for all its consumers in this process and distributes the messages. Consumers with a server-side
 * filter would receive less, but are expensive to create: the server scans the whole stream for each and blocks others
 * meanwhile, and taking over a dead engine's work would create many at once.
 */
import type { ConsumerMessages, JetStreamClient, JsMsg } from "@nats-io/jetstream"
import * as SequenceGaps from "./SequenceGaps.ts"
import type { OnReconnect } from "./NatsBucket.ts"
import * as NatsOrdered from "./NatsOrdered.ts"

/** A consumer of a part of the stream. */
export interface Part {
  /** Everything up to this sequence was handed over or filtered. Advanced by the reader. */
  upTo: number
  readonly matches: (subject: string) => boolean
  /** Hands over a message; returns a promise when the part is full, which resolves when it has room. */
  readonly hand: (message: JsMsg) => Promise<void> | undefined
  /** The stream may have been replaced: start again. */
  readonly lose: () => void
}

/** One reading of the stream. */
interface Reading {
  /** The message being handed out, or the last one. */
  position: number
  messages?: ConsumerMessages
}

export interface Reader {
  /** Hands out the part's messages until the returned function is called. */
  readonly join: (part: Part) => () => void
}

/** Messages that the server may send in advance. */
const ahead = 5000
/** A new reading starts a few seconds back, so old gaps can be forgotten. */
const rememberedGaps = 100
/** Many parts start at once; the reading waits this long for them, in milliseconds. */
const gathering = 100

export interface ReaderOptions {
  readonly stream: string
  readonly onReconnect: OnReconnect
  /** Called with the number of messages that the stream dropped before they were read because it was full. */
  readonly missed: (count: number) => void
}

export const make = (client: JetStreamClient, { missed, onReconnect, stream }: ReaderOptions): Reader => {
  const parts = new Set<Part>()
  /** The current reading; an older one ends when it notices. */
  let reading: Reading | undefined
  let waiting: NodeJS.Timeout | undefined
  /** Gaps that have been reported. */
  let gaps: ReadonlyArray<SequenceGaps.Gap> = []

  const stop = (): void => {
    clearTimeout(waiting)
    void reading?.messages?.close().catch(() => undefined)
    reading = undefined
  }

  const lose = (): void => {
    stop()
    const lost = [...parts]
    parts.clear()
    for (const part of lost) part.lose()
  }
  onReconnect(lose)

  /** A replaced reading hands out nothing more: a new part may need earlier messages. */
  const handOut = async (own: Reading, message: JsMsg): Promise<void> => {
    for (const part of parts) {
      if (reading !== own) return
      if (message.seq <= part.upTo) continue
      part.upTo = message.seq
      const room = part.matches(message.subject) ? part.hand(message) : undefined
      if (room !== undefined) await room
    }
  }

  /** There is no filter, so every gap in the sequence is a loss. Gaps of an earlier reading were already reported. */
  const reportGap = (before: number, next: number): void => {
    const { count, known } = SequenceGaps.add(gaps, { before, next })
    gaps = known.slice(-rememberedGaps)
    if (count > 0) missed(count)
  }

  const read = async (own: Reading): Promise<void> => {
    const consumer = await NatsOrdered.from(client, stream, own.position + 1)
    const messages = await consumer.consume({ max_messages: ahead })
    try {
      own.messages = messages
      for await (const message of messages) {
        if (reading !== own) return
        if (own.position > 0 && message.seq > own.position + 1) reportGap(own.position, message.seq)
        // Set before the message is handed out, so that a part which joins meanwhile does not count as having received it.
        own.position = message.seq
        await handOut(own, message)
      }
    } finally {
      NatsOrdered.leave({ consumer, messages })
    }
  }

  const begin = (): void => {
    if (parts.size === 0) return
    const own: Reading = { position: Math.min(...[...parts].map(({ upTo }) => upTo)) }
    reading = own
    // It may be a different stream now.
    if (own.position === 0) gaps = []
    const ended = (): void => {
      if (reading === own) lose()
    }
    read(own).then(ended, ended)
  }

  return {
    join: (part) => {
      parts.add(part)
      if (reading === undefined || part.upTo < reading.position) {
        stop()
        waiting = setTimeout(begin, gathering)
      }
      return () => {
        parts.delete(part)
        if (parts.size === 0) stop()
      }
    }
  }
}
