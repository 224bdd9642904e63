/**
 * `GET /events`: streams a project's public events as server-sent events. Clients resume after a disconnect, and events that a
 * slow client has not read wait in the bus, not in memory.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { EventBus, type Incoming } from "@kanmon/core/EventBus"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Principal } from "@kanmon/domain/Principal"
import { permits, type Role } from "@kanmon/domain/Role"
import { eventsStream } from "@kanmon/domain/Subjects"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { Caller, CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import { Problem } from "@kanmon/protocol/Problem"
import { type Cause, Effect, Fiber, Queue, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint } from "effect/http-api"
import { CallerOwners } from "@kanmon/platform/http/CallerOwners"
import { AccessWatch } from "./AccessWatch.ts"
import * as EventFrame from "./EventFrame.ts"
import * as EventReading from "./EventReading.ts"
import { OpenStreams } from "./OpenStreams.ts"
import type { Asked } from "@kanmon/platform/http/DirectHandlers"
import { LastingAccess } from "@kanmon/platform/http/LastingAccess"
import type * as ProjectAccess from "@kanmon/platform/http/ProjectAccess"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { searchOf } from "@kanmon/platform/http/RequestInfo"

/** Frames buffered per client. */
const maxWaiting = 256
/** A client that reads nothing for this long is disconnected. */
const stallTimeout = "30 seconds"
/** Proxies close idle connections after a minute, some sooner. */
const keepAliveEvery = "15 seconds"
/** After this time the credential counts as valid until the next check. */
const keyCheckLimit = "5 seconds"
/** Time to flush the buffer of an ended stream. */
const flushTimeout = "2 seconds"

const contentType = "text/event-stream"
/** The last header disables response buffering in nginx and similar proxies. */
const headers = { "cache-control": "no-store", "x-accel-buffering": "no" }

type Frames = Queue.Queue<string, Cause.Done>

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const lasting = yield* LastingAccess
    const streams = yield* OpenStreams
    const owners = yield* CallerOwners
    const access = yield* AccessWatch
    const bus = yield* EventBus

    /** Returns when the bus is unavailable or the client does not read. */
    const feed = Effect.fnUntraced(function* (
      frames: Frames,
      projectId: ProjectId,
      after: number,
      wants: EventReading.EventReading["wants"]
    ) {
      const filter = [`kanmon.events.${projectId}.>`]
      let next = after + 1
      let waiting: string | undefined
      /** Returns false if the buffer is full. */
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
        // A slow client has no subscription, so nothing accumulates; it resumes from the stream when there is room.
      } while (
        waiting !== undefined &&
        (yield* Effect.timeoutOrElse(Queue.offer(frames, waiting), {
          duration: stallTimeout,
          orElse: () => Effect.succeed(false)
        }))
      )
    })

    /** Whether the credential of an open stream still counts in the project. */
    const isPermitted = (endpoint: HttpApiEndpoint.Top, projectId: ProjectId) =>
      lasting.leadsTo(endpoint, projectId).pipe(
        Effect.orElseSucceed(() => false),
        Effect.timeoutOrElse({ duration: keyCheckLimit, orElse: () => Effect.succeed(true) }),
        // An unavailable database does not make the credential invalid.
        Effect.catchCause(() => Effect.succeed(true))
      )

    /** Sends keep-alives; returns when the key or the session is no longer valid. */
    const keepAlive = Effect.fnUntraced(function* (
      frames: Frames,
      endpoint: HttpApiEndpoint.Top,
      projectId: ProjectId
    ) {
      do {
        yield* Effect.sleep(keepAliveEvery)
        // Not needed while the buffer is full.
        Queue.offerUnsafe(frames, EventFrame.keepAlive)
      } while (yield* isPermitted(endpoint, projectId))
    })

    /** Without a database, no access ends. */
    const accessEnded = (caller: Principal, projectId: ProjectId, role: Role) =>
      Effect.catchCause(access.ended(caller, projectId, role), () => Effect.never)

    const open = Effect.fnUntraced(function* (
      { endpoint, request }: Asked,
      caller: Principal,
      { projectId, role }: ProjectAccess.ProjectAccess,
      owner: string
    ) {
      const reading = yield* Effect.fromResult(
        EventReading.read(searchOf(request), request.headers["last-event-id"])
      ).pipe(
        Effect.mapError(
          (errors) => new Problem({ code: "malformed_request", detail: "The request is invalid; see errors", errors })
        )
      )
      const wants = (type: string) =>
        reading.wants(type) && (!EventReading.isAudit(type) || permits(role, "audit.read"))
      yield* streams.enter(projectId, owner)
      // Read before the response starts, so that the client misses no event while the bus subscribes.
      const position = yield* Effect.mapError(bus.position(eventsStream.name), () => ProblemResponse.unavailable)
      const after = EventReading.start(reading.after, position)
      const frames: Frames = yield* Queue.bounded<string, Cause.Done>(maxWaiting)
      Queue.offerUnsafe(frames, EventFrame.opening(after))
      const feeding = yield* Effect.forkScoped(feed(frames, projectId, after, wants))
      yield* Effect.raceAllFirst([
        Effect.as(Fiber.await(feeding), "the bus is unavailable or the client does not read"),
        Effect.as(keepAlive(frames, endpoint, projectId), "the key or the session is no longer valid"),
        Effect.as(accessEnded(caller, projectId, role), "the session or the key has ended, or the role is another one"),
        Effect.as(streams.stopping, "the server is stopping")
      ]).pipe(
        Effect.tap((why) => Effect.annotateLogs(Effect.logDebug("Event stream closed"), { projectId, why })),
        Effect.andThen(Queue.end(frames)),
        Effect.andThen(Effect.sleep(flushTimeout)),
        // A client that does not read would keep the response open forever.
        Effect.andThen(Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())),
        Effect.forkScoped
      )
      return HttpServerResponse.stream(Stream.encodeText(Stream.fromQueue(frames)), { contentType, headers })
    })

    return handlers.handleRaw("stream", ({ endpoint, request }) =>
      Effect.gen(function* () {
        // HEAD is routed as GET is, and would open a stream without a reader.
        if (request.method !== "GET")
          return yield* new Problem({ code: "method_not_allowed", detail: "The event stream supports only GET" })
        const caller = yield* Caller
        const place = { projectId: yield* CallerProject, role: yield* CallerRole }
        return yield* open({ endpoint, request }, caller, place, yield* owners.of(caller))
      })
    )
  })
)
