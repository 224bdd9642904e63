/**
 * The port to the bus: streams that keep and redeliver, buckets that hold the newest value of each key, and requests.
 * NATS JetStream and a bus inside one process implement it, and one contract suite holds both to these sentences.
 * Payloads are UTF-8 text (JSON).
 */
import { Context, Data, type Duration, type Effect, type Scope, type Stream } from "effect"

/** The bus does not answer, or refused. Trying again can help. */
export class BusUnavailable extends Data.TaggedError("BusUnavailable")<{
  readonly detail: string
  /** It answers, and does not let us do this. Trying again only helps when its operator has changed that. */
  readonly refused?: boolean
}> {
  override get message(): string {
    return `The bus: ${this.detail}`
  }
}

/** Nobody answers this subject, or not in time. */
export class NoResponder extends Data.TaggedError("NoResponder")<{ readonly subject: string }> {}

/** A message to a stream. Within two minutes a second message with the same id is dropped. */
export interface Outgoing {
  readonly subject: string
  readonly id: string
  readonly payload: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A message from a stream. */
export interface Incoming {
  readonly subject: string
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  /** Position in the stream: grows, starts at 1. */
  readonly sequence: number
  /** How often it has been delivered, this time included. */
  readonly deliveries: number
}

/** A stream: messages on its subjects are kept for a while, in order. */
export interface StreamDefinition {
  readonly name: string
  readonly subjects: ReadonlyArray<string>
  readonly maxAgeMillis: number
}

/** Who takes what of a stream. */
export interface Taker {
  /** Takers of one name go on where they stopped; there is one of a name at a time. */
  readonly durable: string
  /** Subjects of interest, with wildcards; none means all of the stream's. */
  readonly filter?: ReadonlyArray<string>
}

export interface ConsumeOptions extends Taker {
  readonly stream: string
  /** Most messages of one batch. */
  readonly batch: number
  /** How long a batch that has begun may wait for more. */
  readonly maxWait: Duration.Input
}

/** A change of a bucket, or the mark that all values of before have been told. */
export type BucketEntry =
  | { readonly _tag: "Put"; readonly key: string; readonly value: string; readonly revision: number }
  | { readonly _tag: "Delete"; readonly key: string; readonly revision: number }
  | { readonly _tag: "Current" }

/** What a bucket holds under a key now, if anything, and the revision that made it so: 0 where there never was a value. */
export interface BucketValue {
  readonly value: string | undefined
  readonly revision: number
  /** When the revision was made, by the bus's clock, in milliseconds since 1970; null where there is none. */
  readonly at: number | null
}

/** The newest value of each key. Keys are letters, digits, `-`, `_`, `=`, `/` and `.`. */
export interface Bucket {
  readonly put: (key: string, value: string) => Effect.Effect<number, BusUnavailable>
  readonly get: (key: string) => Effect.Effect<BucketValue, BusUnavailable>
  readonly remove: (key: string) => Effect.Effect<void, BusUnavailable>
  /**
   * Puts the value, or removes what is there when it is undefined, unless the key has changed since `revision`: then it
   * changes nothing and returns false. Several may write to a bucket this way without overwriting each other.
   */
  readonly replace: (key: string, value: string | undefined, revision: number) => Effect.Effect<boolean, BusUnavailable>
  readonly keys: Effect.Effect<ReadonlyArray<string>, BusUnavailable>
  /** Every present value, then `Current` once, then every change as it comes. Lost connections are mended within. */
  readonly watch: Stream.Stream<BucketEntry, BusUnavailable>
}

export class EventBus extends Context.Service<
  EventBus,
  {
    /** One line for people: which bus this is. */
    readonly description: string
    /** Whether the bus answers now. */
    readonly healthy: Effect.Effect<boolean>
    /** Makes the stream, or brings an existing one to this definition. */
    readonly ensureStream: (definition: StreamDefinition) => Effect.Effect<void, BusUnavailable>
    /** Returns when all messages are kept for good. In order; on failure any of them may have been kept. */
    readonly publish: (messages: ReadonlyArray<Outgoing>) => Effect.Effect<void, BusUnavailable>
    /**
     * Hands batches to `handle`, one at a time, in order. A batch is done with when `handle` succeeds, and comes again when
     * it fails or the process dies; what was done in the last seconds before that may come again, too. Runs until
     * interrupted; lost connections are mended within.
     */
    readonly consume: <E, R>(
      options: ConsumeOptions,
      handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
    ) => Effect.Effect<never, never, R>
    /** The sequence of the newest message that was ever published to the stream; 0 before the first. */
    readonly position: (stream: string) => Effect.Effect<number, BusUnavailable>
    /**
     * Reads a stream without a durable position: from a sequence on (replay), or only what comes from now on. Fails when the
     * bus is away for so long that it gives up.
     */
    readonly replay: (options: {
      readonly stream: string
      readonly filter?: ReadonlyArray<string>
      readonly from: number | "new"
    }) => Stream.Stream<Incoming, BusUnavailable>
    /**
     * What none of these takers is done with by now, oldest first; then the stream ends. Changes nothing: they take the same
     * messages as if nobody had looked.
     */
    readonly backlog: (options: {
      readonly stream: string
      readonly takers: ReadonlyArray<Taker>
    }) => Stream.Stream<Incoming, BusUnavailable>
    /** Opens a bucket, making it when it is missing. With `ttl` a value vanishes that long after it was put. */
    readonly bucket: (name: string, options?: { readonly ttlMillis?: number }) => Effect.Effect<Bucket, BusUnavailable>
    readonly request: (
      subject: string,
      payload: string,
      timeout: Duration.Input
    ) => Effect.Effect<string, NoResponder | BusUnavailable>
    /** Answers requests on a subject until the scope closes. */
    readonly respond: <R>(
      subject: string,
      answer: (payload: string, subject: string) => Effect.Effect<string, never, R>
    ) => Effect.Effect<void, BusUnavailable, R | Scope.Scope>
  }
>()("@kanmon/core/EventBus") {}
