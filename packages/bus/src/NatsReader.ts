/**
 * Reads a stream once for all who take parts of it in this process, and hands each its own. Consumers that the server filters
 * would send less, but they are dear to make: the server goes through the whole stream for each, and lets nobody else at the
 * stream meanwhile. Taking over a dead engine's work would make many at once.
 */
import type { ConsumerMessages, JetStreamClient, JsMsg } from "@nats-io/jetstream"
import * as Holes from "./Holes.ts"
import type { OnReconnect } from "./NatsBucket.ts"
import * as NatsOrdered from "./NatsOrdered.ts"

/** One who takes a part. */
export interface Part {
  /** Everything up to this sequence has been handed over, or is not for it. Moved on by the reader. */
  upTo: number
  readonly matches: (subject: string) => boolean
  /** Hands it a message; where it has no room for more, a promise that is kept when it has. */
  readonly hand: (message: JsMsg) => Promise<void> | undefined
  /** The stream may be another one by now: begin again. */
  readonly lose: () => void
}

/** One time of reading. */
interface Reading {
  /** The message that is handed out now, or was the last. */
  position: number
  messages?: ConsumerMessages
}

export interface Reader {
  /** Hands the part its messages until the returned function is called. */
  readonly join: (part: Part) => () => void
}

/** Messages that the server may send ahead. */
const ahead = 5000
/** A new reading begins a few seconds back: what was dropped long ago need not be known. */
const rememberedHoles = 100
/** Parts come in swarms; the reading begins when they have come. In milliseconds. */
const gathering = 100

export interface ReaderOptions {
  readonly stream: string
  readonly onReconnect: OnReconnect
  /** Called with how many messages the stream has dropped, because it was full, before they were read. */
  readonly missed: (count: number) => void
}

export const make = (client: JetStreamClient, { missed, onReconnect, stream }: ReaderOptions): Reader => {
  const parts = new Set<Part>()
  /** The reading that counts; an older one ends as soon as it notices. */
  let reading: Reading | undefined
  let waiting: NodeJS.Timeout | undefined
  /** What was dropped unread and has been told. */
  let holes: ReadonlyArray<Holes.Hole> = []

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

  /** Nothing is handed out by a reading that no longer counts: whoever has come since may want what lies before. */
  const handOut = async (own: Reading, message: JsMsg): Promise<void> => {
    for (const part of parts) {
      if (reading !== own) return
      if (message.seq <= part.upTo) continue
      part.upTo = message.seq
      const room = part.matches(message.subject) ? part.hand(message) : undefined
      if (room !== undefined) await room
    }
  }

  /** Nothing is filtered, so the sequences have no holes of their own. What an earlier reading missed is told already. */
  const tellHole = (before: number, next: number): void => {
    const { count, known } = Holes.add(holes, { before, next })
    holes = known.slice(-rememberedHoles)
    if (count > 0) missed(count)
  }

  const read = async (own: Reading): Promise<void> => {
    const consumer = await NatsOrdered.from(client, stream, own.position + 1)
    const messages = await consumer.consume({ max_messages: ahead })
    try {
      own.messages = messages
      for await (const message of messages) {
        if (reading !== own) return
        if (own.position > 0 && message.seq > own.position + 1) tellHole(own.position, message.seq)
        // Before anybody has it: who joins while it is handed out must not be thought to have had it.
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
    // It may be another stream by now.
    if (own.position === 0) holes = []
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
