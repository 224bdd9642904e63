/**
 * Publishes to streams. The acknowledgements of all messages arrive at one subscription, and those of a publication are
 * counted: a request of the client for each message would make promises, a timer and an error, in case it fails.
 */
import type { BusUnavailable, Outgoing } from "@kanmon/core/EventBus"
import { type Msg, type NatsConnection, type PermissionViolationError } from "@nats-io/nats-core"
import { Effect, Option, Schema, type Scope } from "effect"
import { requestMillis, unavailable } from "./NatsConnection.ts"
import { toHeaders } from "./NatsMessage.ts"

/** Messages with shared waiting for their acknowledgements. */
interface Publication {
  /** By the last token of the subject that the acknowledgement is sent to: the subject of the message. */
  readonly left: Map<string, string>
  readonly end: (error: Error | undefined) => void
}

export interface NatsPublisher {
  /** Ends when all of them are stored. */
  readonly publish: (messages: ReadonlyArray<Outgoing>) => Effect.Effect<void, BusUnavailable>
  /** The server has denied an operation. It does not say of which message. */
  readonly denied: (error: PermissionViolationError) => void
}

/** The header by which the server recognises a message that it has already. */
const idHeader = "Nats-Msg-Id"

/** `inbox` is a subject that replies can be received on. */
export const make = (connection: NatsConnection, inbox: string): Effect.Effect<NatsPublisher, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pending = new Map<string, Publication>()
    let last = 0

    const acknowledged = (error: Error | null, message: Msg): void => {
      if (error !== null) return
      const token = message.subject.slice(inbox.length + 1)
      const publication = pending.get(token)
      if (publication === undefined) return
      pending.delete(token)
      publication.left.delete(token)
      const problem = problemOf(message)
      if (problem !== undefined || publication.left.size === 0) publication.end(problem)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => connection.subscribe(`${inbox}.*`, { callback: acknowledged })),
      (subscription) => Effect.sync(() => subscription.unsubscribe())
    )

    const publish: NatsPublisher["publish"] = (messages) =>
      Effect.callback<void, BusUnavailable>((resume) => {
        if (messages.length === 0) return resume(Effect.void)
        const left = new Map<string, string>()
        const forget = (): void => {
          clearTimeout(timer)
          for (const token of left.keys()) pending.delete(token)
        }
        const end = (error: Error | undefined): void => {
          forget()
          resume(error === undefined ? Effect.void : Effect.fail(unavailable(error)))
        }
        const publication: Publication = { left, end }
        const timer = setTimeout(() => end(new Error("timeout")), requestMillis)
        try {
          for (const { headers, id, payload, subject } of messages) {
            const token = (last++).toString(36)
            left.set(token, subject)
            pending.set(token, publication)
            connection.publish(subject, payload, {
              reply: `${inbox}.${token}`,
              headers: toHeaders({ ...headers, [idHeader]: id })
            })
          }
        } catch (error) {
          end(error instanceof Error ? error : new Error(String(error)))
        }
        return Effect.sync(forget)
      })

    const denied = (error: PermissionViolationError): void => {
      if (error.operation !== "publish") return
      for (const { end, left } of new Set(pending.values())) {
        if ([...left.values()].includes(error.subject)) end(error)
      }
    }

    return { publish, denied }
  })

/** The error in the acknowledgement of a message that is not stored. */
const problemOf = (message: Msg): Error | undefined => {
  if (message.data.length === 0)
    return new Error(message.headers?.code === 503 ? "jetstream is not enabled" : "an empty acknowledgement")
  const text = message.string()
  // Fast path: nearly all acknowledgements have this form.
  if (text.startsWith('{"stream":"') && !text.startsWith('{"stream":""')) return undefined
  const { error, stream = "" } = Option.getOrElse(decodeAcknowledgement(text), () => ({ error: undefined, stream: "" }))
  if (error !== undefined) return new Error(error.description ?? "the message was refused")
  return stream === "" ? new Error("an invalid acknowledgement") : undefined
}

const decodeAcknowledgement = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      error: Schema.optional(Schema.Struct({ description: Schema.optional(Schema.String) })),
      stream: Schema.optional(Schema.String)
    })
  )
)
