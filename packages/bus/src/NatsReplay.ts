/** Reads a stream on NATS without a durable position: from a message, or only new ones. */
import type { BusUnavailable, EventBus, Incoming } from "@kanmon/core/EventBus"
import type { JetStreamClient } from "@nats-io/jetstream"
import { Cause, Effect, Queue, Stream } from "effect"
import { ask, unavailable } from "./NatsConnection.ts"
import { incoming } from "./NatsMessage.ts"
import * as NatsOrdered from "./NatsOrdered.ts"
import { matcher } from "./Subject.ts"

export const make =
  (client: JetStreamClient, position: EventBus["Service"]["position"]): EventBus["Service"]["replay"] =>
  ({ filter, from, stream }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const matches = matcher(filter)
        // Not `DeliverPolicy.New`: recreated before its first message, such a consumer would start with the oldest.
        const first = from === "new" ? (yield* position(stream)) + 1 : Math.max(1, from)
        const queue = yield* Effect.acquireRelease(Queue.unbounded<Incoming, BusUnavailable>(), Queue.shutdown)
        yield* Effect.acquireRelease(
          ask(async () => {
            const only = filter?.length === 1 ? { filter_subjects: filter[0]! } : {}
            const consumer = await NatsOrdered.from(client, stream, first, only)
            const messages = await consumer.consume({
              callback: (message) => void Queue.offerUnsafe(queue, incoming(message))
            })
            // The client reconnects, and eventually gives up silently.
            void messages
              .closed()
              .then((error) =>
                Queue.failCauseUnsafe(queue, Cause.fail(unavailable(error ?? new Error("Reading the stream ended"))))
              )
            return { consumer, messages }
          }),
          (ordered) => Effect.sync(() => NatsOrdered.leave(ordered))
        )
        return Stream.fromQueue(queue).pipe(Stream.filter(({ subject }) => matches(subject)))
      })
    )
