/**
 * Takes a stream in batches, in order, one taker of a name at a time. A batch whose handling fails is handled again here,
 * so that later messages never overtake it; one that a process died over comes again from the server, because a taker begins
 * at the last acknowledged message.
 */
import type { ConsumeOptions } from "@kanmon/core/EventBus"
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg
} from "@nats-io/jetstream"
import { nanos } from "@nats-io/nats-core"
import { Cause, Effect, Exit, Latch, Schedule, type Scope } from "effect"
import { matcher } from "./Subject.ts"

const ackWaitMillis = 120_000
const stillWorking = "20 seconds"
const retryDelay = "500 millis"
/** Messages the server may have sent ahead of their acknowledgement. */
const ahead = 20_000

/** What has arrived and not been handled. */
interface Inbox {
  messages: Array<JsMsg>
  readonly arrived: Latch.Latch
  /** The server no longer knows the consumer: begin again. */
  lost: boolean
}

export const take = <E, R>(
  client: JetStreamClient,
  manager: JetStreamManager,
  options: ConsumeOptions,
  handle: (messages: ReadonlyArray<JsMsg>, failures: number) => Effect.Effect<void, E, R>
): Effect.Effect<never, never, R> =>
  Effect.gen(function* () {
    const inbox = yield* subscribe(client, manager, options)
    const matches = matcher(options.filter)
    while (!inbox.lost) {
      yield* inbox.arrived.await
      if (inbox.messages.length < options.batch && !inbox.lost) yield* Effect.sleep(options.maxWait)
      const batch = inbox.messages.splice(0, options.batch)
      if (inbox.messages.length === 0 && !inbox.lost) yield* inbox.arrived.close
      const wanted = batch.filter(({ subject }) => matches(subject))
      if (wanted.length > 0) yield* untilHandled(wanted, handle)
      // Acknowledging the last one acknowledges all before it.
      batch.at(-1)?.ack()
    }
    // Whoever took the consumer away may do so again: do not chase each other.
    yield* Effect.sleep(retryDelay)
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
      const exit = yield* Effect.exit(
        Effect.raceFirst(
          handle(batch, failures),
          Effect.sync(() => batch.at(-1)!.working()).pipe(
            Effect.repeat(Schedule.spaced(stillWorking)),
            Effect.andThen(Effect.never)
          )
        )
      )
      if (Exit.isSuccess(exit)) return
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
      yield* Effect.sleep(retryDelay)
    }
  })

const subscribe = (
  client: JetStreamClient,
  manager: JetStreamManager,
  options: ConsumeOptions
): Effect.Effect<Inbox, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox: Inbox = { messages: [], arrived: Latch.makeUnsafe(false), lost: false }
    yield* Effect.acquireRelease(
      Effect.tryPromise(async () => {
        await beginAfterAcknowledged(manager, options)
        const consumer = await client.consumers.get(options.stream, options.durable)
        const messages = await consumer.consume({
          max_messages: Math.max(options.batch * 2, 500),
          callback: (message) => {
            inbox.messages.push(message)
            inbox.arrived.openUnsafe()
          }
        })
        void watchFor(messages, inbox)
        return messages
      }),
      (messages) =>
        Effect.promise(() =>
          messages.close().then(
            () => undefined,
            () => undefined
          )
        )
    )
    return inbox
  })

/** The consumer starts behind the last acknowledged message: what was sent and not acknowledged comes again, in order. */
const beginAfterAcknowledged = async (
  manager: JetStreamManager,
  { durable, filter, stream }: ConsumeOptions
): Promise<void> => {
  const info = await infoOf(manager, { durable, stream })
  const floor = info?.ack_floor.stream_seq ?? 0
  if (info !== undefined) await manager.consumers.delete(stream, durable)
  await manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.All,
    ack_wait: nanos(ackWaitMillis),
    max_ack_pending: ahead,
    ...(filter?.length === 1 ? { filter_subject: filter[0]! } : {}),
    ...(floor > 0
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: floor + 1 }
      : { deliver_policy: DeliverPolicy.All })
  })
}

/** The sequence of the last message that the consumer of a name has acknowledged; 0 before the first. */
export const acknowledged = async (
  manager: JetStreamManager,
  consumer: Pick<ConsumeOptions, "stream" | "durable">
): Promise<number> => (await infoOf(manager, consumer))?.ack_floor.stream_seq ?? 0

const infoOf = (manager: JetStreamManager, { durable, stream }: Pick<ConsumeOptions, "stream" | "durable">) =>
  manager.consumers.info(stream, durable).catch(() => undefined)

const watchFor = async (messages: ConsumerMessages, inbox: Inbox): Promise<void> => {
  try {
    for await (const status of messages.status()) {
      if (
        status.type === "consumer_not_found" ||
        status.type === "consumer_deleted" ||
        status.type === "stream_not_found"
      )
        break
    }
  } catch {
    // What broke the status broke the consumer, too.
  } finally {
    // However it ended: whoever waits for messages begins again.
    inbox.lost = true
    inbox.arrived.openUnsafe()
  }
}
