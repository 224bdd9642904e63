/**
 * `effect/rpc` over the bus: a request carries one call, its reply carries the call's exit. Only calls with a single
 * response are supported. A caller that gives up is not reported to the server, where the call runs to its end.
 */
import { Deferred, type Duration, Effect, Layer, Option, Queue, Schema } from "effect"
import { RpcClient, RpcClientError, RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { type BusUnavailable, EventBus, type NoResponder } from "./EventBus.ts"

/** Maximum message size in bytes; the default limit of NATS is 1 MiB. */
const maxBytes = 1_000_000

/** The call exceeds the bus's message size. */
export class CallTooLarge extends Error {
  readonly _tag = "CallTooLarge"
}

/** Why a call got no exit. `Garbled`: the reply does not follow this protocol. */
export type CallFailure = NoResponder | BusUnavailable | CallTooLarge | { readonly _tag: "Garbled" }

/** Why the transport failed. */
export const failureOf = ({ reason }: RpcClientError.RpcClientError): CallFailure =>
  reason._tag === "RpcClientDefect" ? (reason.cause as CallFailure) : { _tag: "Garbled" }

/** Serves calls on a subject until the scope closes. */
export const layerServer = (subject: string): Layer.Layer<RpcServer.Protocol, BusUnavailable, EventBus> =>
  Layer.effect(
    RpcServer.Protocol,
    RpcServer.Protocol.make(
      Effect.fnUntraced(function* (write) {
        const bus = yield* EventBus
        const replies = new Map<number, Deferred.Deferred<string>>()
        const disconnects = yield* Queue.unbounded<number>()
        let callers = 0

        /** Each request is a client of its own that disconnects with the reply. */
        const answer = Effect.fnUntraced(function* (payload: string) {
          const call = callOf(payload)
          if (Option.isNone(call)) return written(refusal("Expected a call with a single response"))
          const caller = callers++
          const reply = Deferred.makeUnsafe<string>()
          replies.set(caller, reply)
          const leave = Effect.sync(() => {
            replies.delete(caller)
            Queue.offerUnsafe(disconnects, caller)
          })
          return yield* write(caller, call.value).pipe(
            Effect.andThen(Deferred.await(reply)),
            Effect.catchCause(() =>
              Effect.succeed(written(refusal("The call was not accepted; the server is stopping")))
            ),
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

/** A client for the server on the subject. `timeout` applies to each call. */
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
          if (bytes(payload) > maxBytes) return yield* failed(new CallTooLarge("The call is too large for the bus"))
          const reply = yield* Effect.catch(bus.request(subject, payload, patience), failed)
          const response = responseOf(reply, call.id)
          return Option.isSome(response) ? response.value : yield* failed({ _tag: "Garbled" })
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
      reason: new RpcClientError.RpcClientDefect({ message: `The call got no response: ${cause._tag}`, cause })
    })
  )

const Id = Schema.Union([Schema.String, Schema.Number])

/** A call with a single response: neither a notification nor a call with a discarded exit. */
const Call = Schema.Struct({
  _tag: Schema.Literal("Request"),
  id: Id,
  tag: Schema.String,
  payload: Schema.Unknown,
  headers: Schema.Array(Schema.mutable(Schema.Tuple([Schema.String, Schema.String]))),
  isNotification: Schema.optionalKey(Schema.Never),
  discard: Schema.optionalKey(Schema.Never),
  traceId: Schema.optionalKey(Schema.String),
  spanId: Schema.optionalKey(Schema.String),
  sampled: Schema.optionalKey(Schema.Boolean)
})
const callOf = Schema.decodeUnknownOption(Schema.fromJsonString(Call))

/** The client decodes the exit with the schemas of the call. */
const Reply = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Exit"), requestId: Id, exit: Schema.Any }),
  Schema.Struct({ _tag: Schema.Literal("Defect"), defect: Schema.Unknown })
])
const replyOf = Schema.decodeUnknownOption(Schema.fromJsonString(Reply))

/** The reply to this call; none if it belongs to another call. */
const responseOf = (reply: string, id: RpcMessage.RequestEncoded["id"]): Option.Option<RpcMessage.FromServerEncoded> =>
  Option.filter(replyOf(reply), (message) => message._tag === "Defect" || message.requestId === id)

const written = (response: RpcMessage.FromServerEncoded): string => {
  if (response._tag === "Chunk") return written(refusal("Streams are not supported"))
  const text = JSON.stringify(response)
  return bytes(text) > maxBytes ? written(refusal("The response is too large for the bus")) : text
}
