/**
 * The port to the bus: streams with redelivery, buckets with the newest value per key, and requests. Implemented by NATS
 * JetStream and by an in-process bus; one contract suite tests both against these descriptions. Payloads are UTF-8 text
 * (JSON).
 */
import { Context, Data, type Duration, type Effect, type Scope, type Stream } from "effect"

/** The bus does not respond, or refused the operation. A retry can help. */
export class BusUnavailable extends Data.TaggedError("BusUnavailable")<{
  readonly detail: string
  /** The bus responds but denies permission. A retry helps only after its operator has changed that. */
  readonly refused?: boolean
}> {
  override get message(): string {
    return `The bus: ${this.detail}`
  }
}

/** No responder on this subject, or no response in time. */
export class NoResponder extends Data.TaggedError("NoResponder")<{ readonly subject: string }> {}

/** A message to publish. The stream drops a second message with the same id within two minutes. */
export interface Outgoing {
  readonly subject: string
  readonly id: string
  readonly payload: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A message received from a stream. */
export interface Incoming {
  readonly subject: string
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  /** Position in the stream, ascending from 1. */
  readonly sequence: number
  /** Number of deliveries, including this one. */
  readonly deliveries: number
}

/** A stream keeps the messages on its subjects for a time, in order. */
export interface StreamDefinition {
  readonly name: string
  readonly subjects: ReadonlyArray<string>
  readonly maxAgeMillis: number
}

/** A consumer of a stream. */
export interface Consumer {
  /** A consumer with the same name continues where the previous one stopped; only one per name may run. */
  readonly durable: string
  /** Subjects to receive, with wildcards; defaults to all of the stream. */
  readonly filter?: ReadonlyArray<string>
}

export interface ConsumeOptions extends Consumer {
  readonly stream: string
  /** Maximum messages per batch. */
  readonly batch: number
  /** How long an incomplete batch waits for more messages. */
  readonly maxWait: Duration.Input
  /**
   * Whether no other process consumes the stream under these names. Then its position may be recorded less often: after
   * a crash more messages are delivered again, up to a thousand or those of a minute.
   */
  readonly isAlone?: () => boolean
  /** Called for each message that arrives while others are before it, so that `handle` learns what waits behind its batch. */
  readonly arrives?: (message: Incoming) => void
}

/** A change of a bucket, or the mark after its initial values. */
export type BucketEntry =
  | { readonly _tag: "Put"; readonly key: string; readonly value: string; readonly revision: number }
  | { readonly _tag: "Delete"; readonly key: string; readonly revision: number }
  | { readonly _tag: "Current" }

/** The current value of a key, if any, and its revision: 0 when it never had a value. */
export interface BucketValue {
  readonly value: string | undefined
  readonly revision: number
  /** When the revision was written, by the bus's clock, in milliseconds since 1970; null when there is none. */
  readonly at: number | null
}

/** The newest value of each key. Keys are letters, digits, `-`, `_`, `=`, `/` and `.`. */
export interface Bucket {
  readonly put: (key: string, value: string) => Effect.Effect<number, BusUnavailable>
  readonly get: (key: string) => Effect.Effect<BucketValue, BusUnavailable>
  readonly remove: (key: string) => Effect.Effect<void, BusUnavailable>
  /**
   * Sets the value, or removes it when it is undefined, if the key is still at `revision`; otherwise changes nothing and
   * returns false. Lets concurrent writers avoid overwriting each other.
   */
  readonly replace: (key: string, value: string | undefined, revision: number) => Effect.Effect<boolean, BusUnavailable>
  readonly keys: Effect.Effect<ReadonlyArray<string>, BusUnavailable>
  /** All current values, then `Current` once, then every change. Reconnects automatically. */
  readonly watch: Stream.Stream<BucketEntry, BusUnavailable>
}

export class EventBus extends Context.Service<
  EventBus,
  {
    /** A one-line description of the bus. */
    readonly description: string
    /** Whether the bus responds now. */
    readonly healthy: Effect.Effect<boolean>
    /** Creates the stream, or updates it to this definition. */
    readonly ensureStream: (definition: StreamDefinition) => Effect.Effect<void, BusUnavailable>
    /** Returns when all messages are stored durably. In order; on failure any of them may have been stored. */
    readonly publish: (messages: ReadonlyArray<Outgoing>) => Effect.Effect<void, BusUnavailable>
    /**
     * Passes batches to `handle`, one at a time, in order. A batch is acknowledged when `handle` succeeds; it is
     * redelivered when it fails or the process dies, together with what was acknowledged in the last seconds. Runs until
     * interrupted; reconnects automatically.
     */
    readonly consume: <E, R>(
      options: ConsumeOptions,
      handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
    ) => Effect.Effect<never, never, R>
    /** The sequence of the newest message ever published to the stream; 0 before the first. */
    readonly position: (stream: string) => Effect.Effect<number, BusUnavailable>
    /**
     * Reads a stream without a durable position: from a sequence, or only new messages. Fails when the bus is away for too
     * long.
     */
    readonly replay: (options: {
      readonly stream: string
      readonly filter?: ReadonlyArray<string>
      readonly from: number | "new"
    }) => Stream.Stream<Incoming, BusUnavailable>
    /**
     * The messages that none of these consumers has acknowledged, oldest first; then ends. Read-only: the consumers still
     * receive the same messages.
     */
    readonly backlog: (options: {
      readonly stream: string
      readonly consumers: ReadonlyArray<Consumer>
    }) => Stream.Stream<Incoming, BusUnavailable>
    /** Opens a bucket, creating it if necessary. With `ttlMillis`, values expire that long after they were written. */
    readonly bucket: (name: string, options?: { readonly ttlMillis?: number }) => Effect.Effect<Bucket, BusUnavailable>
    readonly request: (
      subject: string,
      payload: string,
      timeout: Duration.Input
    ) => Effect.Effect<string, NoResponder | BusUnavailable>
    /** Responds to requests on a subject until the scope closes. */
    readonly respond: <R>(
      subject: string,
      answer: (payload: string, subject: string) => Effect.Effect<string, never, R>
    ) => Effect.Effect<void, BusUnavailable, R | Scope.Scope>
  }
>()("@kanmon/core/EventBus") {}
