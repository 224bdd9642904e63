/**
 * Answers that last as long as the client stays: event streams. Every other answer has to be read in a bounded time.
 */
import { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

const lasting = new WeakSet<ServerResponse>()

/** Remembers that an answer is an event stream, if it is one. */
export const note = (
  request: HttpServerRequest.HttpServerRequest,
  { body, headers }: HttpServerResponse.HttpServerResponse
): void => {
  const type = headers["content-type"] ?? (body._tag === "Stream" ? body.contentType : "")
  if (!type.startsWith("text/event-stream")) return
  const response: unknown = NodeHttpServerRequest.toServerResponse(request)
  if (response instanceof ServerResponse) lasting.add(response)
}

/** Whether more of the answer may come at any time. It does not last any more when it was ended. */
export const isLasting = (response: ServerResponse): boolean => lasting.has(response) && !response.writableEnded
