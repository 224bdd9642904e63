/** Incidents and maintenance windows over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

const iso = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

layer(shared, live)("incidents", (it) => {
  it.effect("opens, updates, resolves, reopens and deletes an incident", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const monitor = yield* ada.withKey("POST", "/monitors", shop)
      const opened = yield* ada.withKey("POST", "/incidents", {
        title: "Checkout is slow",
        status: "investigating",
        message: "We are looking into it.",
        monitorIds: [monitor.body.id]
      })
      assert.strictEqual(opened.status, 201, JSON.stringify(opened.body))
      const { createdAt, id, updates, ...rest } = opened.body
      assert.match(id, /^inc_[0-9a-z]{26}$/)
      assert.deepInclude(rest, {
        projectId: ada.projectId,
        monitorIds: [monitor.body.id],
        maintenance: false,
        scheduledStart: null,
        scheduledEnd: null,
        recurrence: null,
        timezone: null,
        startedAt: createdAt,
        resolvedAt: null
      })
      assert.strictEqual(updates.length, 1)
      assert.match(updates[0].id, /^upd_[0-9a-z]{26}$/)

      const patch = (body: unknown) =>
        Effect.map(ada.withKey("PATCH", `/incidents/${id}`, body), (answer) => {
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
          return answer.body
        })
      const found = yield* patch({ status: "identified", message: "The database is out of connections." })
      assert.deepInclude(found.updates[0], {
        status: "identified",
        message: "The database is out of connections."
      })
      assert.strictEqual((yield* patch({ status: "monitoring" })).updates.length, 3, "a change of status is an entry")
      assert.strictEqual((yield* patch({ title: "Checkout is down" })).updates.length, 3, "another title is none")
      assert.strictEqual((yield* patch({ message: "Still watching." })).updates.length, 4)
      const resolved = yield* patch({ status: "resolved", message: "All good." })
      assert.isString(resolved.resolvedAt)
      assert.strictEqual((yield* patch({ message: "A post-mortem follows." })).resolvedAt, resolved.resolvedAt)
      assert.isNull((yield* patch({ status: "investigating", message: "It is back." })).resolvedAt)

      const listed = yield* ada.withKey("GET", "/incidents")
      assert.deepStrictEqual(listed.body, [(yield* ada.withKey("GET", `/incidents/${id}`)).body])
      assert.deepStrictEqual((yield* ada.withKey("GET", "/incidents?status=resolved")).body, [])
      assert.deepStrictEqual((yield* ada.withKey("GET", "/incidents?maintenance=true")).body, [])
      const cleo = yield* person
      refused(yield* cleo.withKey("GET", `/incidents/${id}`), 404, "not_found")
      refused(yield* cleo.withKey("PATCH", `/incidents/${id}`, { status: "resolved" }), 404, "not_found")
      refused(yield* cleo.withKey("DELETE", `/incidents/${id}`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("DELETE", `/incidents/${id}`)).body, { id, deleted: true })
      refused(yield* ada.withKey("GET", `/incidents/${id}`), 404, "not_found")
    })
  )

  it.effect("limits the timeline, and still resolves a full one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const fill = Effect.fnUntraced(function* (message: string, most: number) {
        const { body } = yield* ada.withKey("POST", "/incidents", { title: "Slow", message })
        for (let entries = 1; entries <= most; entries++) {
          const answer = yield* ada.withKey("PATCH", `/incidents/${body.id}`, { message })
          if (answer.status === 200) continue
          refused(answer, 422, "validation_failed", "message")
          return { id: body.id as string, entries }
        }
        return assert.fail(`${most} entries were taken`)
      })
      const long = yield* fill("x".repeat(10_000), 20)
      assert.strictEqual(long.entries, 10)
      const many = yield* fill("x", 250)
      assert.strictEqual(many.entries, 200)
      for (const { id } of [long, many]) {
        assert.strictEqual((yield* ada.withKey("PATCH", `/incidents/${id}`, { title: "Slower" })).status, 200)
        refused(
          yield* ada.withKey("PATCH", `/incidents/${id}`, { status: "identified", message: "y".repeat(10) }),
          422,
          "validation_failed",
          "message"
        )
        const resolved = yield* ada.withKey("PATCH", `/incidents/${id}`, { status: "resolved", message: "Over." })
        assert.strictEqual(resolved.status, 200)
      }
    })
  )

  it.effect("reports every invalid field", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const cleo = yield* person
      const foreign = yield* cleo.withKey("POST", "/monitors", shop)
      const post = (body: unknown) => ada.withKey("POST", "/incidents", body)
      refused(yield* post({ title: "Slow" }), 422, "validation_failed", "message")
      refused(yield* post({ title: " ", message: "x", state: "open" }), 422, "validation_failed", "title", "state")
      refused(
        yield* post({ title: "Slow", message: "x", monitorIds: [foreign.body.id] }),
        422,
        "validation_failed",
        "monitorIds[0]"
      )
      refused(
        yield* post({ title: "Slow", message: "x", scheduledStart: iso(5) }),
        422,
        "validation_failed",
        "scheduledStart"
      )
      const window = {
        title: "Upgrade",
        message: "x",
        maintenance: true,
        scheduledStart: iso(5),
        scheduledEnd: iso(65)
      }
      refused(yield* post({ ...window, scheduledEnd: iso(1) }), 422, "validation_failed", "scheduledEnd")
      refused(
        yield* post({ ...window, recurrence: "FREQ=HOURLY", timezone: "Mars/Olympus" }),
        422,
        "validation_failed",
        "timezone"
      )
      refused(yield* post({ ...window, recurrence: "FREQ=MINUTELY" }), 422, "validation_failed", "recurrence")
      const incident = yield* post({ title: "Slow", message: "x" })
      refused(
        yield* ada.withKey("PATCH", `/incidents/${incident.body.id}`, {
          maintenance: true,
          scheduledStart: iso(5),
          scheduledEnd: iso(65)
        }),
        422,
        "validation_failed",
        "maintenance"
      )
      refused(yield* ada.withKey("GET", "/incidents?status=closed"), 400, "malformed_request")
    })
  )

  it.effect("manages maintenance windows by key, with the first window of their series", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const post = (body: object) => ada.withKey("POST", "/incidents", body)
      const series = { start: "2026-01-04T02:00:00.000Z", end: "2026-01-04T03:00:00.000Z" }
      const weekly = {
        key: "weekly",
        title: "Upgrade",
        message: "We upgrade.",
        maintenance: true,
        recurrence: "FREQ=WEEKLY",
        series
      }
      const made = yield* post(weekly)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepInclude(made.body, { key: "weekly", series, recurrence: "FREQ=WEEKLY", timezone: "UTC" })
      const { scheduledEnd, scheduledStart } = made.body
      assert.isAbove(Date.parse(scheduledEnd), Date.now(), "a window that is not over")
      assert.isBelow(Date.parse(scheduledStart) - Date.now(), 7 * 86_400_000, "and the next one")
      assert.strictEqual(new Date(scheduledStart).getUTCDay(), 0)

      refused(yield* post(weekly), 409, "conflict", "key")
      refused(yield* post({ title: "Slow", message: "x", key: "slow" }), 422, "validation_failed", "key")
      refused(
        yield* post({ ...weekly, key: "other", scheduledStart: iso(5) }),
        422,
        "validation_failed",
        "scheduledStart"
      )
      yield* post({ title: "By hand", message: "x", maintenance: true, scheduledStart: iso(5), scheduledEnd: iso(9) })
      const keys = (query: string) =>
        Effect.map(ada.withKey("GET", `/incidents?${query}`), ({ body }) => body.map(({ key }: any) => key))
      assert.deepStrictEqual(yield* keys("keyed=true"), ["weekly"])
      assert.deepStrictEqual(yield* keys("key=weekly"), ["weekly"])
      assert.deepStrictEqual(yield* keys("key=nothing"), [])
      assert.lengthOf(yield* keys("maintenance=true"), 2)

      // A window that is moved by hand leaves the series as it is; a series that is sent schedules the next window.
      const patch = (body: object) => ada.withKey("PATCH", `/incidents/${made.body.id}`, body)
      assert.deepInclude((yield* patch({ scheduledStart: iso(5), scheduledEnd: iso(15) })).body, { series })
      const later = { start: "2026-01-04T05:00:00.000Z", end: "2026-01-04T06:30:00.000Z" }
      const moved = yield* patch({ series: later, announcement: "We upgrade later." })
      assert.deepInclude(moved.body, { series: later, key: "weekly" })
      assert.match(moved.body.scheduledStart, /T05:00:00\.000Z$/)
      assert.match(moved.body.scheduledEnd, /T06:30:00\.000Z$/)
      assert.deepStrictEqual(
        moved.body.updates.map(({ message }: any) => message),
        ["We upgrade later."]
      )
      assert.deepStrictEqual((yield* ada.withKey("GET", `/incidents/${made.body.id}`)).body, moved.body)
      refused(yield* patch({ recurrence: null, series: later }), 422, "validation_failed", "recurrence")
      assert.deepInclude((yield* patch({ recurrence: null, key: null })).body, { series: null, key: null })
      assert.strictEqual((yield* post(weekly)).status, 201, "the key is free again")
    })
  )

  it.effect("sets the monitor's status during maintenance, and restores it afterwards", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const monitor = yield* ada.withKey("POST", "/monitors", shop)
      const status = Effect.map(ada.withKey("GET", `/monitors/${monitor.body.id}`), ({ body }) => body.status)
      const made = yield* ada.withKey("POST", "/incidents", {
        title: "Upgrade",
        message: "We upgrade.",
        maintenance: true,
        scheduledStart: iso(-1),
        scheduledEnd: iso(60),
        monitorIds: [monitor.body.id],
        recurrence: "FREQ=WEEKLY;BYDAY=SU",
        timezone: "Europe/Berlin"
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.strictEqual(made.body.startedAt, made.body.scheduledStart)
      assert.strictEqual(yield* status, "maintenance")
      assert.strictEqual((yield* ada.withKey("GET", `/monitors/${monitor.body.id}/stats`)).body.status, "maintenance")
      const listed = (query: string) => Effect.map(ada.withKey("GET", `/monitors?status=${query}`), ({ body }) => body)
      assert.strictEqual((yield* listed("maintenance")).length, 1)
      assert.strictEqual((yield* listed("pending")).length, 0)
      const single = yield* ada.withKey("PATCH", `/incidents/${made.body.id}`, { recurrence: null })
      assert.deepInclude(single.body, { recurrence: null, timezone: null })
      yield* ada.withKey("PATCH", `/incidents/${made.body.id}`, { status: "resolved", message: "Done early." })
      assert.strictEqual(yield* status, "pending")
      // A project takes its incidents along.
      yield* ada.withSession("DELETE", `/projects/${ada.projectId}`)
    })
  )
})
