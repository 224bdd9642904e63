/** The event stream over real sockets, with a test clock. */
import { assert, it as test, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { maxStreams } from "@kanmon/protocol/EventsApi"
import { admitted, ask, happening, happens, idsOf, listens, open, Tap, tapped, turn, until } from "./EventFeed.ts"
import { call, layer as server, person, refused } from "./Server.ts"

const tappedServer = () => {
  const bus = tapped
  return Layer.merge(server({ bus }), bus)
}

layer(tappedServer())("the event stream", (it) => {
  it.effect("streams only the project's events, as they happen", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const reader = yield* open(ada)
      assert.strictEqual(reader.headers["content-type"], "text/event-stream")
      assert.strictEqual(reader.headers["cache-control"], "no-store")
      assert.match(String(reader.headers["x-request-id"]), /./)
      assert.match(String(reader.headers["ratelimit"]), /"reads"/)
      yield* happens(
        happening(ben.projectId, "down", "ben-1"),
        happening("operator", "down", "operator-1"),
        happening(ada.projectId, "down", "ada-1", { monitorId: "mon_1", status: "down" }),
        happening(ben.projectId, "up", "ben-2"),
        happening(ada.projectId, "up", "ada-2")
      )
      const [first, second] = yield* reader.take(2)
      assert.deepStrictEqual(first!.event, {
        specversion: "1.0",
        id: "ada-1",
        source: "/kanmon",
        type: "kanmon.monitor.down",
        subject: "mon_01kxy",
        time: "1970-01-01T00:00:00.000Z",
        datacontenttype: "application/json",
        data: { monitorId: "mon_1", status: "down" }
      })
      assert.strictEqual(first!.type, "kanmon.monitor.down")
      assert.strictEqual(second!.event.id, "ada-2")
      assert.isAbove(second!.id, first!.id)
      const all = yield* open(ada, "?lastEventId=0")
      assert.deepStrictEqual(idsOf(yield* all.take(2)), ["ada-1", "ada-2"])
    })
  )

  it.effect("streams only the requested types, live and replayed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const downs = yield* open(ada, "?types=kanmon.monitor.down,kanmon.page.*")
      yield* happens(
        happening(ada.projectId, "up", "types-1"),
        happening(ada.projectId, "down", "types-2"),
        happening(ada.projectId, "up", "types-3"),
        happening(ada.projectId, "down", "types-4")
      )
      assert.deepStrictEqual(idsOf(yield* downs.take(2)), ["types-2", "types-4"])
      const ups = yield* open(ada, "?types=kanmon.monitor.up&lastEventId=0")
      assert.deepStrictEqual(idsOf(yield* ups.take(2)), ["types-1", "types-3"])
    })
  )

  it.effect("resumes after the last event, without a gap or a repeat", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ids = Array.from({ length: 6 }, (_, index) => `resume-${index}`)
      yield* happens(...ids.slice(0, 5).map((id) => happening(ada.projectId, "down", id)))
      const all = yield* open(ada, "", { "last-event-id": "0" })
      const seen = yield* all.take(5)
      assert.deepStrictEqual(idsOf(seen), ids.slice(0, 5))
      const last = String(seen[2]!.id)
      const byHeader = yield* open(ada, "?lastEventId=0", { "last-event-id": last })
      const byQuery = yield* open(ada, `?lastEventId=${last}`)
      yield* happens(happening(ada.projectId, "up", ids[5]!))
      assert.deepStrictEqual(idsOf(yield* byHeader.take(3)), ids.slice(3))
      assert.deepStrictEqual(idsOf(yield* byQuery.take(3)), ids.slice(3))
    })
  )

  it.effect("lets a reader without events reconnect without a loss", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* happens(happening(ada.projectId, "down", "before"))
      const first = yield* open(ada)
      yield* first.hangUp
      yield* happens(happening(ada.projectId, "up", "between"))
      const second = yield* open(ada, "", { "last-event-id": first.lastEventId() })
      assert.deepStrictEqual(idsOf(yield* second.take(1)), ["between"])
    })
  )

  it.effect("starts with the oldest event for an id beyond the bus's last", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* happens(happening(ada.projectId, "down", "new-life"))
      const reader = yield* open(ada, "", { "last-event-id": "99999999999999999999" })
      assert.deepStrictEqual(idsOf(yield* reader.take(1)), ["new-life"])
    })
  )

  it.effect("refuses a missing key and unknown types", () =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* call("GET", "/events"), 401, "unauthorized")
      refused(yield* call("GET", "/events", undefined, { "x-api-key": "km_x" }), 401, "unauthorized")
      refused(yield* ada.withSession("GET", "/events"), 403, "forbidden")
      refused(yield* ada.withKey("GET", "/events?types=kanmon.monitor.dwon"), 400, "malformed_request", "types")
      refused(yield* ada.withKey("GET", "/events?lastEventId=-1"), 400, "malformed_request", "lastEventId")
      refused(
        yield* ada.withKey("GET", "/events?types=x,y", undefined, { "last-event-id": "1.5" }),
        400,
        "malformed_request",
        "Last-Event-ID",
        "types",
        "types"
      )
      for (const method of ["POST", "PUT", "DELETE"]) {
        const answer = yield* ada.withKey(method, "/events")
        refused(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers.get("allow"), "GET")
      }
    })
  )

  it.effect("limits streams of a project, and frees the place of a reader that leaves", () =>
    Effect.gen(function* () {
      const tap = yield* Tap
      yield* until(() => tap.readers() === 0)
      const ada = yield* person
      const readers = yield* Effect.replicateEffect(open(ada), maxStreams)
      const answer = yield* ada.withKey("GET", "/events")
      refused(answer, 429, "rate_limited")
      assert.isAbove(Number(answer.headers.get("retry-after")), 0)
      yield* open(yield* person)
      yield* readers[7]!.hangUp
      yield* admitted(ask(ada))
      assert.strictEqual(yield* ask(ada), 429)
      for (const reader of readers) yield* reader.hangUp
      // Only two subscribers are left.
      yield* until(() => tap.readers() === 2)
    })
  )

  it.effect("sends comments, and ends if the key is replaced", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const reader = yield* open(ada)
      /** Each step is followed by a request, which takes as long as the server's own look at the key. */
      const whileTimePasses = <A>(use: Effect.Effect<A>) =>
        Effect.raceFirst(
          use,
          Effect.forever(Effect.andThen(TestClock.adjust("15 seconds"), ada.withSession("GET", "/projects")))
        )
      for (let beat = 0; beat < 3; beat++) yield* whileTimePasses(reader.signOfLife)
      yield* happens(happening(ada.projectId, "down", "still-here"))
      assert.deepStrictEqual(idsOf(yield* reader.take(1)), ["still-here"])
      const rotated = yield* ada.withSession("POST", `/projects/${ada.projectId}/api-key`)
      assert.strictEqual(rotated.status, 200, JSON.stringify(rotated.body))
      assert.deepStrictEqual(yield* whileTimePasses(reader.rest), { events: [], end: "ended" })
      assert.strictEqual(yield* ask(ada), 401)
      const again = yield* open({ key: rotated.body.apiKey }, "", { "last-event-id": reader.lastEventId() })
      yield* happens(happening(ada.projectId, "up", "new-key"))
      assert.deepStrictEqual(idsOf(yield* again.take(1)), ["new-key"])
    })
  )
})

const weight = "x".repeat(48 * 1024)

/** A reader for which more has happened than the sockets hold, and the server's line for it. */
const behind = Effect.gen(function* () {
  const tap = yield* Tap
  yield* until(() => tap.readers() === 0)
  const ada = yield* person
  const reader = yield* open(ada)
  yield* until(() => tap.readers() === 1)
  const begun = tap.begun()
  const ids: Array<string> = []
  // It leaves the bus for a moment each time that the line is full; when it stays away, nothing moves any more.
  for (let away = 0; away < 100; away = tap.readers() === 0 ? away + 1 : 0) {
    ids.push(`${ada.projectId}-${ids.length}`)
    yield* happens(happening(ada.projectId, "down", ids.at(-1)!, { weight }))
    yield* turn
  }
  return { ada, ids, reader, timesBegun: () => tap.begun() - begun }
})

layer(tappedServer())("a slow reader of events", (it) => {
  const elsewhere = "?types=kanmon.page.*"

  it.effect("loses nothing if it resumes in time", () =>
    Effect.gen(function* () {
      const { ids, reader, timesBegun } = yield* behind
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(idsOf(yield* reader.take(ids.length)), ids)
      assert.isAbove(timesBegun(), 0)
    })
  )

  it.effect("is disconnected after a while, and loses nothing if it reconnects", () =>
    Effect.gen(function* () {
      const { ada, ids, reader } = yield* behind
      yield* Effect.replicateEffect(open(ada, elsewhere), maxStreams - 1)
      assert.strictEqual(yield* ask(ada, elsewhere), 429)
      const inItsPlace = yield* admitted(Effect.andThen(TestClock.adjust("5 seconds"), ask(ada, elsewhere)))
      const { end, events } = yield* reader.rest
      assert.strictEqual(end, "cut off")
      assert.isBelow(events.length, ids.length)
      yield* inItsPlace.hangUp
      const again = yield* admitted(ask(ada, "", { "last-event-id": reader.lastEventId() }))
      const rest = yield* again.take(ids.length - events.length)
      assert.deepStrictEqual(idsOf([...events, ...rest]), ids)
    })
  )
})

layer(tappedServer())("the event stream without its bus", (it) => {
  it.effect("ends, and refuses new readers until the bus is back", () =>
    Effect.gen(function* () {
      const tap = yield* Tap
      const ada = yield* person
      const reader = yield* open(ada)
      yield* tap.cut
      assert.deepStrictEqual(yield* reader.rest, { events: [], end: "ended" })
      const answer = yield* ada.withKey("GET", "/events")
      refused(answer, 503, "unavailable")
      assert.isAbove(Number(answer.headers.get("retry-after")), 0)
    })
  )
})

test.effect("ends event streams at once when the server stops", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(tappedServer(), scope)
    const reader = yield* Effect.gen(function* () {
      const ada = yield* person
      const opened = yield* open(ada)
      yield* happens(happening(ada.projectId, "down", "last-words"))
      assert.deepStrictEqual(idsOf(yield* opened.take(1)), ["last-words"])
      return opened
    }).pipe(Effect.provideContext(context))
    // The clock does not advance, so anything that waited for it would wait forever.
    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    assert.deepStrictEqual(yield* reader.rest, { events: [], end: "ended" })
    yield* Fiber.join(stopping)
  })
)

test.effect("does not wait for slow readers when the server stops", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(tappedServer(), scope)
    const { ids, reader } = yield* Effect.provideContext(behind, context)
    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    // What stops after the server has a use for time too.
    let seconds = 0
    for (; yield* Effect.provideContext(listens, context); seconds++) yield* TestClock.adjust("1 second")
    assert.isBelow(seconds, 15)
    yield* Fiber.join(stopping)
    const { end, events } = yield* reader.rest
    assert.strictEqual(end, "cut off")
    assert.deepStrictEqual(idsOf(events), ids.slice(0, events.length))
  })
)
