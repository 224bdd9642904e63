/** Reads the body of a signal to its end, however long it is: a job that writes much has run all the same. */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { collector, type ReceivedBody } from "./SignalText.ts"

export const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ReceivedBody> =>
  Effect.callback((resume) => {
    const incoming = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
    const { add, received } = collector()
    const end = () => resume(Effect.sync(received))
    const fail = () => resume(Effect.interrupt)
    if (incoming.destroyed) return fail()
    incoming.on("data", add).on("end", end).on("error", fail).on("close", fail)
    return Effect.sync(() => {
      incoming.off("data", add).off("end", end).off("error", fail).off("close", fail)
    })
  })
