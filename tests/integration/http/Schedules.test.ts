/** On-call schedules over HTTP: their bodies, who may change them, and the shifts that follow. */
import { assert, layer } from "@effect/vitest"
import { Handoffs } from "@kanmon/monitoring/on-call"
import { dayMillis, toIso } from "@kanmon/domain/Timestamp"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as MovedClock from "../../support/MovedClock.ts"
import * as OnCallBodies from "../../support/OnCallBodies.ts"
import { join, organizationOf } from "./Team.ts"
import { type ApiResponse, layer as server, person, refused } from "./Server.ts"

const errorsOf = ({ body }: ApiResponse): ReadonlyArray<string> =>
  body.errors.map(({ path }: { readonly path: string }) => path).toSorted()

const layerOf = (name: string, ...people: ReadonlyArray<{ readonly userId: string }>) =>
  OnCallBodies.layerOf(
    name,
    people.map(({ userId }) => userId),
    { rotation: { every: 1, unit: "day" } }
  )

/** An organization of three, and the way to its schedules. */
const team = Effect.gen(function* () {
  const ada = yield* person
  const [bob, cy] = [yield* join(ada, "responder"), yield* join(ada, "editor")]
  const organizationId = yield* organizationOf(ada)
  const path = `/organizations/${organizationId}/schedules`
  const create = Effect.fnUntraced(function* (fields: object = {}) {
    const body = { name: "Shop", timezone: "Europe/Berlin", layers: [layerOf("Primary", ada, bob, cy)], ...fields }
    const made = yield* ada.withSession("POST", path, body)
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    return { ...made.body, path: `${path}/${made.body.id}` } as { id: string; path: string; [field: string]: any }
  })
  return { ada, bob, cy, organizationId, path, create }
})

/** At a time of day in March, so that schedules have begun. */
const march = MovedClock.set(Date.parse("2026-03-10T12:00:00Z"))

const stage = () => Layer.provideMerge(server(), MovedClock.layer)
const options = { timeout: "2 minutes", excludeTestServices: true } as const

const shiftsOf = (answer: ApiResponse): ReadonlyArray<string> => {
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.shifts.map(
    ({ from, to, userId }: { from: string; to: string; userId: string | null }) =>
      `${from.slice(5, 16)} ${to.slice(5, 16)} ${userId}`
  )
}

layer(stage(), options)("an on-call schedule", (it) => {
  it.effect("is created, read, listed, changed and deleted", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, organizationId, path } = yield* team
      const made = yield* create({ key: "shop" })
      assert.deepInclude(made, { organizationId, key: "shop", name: "Shop", coverage: null })
      // Who accepts an invitation has verified the address, and the first account has not; there is nothing else to warn of.
      assert.deepStrictEqual(
        made["warnings"].map(({ code }: { code: string }) => code),
        ["participant_unreachable", "participant_by_email_only", "participant_by_email_only"]
      )
      assert.deepStrictEqual((yield* bob.withSession("GET", made.path)).body.layers, made["layers"])
      assert.lengthOf((yield* ada.withSession("GET", path)).body, 1)
      assert.lengthOf((yield* ada.withSession("GET", `${path}?key=other`)).body, 0)
      const renamed = yield* ada.withSession("PATCH", made.path, { name: "Shop and mail", key: null })
      assert.deepInclude(renamed.body, { name: "Shop and mail", key: null, movedUserIds: [] })
      assert.deepStrictEqual((yield* ada.withSession("DELETE", made.path)).body, { id: made.id, deleted: true })
      refused(yield* ada.withSession("GET", made.path), 404, "not_found")
      const audited = yield* ada.withSession("GET", "/audit-log/organization?action=schedule.*")
      assert.deepStrictEqual(
        audited.body.map(({ action }: { action: string }) => action),
        ["schedule.deleted", "schedule.updated", "schedule.created"]
      )
    })
  )

  it.effect("is listed by its name, with numbers by their value", () =>
    Effect.gen(function* () {
      const { ada, create, path } = yield* team
      for (const name of ["Line 10", "line 9", "Äther", "Line 100", "zebra"]) yield* create({ name })
      const names = (yield* ada.withSession("GET", path)).body.map(({ name }: { name: string }) => name)
      assert.deepStrictEqual(names, ["Äther", "line 9", "Line 10", "Line 100", "zebra"])
    })
  )

  it.effect("names every field that is wrong", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, path } = yield* team
      const stranger = yield* person
      const viewer = yield* join(ada, "viewer")
      const good = layerOf("Primary", ada)
      const refusal = Effect.fnUntraced(function* (fields: object) {
        const body = { name: "Shop", timezone: "Europe/Berlin", layers: [good], ...fields }
        const answer = yield* ada.withSession("POST", path, body)
        refused(answer, 422, "validation_failed")
        return errorsOf(answer)
      })
      assert.deepStrictEqual(yield* refusal({ timezone: "Mars/Olympus", name: " ", colour: "red" }), [
        "colour",
        "name",
        "timezone"
      ])
      assert.deepStrictEqual(yield* refusal({ layers: [layerOf("Primary", stranger, ada, viewer)] }), [
        "layers[0].participants[0].userId",
        "layers[0].participants[2].userId"
      ])
      assert.deepStrictEqual(yield* refusal({ layers: [{ ...good, participants: [] }] }), ["layers[0].participants"])
      assert.deepStrictEqual(yield* refusal({ layers: [{ ...good, startsOn: "2026-02-30" }] }), ["layers[0].startsOn"])
      assert.deepStrictEqual(yield* refusal({ layers: [{ ...good, handoff: { time: "24:00" } }] }), [
        "layers[0].handoff.time"
      ])
      assert.deepStrictEqual(yield* refusal({ layers: [{ ...good, handoff: { time: "09:00", day: 3 } }] }), [
        "layers[0]"
      ])
      assert.deepStrictEqual(yield* refusal({ layers: [good, good] }), ["layers"])
      assert.deepStrictEqual(yield* refusal({ layers: [{ ...good, rotation: { every: 0, unit: "fortnight" } }] }), [
        "layers[0].rotation.every",
        "layers[0].rotation.unit"
      ])
      assert.deepStrictEqual(yield* refusal({ coverage: [{ weekdays: [], from: "09:00", to: "09:00" }] }), [
        "coverage[0].weekdays"
      ])
      const many = Array.from({ length: 21 }, (_, index) => layerOf(`Layer ${index}`, ada))
      assert.deepStrictEqual(yield* refusal({ layers: many }), ["layers"])
      const { startsOn: _, ...withoutStart } = good
      assert.deepStrictEqual(yield* refusal({ layers: [withoutStart] }), ["layers[0].startsOn"])

      yield* create({ key: "shop" })
      const taken = yield* ada.withSession("POST", path, { name: "X", key: "shop", timezone: "UTC", layers: [] })
      refused(taken, 409, "conflict")
      assert.deepStrictEqual(errorsOf(taken), ["key"])
      refused(yield* bob.withSession("POST", path, { name: "X", timezone: "UTC", layers: [] }), 403, "forbidden")
    })
  )

  it.effect("of another organization is not found, whatever is asked of it", () =>
    Effect.gen(function* () {
      yield* march
      const [one, other] = [yield* team, yield* team]
      const schedule = yield* one.create()
      const override = yield* one.ada.withSession("POST", `${schedule.path}/overrides`, {
        from: "2026-03-11T00:00:00Z",
        to: "2026-03-12T00:00:00Z",
        userId: one.bob.userId
      })
      const foreign = `${other.path}/${schedule.id}`
      const requests = [
        ["GET", foreign],
        ["PATCH", foreign],
        ["DELETE", foreign],
        ["GET", `${foreign}/shifts`],
        ["POST", `${foreign}/preview`],
        ["GET", `${foreign}/overrides`],
        ["DELETE", `${foreign}/overrides/${override.body.id}`]
      ] as const
      for (const [method, path] of requests) {
        const body = method === "PATCH" || method === "POST" ? {} : undefined
        refused(yield* other.ada.withSession(method, path, body), 404, "not_found")
        refused(
          yield* other.ada.withSession(method, path.replace(other.organizationId, one.organizationId), body),
          404,
          "not_found"
        )
      }
      const named = { from: "2026-03-11T00:00:00Z", to: "2026-03-12T00:00:00Z", userId: other.ada.userId }
      refused(yield* other.ada.withSession("POST", `${foreign}/overrides`, named), 404, "not_found")
      const stranger = yield* one.ada.withSession("POST", `${schedule.path}/overrides`, named)
      assert.deepStrictEqual(errorsOf(stranger), ["userId"])
      assert.strictEqual((yield* one.ada.withSession("GET", schedule.path)).status, 200)
    })
  )

  it.effect("answers who is on call, until when, and who is next", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, create, cy, organizationId } = yield* team
      const { id } = yield* create()
      const now = yield* ada.withSession("GET", `/organizations/${organizationId}/on-call`)
      // Handoffs since 2 March: 10 March is the ninth turn.
      assert.deepStrictEqual(now.body, [
        {
          scheduleId: id,
          scheduleName: "Shop",
          userId: cy.userId,
          until: "2026-03-11T08:00:00.000Z",
          next: { userId: ada.userId, from: "2026-03-11T08:00:00.000Z" }
        }
      ])
    })
  )

  it.effect("keeps who is on call through an edit, and says whose shifts move", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, cy } = yield* team
      const { path } = yield* create()
      const { startsOn: _, ...primary } = layerOf("Primary", cy, bob, ada)
      const window = "?from=2026-03-10T13:00:00Z&to=2026-03-13T12:00:00Z"
      const previewed = yield* ada.withSession("POST", `${path}/preview${window}`, { layers: [primary] })
      const expected = [
        `03-10T13:00 03-11T08:00 ${cy.userId}`,
        `03-11T08:00 03-12T08:00 ${bob.userId}`,
        `03-12T08:00 03-13T08:00 ${ada.userId}`,
        `03-13T08:00 03-13T12:00 ${cy.userId}`
      ]
      assert.deepStrictEqual(shiftsOf(previewed), expected)
      assert.deepStrictEqual(previewed.body.movedUserIds, [ada.userId, bob.userId].toSorted())
      const changed = yield* ada.withSession("PATCH", path, { layers: [primary] })
      assert.deepStrictEqual(changed.body.movedUserIds, [ada.userId, bob.userId].toSorted())
      assert.strictEqual(changed.body.layers[0].startsOn, "2026-03-02")
      assert.deepStrictEqual(shiftsOf(yield* ada.withSession("GET", `${path}/shifts${window}`)), expected)
      const again = yield* ada.withSession("PATCH", path, { layers: [{ ...primary, startsOn: "2026-03-10" }] })
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(shiftsOf(yield* ada.withSession("GET", `${path}/shifts${window}`)).slice(0, 2), [
        `03-10T13:00 03-11T08:00 ${cy.userId}`,
        `03-11T08:00 03-12T08:00 ${bob.userId}`
      ])
    })
  )

  it.effect("leaves the past as it was, however late handoffs are recorded", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, cy } = yield* team
      const { path } = yield* create()
      const { recordDue } = yield* Handoffs
      yield* MovedClock.moveHours(30)
      assert.isAbove(yield* recordDue, 0)
      yield* MovedClock.moveHours(48)
      // Nothing is recorded of the last two days before the edit.
      const edited = yield* ada.withSession("PATCH", path, { layers: [layerOf("Primary", bob)] })
      assert.strictEqual(edited.status, 200)
      yield* recordDue
      yield* MovedClock.moveHours(48)
      yield* recordDue
      const past = yield* ada.withSession("GET", `${path}/shifts?from=2026-03-10T00:00:00Z&to=2026-03-16T00:00:00Z`)
      // On 13 March ada has the turn until 9 o'clock on the 14th; then bob is alone.
      assert.deepStrictEqual(shiftsOf(past), [
        "03-10T00:00 03-10T12:00 null",
        `03-10T12:00 03-11T08:00 ${cy.userId}`,
        `03-11T08:00 03-12T08:00 ${ada.userId}`,
        `03-12T08:00 03-13T08:00 ${bob.userId}`,
        `03-13T08:00 03-14T08:00 ${cy.userId}`,
        `03-14T08:00 03-16T00:00 ${bob.userId}`
      ])
    })
  )

  it.effect("answers windows that are wrong, and those that are too long", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, create } = yield* team
      const { path } = yield* create()
      for (const window of [
        "from=soon",
        "to=2026-02-30",
        "from=2026-03-10&to=2026-03-09",
        "from=2026-01-01&to=2027-03-01"
      ])
        refused(yield* ada.withSession("GET", `${path}/shifts?${window}`), 400, "malformed_request")
      const instant = "2026-03-10T00:00:00Z"
      refused(yield* ada.withSession("GET", `${path}/shifts?from=${instant}&to=${instant}`), 400, "malformed_request")
    })
  )

  it.effect("has an hourly rotation over 400 days in one answer, and refuses more than that", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, path } = yield* team
      const hourly = (name: string) => ({ ...layerOf(name, ada, bob), rotation: { every: 1, unit: "hour" } })
      const window = "?from=2026-03-10T12:00:00Z&to=2027-04-14T12:00:00Z"
      const draft = { name: "Hourly", timezone: "America/Havana", layers: [hourly("Primary")] }
      const answer = yield* ada.withSession("POST", `${path}/preview${window}`, draft)
      // A handoff in the hour that is repeated happens once, and one in the hour that is skipped has no turn.
      assert.strictEqual(answer.body.shifts.length, 9600 - 2)
      const layers = Array.from({ length: 20 }, (_, index) => hourly(`Layer ${index}`))
      const many = yield* ada.withSession("POST", `${path}/preview${window}`, { ...draft, layers })
      refused(many, 400, "malformed_request")
      assert.include(many.body.detail, "30000")
      yield* create({ layers })
    })
  )

  it.effect("reports gaps within its coverage alone", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, path } = yield* team
      const weekdays = ["mon", "tue", "wed", "thu", "fri"]
      const office = [{ weekdays, from: "09:00", to: "17:00" }]
      const draft = {
        name: "Office",
        timezone: "UTC",
        coverage: [{ weekdays, from: "08:00", to: "17:00" }],
        layers: [{ ...layerOf("Primary", ada), restrictions: office }]
      }
      const answer = yield* ada.withSession("POST", `${path}/preview?from=2026-03-12&to=2026-03-15`, draft)
      assert.deepStrictEqual(answer.body.gaps, [
        { from: "2026-03-12T08:00:00.000Z", to: "2026-03-12T09:00:00.000Z" },
        { from: "2026-03-13T08:00:00.000Z", to: "2026-03-13T09:00:00.000Z" }
      ])
    })
  )
})

const clockChanges = [
  // A handoff at 02:30 or so, around the change of clocks in spring and in autumn: the instants in UTC.
  ["Europe/Berlin", "02:30", "2026-03-29", ["03-28T01:30", "03-29T01:00", "03-30T00:30"]],
  ["Europe/Berlin", "02:30", "2026-10-25", ["10-24T00:30", "10-25T00:30", "10-26T01:30"]],
  ["America/New_York", "01:30", "2026-11-01", ["10-31T05:30", "11-01T05:30", "11-02T06:30"]],
  ["Australia/Lord_Howe", "02:15", "2026-10-04", ["10-02T15:45", "10-03T15:30", "10-04T15:15"]],
  ["America/Santiago", "00:30", "2026-09-06", ["09-05T04:30", "09-06T04:00", "09-07T03:30"]],
  ["Africa/Cairo", "00:30", "2026-04-24", ["04-22T22:30", "04-23T22:00", "04-24T21:30"]],
  ["America/Havana", "00:30", "2026-03-08", ["03-07T05:30", "03-08T05:00", "03-09T04:30"]],
  ["Africa/Casablanca", "02:30", "2026-03-22", ["03-21T02:30", "03-22T02:00", "03-23T01:30"]]
] as const

layer(stage(), options)("a handoff", (it) => {
  it.effect("is recorded at its local time over changes of clocks, with its engine awake or asleep", () =>
    Effect.gen(function* () {
      for (const [timezone, time, date, handoffs] of clockChanges) {
        const day = Date.parse(`${date}T00:00:00Z`)
        yield* MovedClock.set(day - 3 * dayMillis)
        const [ada, bob] = [yield* person, yield* person]
        const sql = yield* SqlClient.SqlClient
        const organizationId = yield* organizationOf(ada)
        yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
          VALUES (${organizationId}, ${bob.userId}, 'responder', 'invitation', now())`
        const startsOn = toIso(day - 10 * dayMillis).slice(0, 10)
        const primary = { ...layerOf("Primary", ada, bob), handoff: { time }, startsOn }
        const body = { name: timezone, timezone, layers: [primary] }
        const { id } = (yield* ada.withSession("POST", `/organizations/${organizationId}/schedules`, body)).body
        const { recordDue } = yield* Handoffs
        for (let hours = 0; hours < 60; hours += 5) {
          yield* MovedClock.moveHours(5)
          yield* recordDue
        }
        // The rest is recorded in one go.
        yield* MovedClock.moveHours(60)
        yield* recordDue
        const rows = yield* sql<{ at: Date }>`SELECT at FROM schedule_handoffs WHERE schedule_id = ${id} ORDER BY at`
        const recorded = rows.map(({ at }) => at.toISOString().slice(5, 16))
        for (const at of handoffs) assert.include(recorded, at, `${timezone} ${date}: ${recorded.join(", ")}`)
        assert.strictEqual(recorded.length, 6)
      }
    })
  )
})

layer(stage(), options)("an override", (it) => {
  it.effect("takes shifts, begins now at the earliest, and ends at once when it is deleted", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, cy, organizationId } = yield* team
      const { path } = yield* create()
      const made = yield* ada.withSession("POST", `${path}/overrides`, {
        from: "2026-03-01T00:00:00Z",
        to: "2026-03-10T20:00:00Z",
        userId: bob.userId,
        replaces: cy.userId
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.isAtLeast(Date.parse(made.body.from), Date.parse("2026-03-10T12:00:00Z"))
      assert.deepInclude(made.body, { userId: bob.userId, replaces: cy.userId, createdBy: ada.userId })
      const onCall = Effect.map(
        ada.withSession("GET", `/organizations/${organizationId}/on-call`),
        ({ body }) => body[0].userId as string | null
      )
      assert.strictEqual(yield* onCall, bob.userId)
      yield* MovedClock.moveHours(1)
      const ended = yield* ada.withSession("DELETE", `${path}/overrides/${made.body.id}`)
      assert.strictEqual(ended.status, 200)
      assert.strictEqual(yield* onCall, cy.userId)
      assert.deepStrictEqual((yield* ada.withSession("GET", `${path}/overrides`)).body, [])
      const past = yield* ada.withSession("GET", `${path}/shifts?from=2026-03-10T12:00:00Z&to=2026-03-10T14:00:00Z`)
      assert.deepStrictEqual(
        past.body.shifts.slice(-2).map(({ overrideId, userId }: any) => [userId, overrideId]),
        [
          [bob.userId, made.body.id],
          [cy.userId, null]
        ]
      )
      const nobody = yield* ada.withSession("POST", `${path}/overrides`, {
        from: "2026-03-11T00:00:00Z",
        to: "2026-03-11T02:00:00Z",
        userId: null
      })
      assert.strictEqual(nobody.status, 201)
      const gap = yield* ada.withSession("GET", `${path}/shifts?from=2026-03-11T00:00:00Z&to=2026-03-11T03:00:00Z`)
      assert.deepStrictEqual(gap.body.gaps, [{ from: "2026-03-11T00:00:00.000Z", to: "2026-03-11T02:00:00.000Z" }])
    })
  )

  it.effect("that is over, or moves nothing that could be moved, is refused", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create } = yield* team
      const { path } = yield* create()
      const viewer = yield* join(ada, "viewer")
      const refusal = Effect.fnUntraced(function* (fields: object) {
        const body = { from: "2026-03-11T00:00:00Z", to: "2026-03-12T00:00:00Z", userId: bob.userId, ...fields }
        const answer = yield* ada.withSession("POST", `${path}/overrides`, body)
        refused(answer, 422, "validation_failed")
        return errorsOf(answer)
      })
      assert.deepStrictEqual(yield* refusal({ from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" }), ["to"])
      assert.deepStrictEqual(yield* refusal({ to: "2026-03-11T00:00:00Z" }), ["to"])
      assert.deepStrictEqual(yield* refusal({ userId: "usr_nobody" }), ["userId"])
      assert.deepStrictEqual(yield* refusal({ userId: viewer.userId }), ["userId"])
      assert.deepStrictEqual(yield* refusal({ replaces: bob.userId }), ["replaces"])
      assert.deepStrictEqual(yield* refusal({ userId: undefined, until: 5 }), ["until", "userId"])
      refused(yield* ada.withSession("DELETE", `${path}/overrides/ovr_none`), 404, "not_found")
    })
  )

  it.effect("is for everybody's own shifts, and for those of others with the role editor", () =>
    Effect.gen(function* () {
      yield* march
      const { ada, bob, create, cy } = yield* team
      const { path } = yield* create()
      const give = (userId: string | null, replaces: string | null) =>
        bob.withSession("POST", `${path}/overrides`, {
          from: "2026-03-11T00:00:00Z",
          to: "2026-03-20T00:00:00Z",
          userId,
          replaces
        })
      refused(yield* give(ada.userId, cy.userId), 403, "forbidden")
      refused(yield* give(null, null), 403, "forbidden")
      assert.strictEqual((yield* give(cy.userId, bob.userId)).status, 201)
      const taken = yield* give(bob.userId, cy.userId)
      assert.strictEqual(taken.status, 201)
      const others = yield* cy.withSession("POST", `${path}/overrides`, {
        from: "2026-03-11T00:00:00Z",
        to: "2026-03-20T00:00:00Z",
        userId: ada.userId,
        replaces: cy.userId
      })
      refused(yield* bob.withSession("DELETE", `${path}/overrides/${others.body.id}`), 403, "forbidden")
      assert.strictEqual((yield* bob.withSession("DELETE", `${path}/overrides/${taken.body.id}`)).status, 200)
      const viewer = yield* join(ada, "viewer")
      refused(yield* viewer.withSession("DELETE", `${path}/overrides/${others.body.id}`), 403, "forbidden")
    })
  )
})
