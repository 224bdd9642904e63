/** The response of a streamed test: server-sent events with data that the contract declares. */
import { trialEvents } from "@kanmon/protocol/CheckBody"
import { Problem, toDetails } from "@kanmon/protocol/Problem"
import { Effect, Schema, Stream } from "effect"
import { encoder } from "effect/encoding/Sse"
import { HttpServerResponse } from "effect/http"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { RequestId } from "@kanmon/platform/http/RequestInfo"
import type { TrialEvent } from "./Checks.ts"
import type { NotAsked } from "./Probes.ts"

/** Proxies close idle connections after a minute, some sooner. */
const keepAliveEvery = "15 seconds"
/** The last header disables response buffering in nginx and similar proxies. */
const headers = { "cache-control": "no-store", "x-accel-buffering": "no" }

const encode = {
  start: Schema.encodeSync(trialEvents.start),
  region: Schema.encodeSync(trialEvents.region),
  end: Schema.encodeSync(trialEvents.end),
  error: Schema.encodeSync(trialEvents.error)
}

const frame = (event: keyof typeof encode, data: unknown): string =>
  encoder.write({ _tag: "Event", id: undefined, event, data: JSON.stringify(data) })

const frameOf = (event: TrialEvent): string => {
  switch (event._tag) {
    case "Start":
      return frame("start", encode.start(event))
    case "Region":
      return frame("region", encode.region(event.outcome))
    case "End":
      return frame("end", encode.end(event.preview))
  }
}

/** The problems of calls that reach no probe. */
export const notAsked = {
  BusUnavailable: () => ProblemResponse.unavailable,
  CallTooLarge: () =>
    new Problem({ code: "payload_too_large", detail: "The monitor's settings are too large to send to a probe" })
}

const problemOf = (error: NotAsked | Problem): Problem => (error instanceof Problem ? error : notAsked[error._tag]())

export const response = (events: Stream.Stream<TrialEvent, NotAsked | Problem>) =>
  Effect.map(RequestId, (requestId) => {
    const frames = Stream.map(events, frameOf).pipe(
      Stream.catch((error) => Stream.succeed(frame("error", encode.error(toDetails(problemOf(error), requestId)))))
    )
    const keepAlive = Stream.map(Stream.drop(Stream.tick(keepAliveEvery), 1), () => ": keep-alive\n\n")
    return HttpServerResponse.stream(Stream.encodeText(Stream.merge(frames, keepAlive, { haltStrategy: "left" })), {
      contentType: "text/event-stream",
      headers
    })
  })
