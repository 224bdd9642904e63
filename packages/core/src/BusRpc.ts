/**
 * `effect/rpc` over the bus: a request carries one call and its reply the call's exit. Calls that are answered once are
 * carried; streams and notifications are not, and whoever loses patience is not told to the other side: what was asked for
 * goes on there to its own end.
 */
import { Deferred, type Duration, Effect, Layer, Queue } from "effect"
import { RpcClient, RpcClientError, RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { type BusUnavailable, EventBus, type NoResponder } from "./EventBus.ts"

/** Bytes of the largest message: NATS takes 1 MiB unless it is told otherwise. */
const mostBytes = 1_000_000

/** The call has more to say than a message of the bus holds. */
export class CallTooLarge extends Error {
  readonly _tag = "CallTooLarge"
}

/** Why a call got no exit. `Garbled`: the reply is none of this protocol. */
export type CallFailure = NoResponder | BusUnavailable | CallTooLarge | { readonly _tag: "Garbled" }

/** Why the transport failed. */
export const failureOf = ({ reason }: RpcClientError.RpcClientError): CallFailure =>
  reason._tag === "RpcClientDefect" ? (reason.cause as CallFailure) : { _tag: "Garbled" }

/** Answers calls on a subject until the scope closes. */
export const layerServer = (subject: string): Layer.Layer<RpcServer.Protocol, BusUnavailable, EventBus> =>
  Layer.effect(
    RpcServer.Protocol,
    RpcServer.Protocol.make(
      Effect.fnUntraced(function* (write) {
        const bus = yield* EventBus
        const replies = new Map<number, Deferred.Deferred<string>>()
        const disconnects = yield* Queue.unbounded<number>()
        let callers = 0

        /** Each request is a caller of its own, who leaves with the reply. */
        const answer = Effect.fnUntraced(function* (payload: string) {
          const call = callOf(payload)
          if (call === undefined) return written(refusal("Expected a call that is answered once"))
          const caller = callers++
          const reply = Deferred.makeUnsafe<string>()
          replies.set(caller, reply)
          const leave = Effect.sync(() => {
            replies.delete(caller)
            Queue.offerUnsafe(disconnects, caller)
          })
          return yield* write(caller, call).pipe(
            Effect.andThen(Deferred.await(reply)),
            Effect.catchCause(() => Effect.succeed(written(refusal("The call was not taken; its server stops")))),
            Effect.ensuring(leave)
          )
        })
        yield* bus.respond(subject, answer)

        return {
          disconnects,
          send: (caller, response) =>
            Effect.sync(() => {
              const reply = replies.get(caller)
              if (reply !== undefined) Deferred.doneUnsafe(reply, Effect.succeed(written(response)))
            }),
          end: () => Effect.void,
          clientIds: Effect.sync(() => new Set(replies.keys())),
          initialMessage: Effect.succeedNone,
          supportsAck: false,
          supportsTransferables: false,
          supportsSpanPropagation: true,
          supportsNotifications: false,
          codecFor
        }
      })
    )
  )

/** Calls whoever answers on the subject. Each call may take so long. */
export const layerClient = (
  subject: string,
  patience: Duration.Input
): Layer.Layer<RpcClient.Protocol, never, EventBus> =>
  Layer.effect(
    RpcClient.Protocol,
    RpcClient.Protocol.make(
      Effect.fnUntraced(function* (write) {
        const bus = yield* EventBus
        const exchange = Effect.fnUntraced(function* (call: RpcMessage.RequestEncoded) {
          const payload = JSON.stringify(call)
          if (bytes(payload) > mostBytes) return yield* failed(new CallTooLarge("The call is too large for the bus"))
          const reply = yield* Effect.catch(bus.request(subject, payload, patience), failed)
          return responseOf(reply, call.id) ?? (yield* failed({ _tag: "Garbled" }))
        })
        return {
          send: (client, message) =>
            message._tag === "Request"
              ? Effect.flatMap(exchange(message), (response) => write(client, response))
              : Effect.void,
          supportsAck: false,
          supportsTransferables: false,
          codecFor
        }
      })
    )
  )

const { codecFor } = RpcSerialization.json
const bytes = (text: string): number => new TextEncoder().encode(text).length
const refusal = (reason: string): RpcMessage.FromServerEncoded => RpcMessage.ResponseDefectEncoded(reason)

const failed = (cause: CallFailure) =>
  Effect.fail(
    new RpcClientError.RpcClientError({
      reason: new RpcClientError.RpcClientDefect({ message: `The call got no answer: ${cause._tag}`, cause })
    })
  )

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}

/** The call that a request carries; undefined when it carries anything else. */
const callOf = (payload: string): RpcMessage.RequestEncoded | undefined => {
  const message = parsed(payload)
  const once = message["_tag"] === "Request" && message["isNotification"] === undefined
  return once && message["discard"] === undefined && Array.isArray(message["headers"])
    ? (message as unknown as RpcMessage.RequestEncoded)
    : undefined
}

/** What a reply says to this call; undefined when it says nothing to it. */
const responseOf = (reply: string, id: RpcMessage.RequestEncoded["id"]): RpcMessage.FromServerEncoded | undefined => {
  const message = parsed(reply)
  return (message["_tag"] === "Exit" && message["requestId"] === id) || message["_tag"] === "Defect"
    ? (message as unknown as RpcMessage.FromServerEncoded)
    : undefined
}

const written = (response: RpcMessage.FromServerEncoded): string => {
  if (response._tag === "Chunk") return written(refusal("Streams are not carried here"))
  const text = JSON.stringify(response)
  return bytes(text) > mostBytes ? written(refusal("The answer is too large for the bus")) : text
}
