/**
 * Consumes a stream in batches, in order; one consumer per name. A failed batch is retried here, so that later messages
 * never overtake it. A batch that a process died over is delivered again, because a consumer starts after the last saved
 * position. The server keeps no consumer state, which costs it less than acknowledgements would.
 */
import type { ConsumeOptions } from "@kanmon/core/EventBus"
import type { JsMsg } from "@nats-io/jetstream"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import { Cause, Clock, Effect, Exit, Latch, type Scope } from "effect"
import { incoming } from "./NatsMessage.ts"
import type { Position, Positions } from "./NatsPositions.ts"
import type { Part, Reader } from "./NatsReader.ts"
import { matcher } from "./Subject.ts"

const retryDelay = "500 millis"
/** How long a handled position stays unsaved. After a crash these messages are delivered again. */
const saveInterval = "5 seconds"
/** Where no other process looks at the position, it stays unsaved for longer: each of many consumers costs a message. */
const aloneMillis = 60_000
/** But not over so many messages. */
const aloneMessages = 1000

export interface Taking {
  readonly positions: Positions
  readonly saver: Saver
  readonly readerOf: (stream: string) => Reader
}

/** Messages that arrived and are not handled yet. */
interface Inbox {
  readonly messages: Array<JsMsg>
  readonly part: Part
  readonly arrived: Latch.Latch
  /** Signals that there is room for more messages. */
  readonly clear: () => void
  lost: boolean
}

/** Saves the positions of all consumers at once, because separate timers would wake the process more often. */
export type Saver = Set<Effect.Effect<void>>

/** Saves until the scope closes. */
export const saver: Effect.Effect<Saver, never, Scope.Scope> = Effect.gen(function* () {
  const saves: Saver = new Set()
  const all = Effect.suspend(() => Effect.forEach([...saves], (save) => save, { concurrency: 16, discard: true }))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(all, TimerCoalescing.pause(saveInterval))))
  return saves
})

export const take = <E, R>(
  taking: Taking,
  options: ConsumeOptions,
  handle: (messages: ReadonlyArray<JsMsg>, failures: number) => Effect.Effect<void, E, R>
): Effect.Effect<never, never, R> =>
  Effect.gen(function* () {
    const position = yield* taking.positions.of(options)
    const inbox = yield* joined(taking.readerOf(options.stream), options, position.sequence)
    const handled = yield* saving(taking, options, position, inbox)
    while (!inbox.lost) {
      yield* inbox.arrived.await
      if (inbox.messages.length < options.batch && !inbox.lost && options.maxWait !== 0)
        yield* Effect.sleep(options.maxWait)
      if (inbox.messages.length > 0) {
        const { count, sequence } = yield* untilHandled(inbox.messages, options.batch, handle)
        handled(sequence)
        inbox.messages.splice(0, count)
        inbox.clear()
      }
      if (inbox.messages.length === 0 && !inbox.lost) inbox.arrived.closeUnsafe()
    }
    // The cause of the stream's removal may remove it again.
    yield* Effect.sleep(retryDelay)
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.logDebug("A part of a stream cannot be consumed yet", cause).pipe(
            Effect.andThen(Effect.sleep(retryDelay))
          )
    ),
    Effect.forever
  )

/**
 * Handles the first messages; returns how many, and the sequence of the last. In a generator of its own: the one of the loop
 * would hold what it had in hand until the next messages arrive, and with each message the whole block that was received.
 */
const untilHandled = Effect.fnUntraced(function* <E, R>(
  messages: ReadonlyArray<JsMsg>,
  limit: number,
  handle: (messages: ReadonlyArray<JsMsg>, failures: number) => Effect.Effect<void, E, R>
): Effect.fn.Return<{ readonly count: number; readonly sequence: number }, never, R> {
  const batch = messages.slice(0, limit)
  for (let failures = 0; ; failures++) {
    const exit = yield* Effect.exit(handle(batch, failures))
    if (Exit.isSuccess(exit)) return { count: batch.length, sequence: batch.at(-1)!.seq }
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
    yield* Effect.sleep(retryDelay)
  }
})

/** Records handled messages, and saves the position periodically and at the end. */
const saving = Effect.fnUntraced(function* (
  { positions, saver: saves }: Taking,
  options: ConsumeOptions,
  position: Position,
  { messages, part }: Inbox
) {
  const clock = yield* Clock.Clock
  let last = position.sequence
  let saved = last
  let savedAt = clock.currentTimeMillisUnsafe()
  // With an empty inbox, filtered messages count as handled, too.
  const reached = (): number => (messages.length === 0 ? Math.max(last, part.upTo) : last)
  const save = Effect.suspend(() => {
    const sequence = reached()
    if (sequence === saved) return Effect.void
    return Effect.map(position.save(sequence), () => {
      saved = sequence
      savedAt = clock.currentTimeMillisUnsafe()
    })
  })
  const mayWait = (): boolean =>
    options.isAlone?.() === true &&
    reached() - saved < aloneMessages &&
    Math.abs(clock.currentTimeMillisUnsafe() - savedAt) < aloneMillis
  yield* Effect.acquireRelease(
    Effect.sync(() => positions.enter(options, reached)),
    (leave) => Effect.sync(leave)
  )
  // The next consumer starts here. Interruptible, because the timeout would not work otherwise.
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(Effect.interruptible(save), "1 second")))
  const quiet = Effect.suspend(() => (mayWait() ? Effect.void : Effect.ignore(save)))
  yield* Effect.acquireRelease(
    Effect.sync(() => saves.add(quiet)),
    () => Effect.sync(() => saves.delete(quiet))
  )
  return (sequence: number): void => void (last = sequence)
})

const joined = Effect.fnUntraced(function* (reader: Reader, { arrives, batch, filter }: ConsumeOptions, upTo: number) {
  const messages: Array<JsMsg> = []
  const arrived = Latch.makeUnsafe(false)
  const most = batch * 2
  let keepPromise: (() => void) | undefined
  const inbox: Inbox = {
    messages,
    arrived,
    lost: false,
    part: {
      upTo,
      matches: matcher(filter),
      hand: (message) => {
        messages.push(message)
        arrived.openUnsafe()
        if (messages.length > 1) arrives?.(incoming(message))
        if (messages.length < most) return undefined
        return new Promise((resolve) => (keepPromise = resolve))
      },
      lose: () => {
        inbox.lost = true
        arrived.openUnsafe()
        inbox.clear()
      }
    },
    clear: () => {
      keepPromise?.()
      keepPromise = undefined
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => reader.join(inbox.part)),
    (leave) =>
      Effect.sync(() => {
        leave()
        inbox.clear()
      })
  )
  return inbox
})
