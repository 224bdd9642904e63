/**
 * Takes a stream in batches, in order, one taker of a name at a time. A batch whose handling fails is handled again here, so
 * that later messages never overtake it; one that a process died over comes again, because a taker begins behind the position
 * that was saved last. The server keeps nothing of a taker, which costs it less than acknowledgements would.
 */
import type { ConsumeOptions } from "@kanmon/core/EventBus"
import { type ConsumerMessages, DeliverPolicy, type JetStreamClient, type JsMsg } from "@nats-io/jetstream"
import { Cause, Effect, Exit, Latch, Schedule } from "effect"
import type { OnReconnect } from "./NatsBucket.ts"
import { ask } from "./NatsCall.ts"
import type { Position, Positions } from "./NatsPositions.ts"
import { matcher } from "./Subject.ts"

const retryDelay = "500 millis"
/** How long what was handled waits until its position is saved. After a crash it comes again. */
const saveInterval = "5 seconds"

export interface Taking {
  readonly client: JetStreamClient
  readonly positions: Positions
  readonly onReconnect: OnReconnect
}

/** What has arrived and not been handled. */
interface Inbox {
  messages: Array<JsMsg>
  readonly arrived: Latch.Latch
  readonly room: Latch.Latch
  /** The server may be another one by now, with other messages: begin again. */
  lost: boolean
}

export const take = <E, R>(
  taking: Taking,
  options: ConsumeOptions,
  handle: (messages: ReadonlyArray<JsMsg>, failures: number) => Effect.Effect<void, E, R>
): Effect.Effect<never, never, R> =>
  Effect.gen(function* () {
    const position = yield* ask(() => taking.positions.of(options))
    const inbox = yield* subscribe(taking, options, position.sequence + 1)
    const handled = yield* saving(position)
    const matches = matcher(options.filter)
    while (!inbox.lost) {
      yield* inbox.arrived.await
      if (inbox.messages.length < options.batch && !inbox.lost && options.maxWait !== 0)
        yield* Effect.sleep(options.maxWait)
      const batch = inbox.messages.splice(0, options.batch)
      inbox.room.openUnsafe()
      if (inbox.messages.length === 0 && !inbox.lost) inbox.arrived.closeUnsafe()
      const wanted = batch.filter(({ subject }) => matches(subject))
      if (wanted.length > 0) yield* untilHandled(wanted, handle)
      if (batch.length > 0) handled(batch.at(-1)!.seq)
    }
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.logWarning("The bus's consumer was lost; it begins again", cause).pipe(
            Effect.andThen(Effect.sleep(retryDelay))
          )
    ),
    Effect.forever
  )

const untilHandled = <E, R>(
  batch: ReadonlyArray<JsMsg>,
  handle: (messages: ReadonlyArray<JsMsg>, failures: number) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    for (let failures = 0; ; failures++) {
      const exit = yield* Effect.exit(handle(batch, failures))
      if (Exit.isSuccess(exit)) return
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
      yield* Effect.sleep(retryDelay)
    }
  })

/** Notes what was handled; saves it now and then, and at the end. */
const saving = Effect.fnUntraced(function* (position: Position) {
  let last = position.sequence
  let saved = last
  const save = Effect.suspend(() => {
    const sequence = last
    if (sequence === saved) return Effect.void
    return Effect.map(
      ask(() => position.save(sequence)),
      () => void (saved = sequence)
    )
  })
  // Whoever goes on here begins behind it.
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(save, "1 second")))
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(save), Schedule.spaced(saveInterval)))
  return (sequence: number): void => void (last = sequence)
})

/** An ordered consumer: without acknowledgements, and made again from where it was when a message is missing. */
const subscribe = Effect.fnUntraced(function* (
  { client, onReconnect }: Taking,
  { batch, filter, stream }: ConsumeOptions,
  first: number
) {
  const inbox: Inbox = {
    messages: [],
    arrived: Latch.makeUnsafe(false),
    room: Latch.makeUnsafe(true),
    lost: false
  }
  const lose = (): void => {
    inbox.lost = true
    inbox.arrived.openUnsafe()
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => onReconnect(lose)),
    (forget) => Effect.sync(forget)
  )
  const { messages } = yield* Effect.acquireRelease(
    ask(async () => {
      const consumer = await client.consumers.get(stream, {
        ...(filter?.length === 1 ? { filter_subjects: filter[0]! } : {}),
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: first
      })
      return { consumer, messages: await consumer.consume({ max_messages: Math.max(batch * 2, 500) }) }
    }),
    ({ consumer, messages: open }) =>
      Effect.promise(async () => {
        await open.close().catch(() => undefined)
        // The server would keep it for minutes; nobody need wait until it is told.
        void consumer.delete().catch(() => undefined)
      })
  )
  yield* Effect.forkScoped(Effect.ensuring(fill(inbox, messages, batch * 2), Effect.sync(lose)))
  return inbox
})

/** Puts into the inbox what comes, as long as there is room: the rest waits on the server. */
const fill = (inbox: Inbox, messages: ConsumerMessages, most: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const iterator = messages[Symbol.asyncIterator]()
    for (;;) {
      const next = yield* Effect.promise(() => iterator.next())
      if (next.done === true) return
      inbox.messages.push(next.value)
      inbox.arrived.openUnsafe()
      if (inbox.messages.length >= most) {
        inbox.room.closeUnsafe()
        yield* inbox.room.await
      }
    }
  }).pipe(Effect.catchCause(() => Effect.void))
