/** Support for the tests of the event stream: a bus that counts subscribers and can be cut off, events, and a client. */
import { connect } from "node:net"
import { setImmediate } from "node:timers/promises"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { BusUnavailable, EventBus, type Outgoing } from "@kanmon/core/EventBus"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { cloudEventHeaders } from "@kanmon/domain/ServiceEvent"
import { type MonitorEventName, monitorEvent } from "@kanmon/domain/Subjects"
import { basePath } from "@kanmon/protocol/BasePath"
import { Context, Deferred, Effect, Layer, Stream } from "effect"
import type { HttpServer } from "effect/http"
import * as EventReader from "../../support/EventReader.ts"
import { port } from "./Server.ts"

/** A look at the bus from behind. */
export class Tap extends Context.Service<
  Tap,
  {
    /** Who reads a stream now. */
    readonly readers: () => number
    /** How often reading a stream was begun. */
    readonly begun: () => number
    /** Ends every reading, and refuses more. */
    readonly cut: Effect.Effect<void>
  }
>()("@kanmon/tests/Tap") {}

/** Readers of all events are the server's own parts. */
const ofProject = (filter: ReadonlyArray<string> = []): boolean => filter[0] !== "kanmon.events.>"

/** The bus within the process, with a tap. */
export const tapped: Layer.Layer<EventBus | Tap> = Layer.effectContext(
  Effect.gen(function* () {
    const bus = yield* EventBus
    const away = new BusUnavailable({ detail: "cut by the test" })
    const cut = yield* Deferred.make<never, BusUnavailable>()
    let readers = 0
    let begun = 0
    const counted = Effect.acquireRelease(
      Effect.sync(() => {
        readers++
        begun++
      }),
      () => Effect.sync(() => void readers--)
    )
    const tap = Tap.of({
      readers: () => readers,
      begun: () => begun,
      cut: Effect.asVoid(Deferred.fail(cut, away))
    })
    const unlessCut = <A>(use: Effect.Effect<A, BusUnavailable>) =>
      Effect.suspend(() => (Deferred.isDoneUnsafe(cut) ? Effect.fail(away) : use))
    return Context.make(Tap, tap).pipe(
      Context.add(
        EventBus,
        EventBus.of({
          ...bus,
          position: (stream) => unlessCut(bus.position(stream)),
          replay: (options) =>
            Stream.unwrap(
              Effect.as(
                ofProject(options.filter) ? counted : Effect.void,
                Stream.merge(bus.replay(options), Stream.fromEffect(Deferred.await(cut)))
              )
            )
        })
      )
    )
  })
).pipe(Layer.provide(InProcessBus.layer()))

const monitorId = "mon_01kxy" as MonitorId

export const happening = (
  projectId: string,
  event: MonitorEventName,
  id: string,
  data: object = { monitorId }
): Outgoing => ({
  subject: monitorEvent(projectId as ProjectId, monitorId, event),
  id,
  payload: JSON.stringify(data),
  headers: cloudEventHeaders({ id, type: `kanmon.monitor.${event}`, subject: monitorId, time: 0 })
})

/** Publishes events, in this order. */
export const happens = (...events: ReadonlyArray<Outgoing>): Effect.Effect<void, never, EventBus> =>
  Effect.flatMap(EventBus, (bus) => Effect.orDie(bus.publish(events)))

interface Caller {
  readonly key: string
}

const address = (query: string): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(port, (at) => `http://127.0.0.1:${at}${basePath}/events${query}`)

export const open = (caller: Caller, query = "", headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(address(query), (url) => EventReader.open(url, { "x-api-key": caller.key, ...headers }))

/** As `open`, for those who may be refused. */
export const ask = (caller: Caller, query = "", headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(address(query), (url) => EventReader.ask(url, { "x-api-key": caller.key, ...headers }))

/** Asks until there is a place: the server learns when it learns that one is free. */
export const admitted = <R>(asking: Effect.Effect<EventReader.EventReader | number, never, R>) =>
  Effect.repeat(asking, { until: (answer) => typeof answer !== "number" }).pipe(
    Effect.map((answer) => answer as EventReader.EventReader)
  )

/** Whether the server takes connections. */
export const listens: Effect.Effect<boolean, never, HttpServer.HttpServer> = Effect.flatMap(port, (at) =>
  Effect.callback((resume) => {
    const socket = connect(at, "127.0.0.1")
    const answer = (yes: boolean) => () => {
      socket.destroy()
      resume(Effect.succeed(yes))
    }
    socket.on("connect", answer(true)).on("error", answer(false))
  })
)

/** Lets sockets go on. */
export const turn: Effect.Effect<void> = Effect.promise(() => setImmediate())

export const until = (holds: () => boolean): Effect.Effect<void> => Effect.repeat(turn, { until: holds })

export const idsOf = (heard: ReadonlyArray<EventReader.Heard>): ReadonlyArray<string> =>
  heard.map(({ event }) => event.id)
