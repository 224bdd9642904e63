/**
 * `GET /events`: a project's public events as they happen, as server-sent events, from the stream that keeps them. A reader
 * that comes back goes on where it was. It is fed at its own pace: what it has not taken waits in the bus, not here.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { EventBus, type Incoming } from "@kanmon/core/EventBus"
import type { ProjectId } from "@kanmon/domain/Ids"
import { eventsStream } from "@kanmon/domain/Subjects"
import { basePath } from "@kanmon/protocol/Api"
import { Caller } from "@kanmon/protocol/Gate"
import { Problem } from "@kanmon/protocol/Problem"
import { type Cause, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Access from "./Access.ts"
import { Authenticator } from "./Authenticator.ts"
import { CallerAccounts } from "./CallerAccounts.ts"
import * as EventFrame from "./EventFrame.ts"
import * as EventReading from "./EventReading.ts"
import { OpenStreams } from "./OpenStreams.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { RateLimits } from "./RateLimits.ts"

/** Frames that may wait for a reader's socket. */
const mostWaiting = 256
/** How long a full line may stand still before the reader is given up. */
const patience = "30 seconds"
/** Proxies close what is silent for a minute, some sooner. */
const keepAliveEvery = "15 seconds"
/** A database that takes longer to say whether the key is good is asked again the next time. */
const keyCheckLimit = "5 seconds"
/** How long an ended stream may take to send what waits. */
const farewell = "2 seconds"

const contentType = "text/event-stream"
/** The last one tells nginx and its kin to pass on each event at once. */
const headers = { "cache-control": "no-store", "x-accel-buffering": "no" }

type Frames = Queue.Queue<string, Cause.Done>

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const authenticator = yield* Authenticator
    const limits = yield* RateLimits
    const streams = yield* OpenStreams
    const accounts = yield* CallerAccounts
    const bus = yield* EventBus

    /** Returns when the bus has no more to tell, or the reader takes nothing. */
    const feed = Effect.fnUntraced(function* (
      frames: Frames,
      projectId: ProjectId,
      after: number,
      wants: EventReading.EventReading["wants"]
    ) {
      const filter = [`kanmon.events.${projectId}.>`]
      let next = after + 1
      let waiting: string | undefined
      /** Whether there is room for more. */
      const offer = (message: Incoming): boolean => {
        next = message.sequence + 1
        const frame = wants(EventFrame.typeOf(message)) ? EventFrame.frame(message) : undefined
        if (frame === undefined || Queue.offerUnsafe(frames, frame)) return true
        waiting = frame
        return false
      }
      do {
        waiting = undefined
        yield* Stream.runForEachWhile(bus.replay({ stream: eventsStream.name, filter, from: next }), (message) =>
          Effect.sync(() => offer(message))
        )
        // A reader that is behind has no subscription: nothing piles up, and the stream has it all when there is room.
      } while (
        waiting !== undefined &&
        (yield* Effect.timeoutOrElse(Queue.offer(frames, waiting), {
          duration: patience,
          orElse: () => Effect.succeed(false)
        }))
      )
    })

    const isKeyGood = (request: HttpServerRequest.HttpServerRequest, projectId: ProjectId) =>
      authenticator.caller(request).pipe(
        Effect.match({
          onSuccess: (caller) => caller._tag === "ProjectKey" && caller.projectId === projectId,
          onFailure: () => false
        }),
        Effect.timeoutOrElse({ duration: keyCheckLimit, orElse: () => Effect.succeed(true) }),
        // The database is away: that says nothing against the key.
        Effect.catchCause(() => Effect.succeed(true))
      )

    /** Shows that the connection lives; returns when the key is no longer good. */
    const keepAlive = Effect.fnUntraced(function* (
      frames: Frames,
      request: HttpServerRequest.HttpServerRequest,
      projectId: ProjectId
    ) {
      do {
        yield* Effect.sleep(keepAliveEvery)
        // Without room there is no need: the reader has plenty to take.
        Queue.offerUnsafe(frames, EventFrame.keepAlive)
      } while (yield* isKeyGood(request, projectId))
    })

    const open = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      projectId: ProjectId,
      account: string
    ) {
      const query = new URL(request.url, "http://localhost").searchParams
      const reading = yield* Effect.fromResult(EventReading.read(query, request.headers["last-event-id"])).pipe(
        Effect.mapError(
          (errors) =>
            new Problem({ code: "malformed_request", detail: "The request is not understood; see errors", errors })
        )
      )
      yield* streams.enter(projectId, account)
      // Asked before the answer: a reader that sees its stream open misses nothing from then on, however long the bus takes
      // to subscribe.
      const position = yield* Effect.mapError(bus.position(eventsStream.name), () => ProblemResponse.unavailable)
      const after = EventReading.start(reading.after, position)
      const frames: Frames = yield* Queue.bounded<string, Cause.Done>(mostWaiting)
      Queue.offerUnsafe(frames, EventFrame.opening(after))
      const feeding = yield* Effect.forkScoped(feed(frames, projectId, after, reading.wants))
      yield* Effect.raceAllFirst([
        Effect.as(Fiber.await(feeding), "the bus went away, or the reader did not read"),
        Effect.as(keepAlive(frames, request, projectId), "the key is no longer good"),
        Effect.as(streams.stopping, "the server stops")
      ]).pipe(
        Effect.tap((why) => Effect.annotateLogs(Effect.logDebug("An event stream was ended"), { projectId, why })),
        Effect.andThen(Queue.end(frames)),
        Effect.andThen(Effect.sleep(farewell)),
        // Whoever does not read would hold the answer open for ever.
        Effect.andThen(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())),
        Effect.forkScoped
      )
      return HttpServerResponse.stream(Stream.encodeText(Stream.fromQueue(frames)), { contentType, headers })
    })

    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.method !== "GET")
        return yield* new Problem({ code: "method_not_allowed", detail: "Events are read with GET" })
      const caller = yield* authenticator.caller(request)
      const projectId = yield* Effect.provideService(Access.project, Caller, caller)
      const used = yield* Effect.result(limits.admit("reads", caller))
      if (used._tag === "Failure")
        return HttpServerResponse.setHeaders(
          yield* ProblemResponse.toResponse(used.failure.problem),
          used.failure.headers
        )
      const answer = Effect.catch(open(request, projectId, yield* accounts.of(caller)), ProblemResponse.toResponse)
      return HttpServerResponse.setHeaders(yield* answer, used.success)
    }).pipe(Effect.catch(ProblemResponse.toResponse))

    yield* router.add("*", `${basePath}/events`, handle)
  })
)
