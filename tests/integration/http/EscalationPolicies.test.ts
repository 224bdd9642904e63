/** Escalation policies over HTTP: their bodies, what they name, who may change them, and what they would do. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as MovedClock from "../../support/MovedClock.ts"
import { layerOf } from "../../support/OnCallBodies.ts"
import { join, organizationOf, verify } from "./Team.ts"
import { type ApiResponse, layer as server, person, refused, shop } from "./Server.ts"

const noon = Date.parse("2026-03-10T12:00:00Z")

const stage = () => Layer.provideMerge(server(), MovedClock.layer)
const options = { timeout: "2 minutes", excludeTestServices: true } as const

const errorsOf = ({ body }: ApiResponse): ReadonlyArray<string> =>
  body.errors.map(({ path }: { readonly path: string }) => path).toSorted()

/** An organization of three with verified addresses, and one thing of each kind that a policy can name. */
const team = Effect.gen(function* () {
  yield* MovedClock.set(noon)
  const ada = yield* person
  const [bob, cy] = [yield* join(ada, "responder"), yield* join(ada, "editor")]
  yield* verify(ada, bob, cy)
  const organizationId = yield* organizationOf(ada)
  const organization = `/organizations/${organizationId}`
  const made = Effect.fnUntraced(function* (answer: ApiResponse) {
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  })
  const daily = { rotation: { every: 1, unit: "day" } }
  const schedule = yield* ada
    .withSession("POST", `${organization}/schedules`, {
      name: "Primary",
      timezone: "UTC",
      layers: [layerOf("Primary", [bob.userId, cy.userId], daily)]
    })
    .pipe(Effect.flatMap(made))
  const group = yield* Effect.flatMap(ada.withSession("POST", `${organization}/teams`, { name: "Shop" }), made)
  yield* ada.withSession("PUT", `${organization}/teams/${group.id}/members/${cy.userId}`)
  const channel = yield* ada
    .withKey("POST", "/notification-channels", {
      name: "Hook",
      type: "webhook",
      config: { url: "https://example.org/" }
    })
    .pipe(Effect.flatMap(made))
  const path = `${organization}/escalation-policies`
  const body = (fields: object = {}) => ({
    name: "Shop",
    steps: [
      { afterMinutes: 0, notify: [{ scheduleId: schedule.id }] },
      { afterMinutes: 10, notify: [{ teamId: group.id }, { channelId: channel.id }] }
    ],
    ...fields
  })
  const create = (fields: object = {}) => Effect.flatMap(ada.withSession("POST", path, body(fields)), made)
  return { ada, bob, cy, organization, organizationId, schedule, group, channel, path, body, create }
})

/** The entries of a preview, a line for each. */
const story = (answer: ApiResponse, names: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.entries.map((entry: any) =>
    [
      entry.at.slice(5, 16).replace("T", " "),
      entry.type,
      entry.round,
      entry.step,
      names.get(entry.userId ?? entry.channelId ?? "")
    ]
      .filter((part) => part !== undefined && part !== null)
      .join(" ")
  )
}

layer(stage(), options)("an escalation policy", (it) => {
  it.effect("is created, read, listed, changed and deleted", () =>
    Effect.gen(function* () {
      const { ada, bob, channel, create, organizationId, path } = yield* team
      const made = yield* create({ key: "shop", onExhausted: { channelId: channel.id }, acknowledgeTimeoutMinutes: 30 })
      assert.deepInclude(made, { organizationId, key: "shop", repeat: 0, repeatAfterMinutes: 10, warnings: [] })
      const one = `${path}/${made.id}`
      assert.deepStrictEqual((yield* bob.withSession("GET", one)).body, made)
      assert.deepStrictEqual((yield* bob.withSession("GET", path)).body, [made])
      assert.lengthOf((yield* bob.withSession("GET", `${path}?key=other`)).body, 0)
      const changed = yield* ada.withSession("PATCH", one, {
        repeat: 3,
        repeatAfterMinutes: null,
        onExhausted: null,
        acknowledgeTimeoutMinutes: null,
        key: null
      })
      const after = { repeat: 3, repeatAfterMinutes: 10, onExhausted: null, acknowledgeTimeoutMinutes: null, key: null }
      assert.deepInclude(changed.body, { ...after, steps: made.steps })
      assert.deepStrictEqual((yield* ada.withSession("DELETE", one)).body, { id: made.id, deleted: true })
      refused(yield* ada.withSession("GET", one), 404, "not_found")
    })
  )

  it.effect("is listed by its name, with numbers by their value, as the teams that it names are", () =>
    Effect.gen(function* () {
      const { ada, create, organization, path } = yield* team
      for (const name of ["Line 10", "line 9", "Äther", "Line 100"]) {
        yield* create({ name })
        yield* ada.withSession("POST", `${organization}/teams`, { name })
      }
      const namesAt = (route: string) =>
        Effect.map(ada.withSession("GET", route), ({ body }) => body.map(({ name }: { name: string }) => name))
      const sorted = ["Äther", "line 9", "Line 10", "Line 100"]
      assert.deepStrictEqual(yield* namesAt(path), sorted)
      assert.deepStrictEqual(yield* namesAt(`${organization}/teams`), [...sorted, "Shop"])
    })
  )

  it.effect("names every field that is wrong", () =>
    Effect.gen(function* () {
      const { ada, bob, body, create, group, path, schedule } = yield* team
      const refusal = Effect.fnUntraced(function* (fields: object) {
        const answer = yield* ada.withSession("POST", path, body(fields))
        refused(answer, 422, "validation_failed")
        return errorsOf(answer)
      })
      const step = (...notify: ReadonlyArray<object>) => ({ steps: [{ afterMinutes: 0, notify }] })
      assert.deepStrictEqual(
        yield* refusal({ repeat: 10, repeatAfterMinutes: 0, acknowledgeTimeoutMinutes: 0, onExhausted: {}, x: 1 }),
        ["acknowledgeTimeoutMinutes", "onExhausted.channelId", "repeat", "repeatAfterMinutes", "x"]
      )
      assert.deepStrictEqual(yield* refusal({ steps: [] }), ["steps"])
      assert.deepStrictEqual(yield* refusal(step()), ["steps[0].notify"])
      assert.deepStrictEqual(yield* refusal(step({})), ["steps[0].notify[0]"])
      assert.deepStrictEqual(yield* refusal(step({ teamId: group.id, userId: bob.userId })), ["steps[0].notify[0]"])
      assert.deepStrictEqual(yield* refusal(step({ teamId: group.id, position: "next" })), ["steps[0].notify[0]"])
      assert.deepStrictEqual(yield* refusal(step({ scheduleId: schedule.id, position: "last" })), [
        "steps[0].notify[0].position"
      ])
      assert.deepStrictEqual(yield* refusal({ steps: [{ afterMinutes: 1.5, notify: [{ userId: bob.userId }] }] }), [
        "steps[0].afterMinutes"
      ])
      const tooMany = Array.from({ length: 21 }, () => ({ afterMinutes: 1, notify: [{ userId: bob.userId }] }))
      assert.deepStrictEqual(yield* refusal({ steps: tooMany }), ["steps"])
      yield* create({ key: "shop" })
      const taken = yield* ada.withSession("POST", path, body({ key: "shop" }))
      refused(taken, 409, "conflict", "key")
      refused(yield* bob.withSession("POST", path, body()), 403, "forbidden")
    })
  )

  it.effect("names nothing of another organization, and no one who cannot respond", () =>
    Effect.gen(function* () {
      const one = yield* team
      const other = yield* team
      const viewer = yield* join(one.ada, "viewer")
      const foreign = [
        { scheduleId: other.schedule.id },
        { userId: other.bob.userId },
        { teamId: other.group.id },
        { channelId: other.channel.id },
        { userId: viewer.userId },
        { userId: one.bob.userId }
      ]
      const fields = {
        steps: [{ afterMinutes: 0, notify: foreign }],
        onExhausted: { channelId: other.channel.id }
      }
      const answer = yield* one.ada.withSession("POST", one.path, one.body(fields))
      refused(answer, 422, "validation_failed")
      assert.deepStrictEqual(errorsOf(answer), [
        "onExhausted.channelId",
        "steps[0].notify[0].scheduleId",
        "steps[0].notify[1].userId",
        "steps[0].notify[2].teamId",
        "steps[0].notify[3].channelId",
        "steps[0].notify[4].userId"
      ])
      const made = yield* one.create()
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/preview"]
      ] as const)
        refused(
          yield* other.ada.withSession(method, `${other.path}/${made.id}${path}`, method === "GET" ? undefined : {}),
          404,
          "not_found"
        )
    })
  )

  it.effect("warns about what it would not reach, and keeps it over an edit", () =>
    Effect.gen(function* () {
      const { ada, bob, channel, cy, group, organization, path, create } = yield* team
      const steps = [
        { afterMinutes: 0, notify: [{ userId: bob.userId }, { teamId: group.id }, { channelId: channel.id }] }
      ]
      const made = yield* create({ steps })
      assert.deepStrictEqual(made.warnings, [
        {
          code: "person_by_email_only",
          path: "steps[0].notify[0].userId",
          message: "Critical alerts reach the person by e-mail alone"
        }
      ])
      const [method] = (yield* bob.withSession("GET", "/account/contact-methods")).body
      const critical = [0, 15].map((afterMinutes) => ({ afterMinutes, contactMethodId: method.id }))
      assert.strictEqual((yield* bob.withSession("PUT", "/account/notification-rules", { critical })).status, 200)
      const next = [...steps, { afterMinutes: 15, notify: [{ channelId: channel.id }] }]
      const late = yield* ada.withSession("PATCH", `${path}/${made.id}`, { steps: next })
      assert.deepStrictEqual(
        late.body.warnings.map(({ code, path: at }: { code: string; path: string }) => `${at} ${code}`),
        ["steps[0].notify[0].userId person_by_email_only", "steps[0].notify[0].userId person_late_entries"]
      )
      yield* ada.withSession("PATCH", `${path}/${made.id}`, { steps })
      yield* ada.withSession("DELETE", `${organization}/members/${bob.userId}`)
      yield* ada.withSession("DELETE", `${organization}/teams/${group.id}/members/${cy.userId}`)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE channels SET disabled_reason = 'x' WHERE id = ${channel.id}`
      const warned = yield* ada.withSession("PATCH", `${path}/${made.id}`, { name: "Shop 2" })
      assert.strictEqual(warned.status, 200, JSON.stringify(warned.body))
      assert.deepStrictEqual(
        warned.body.warnings.map(({ code, path: at }: { code: string; path: string }) => `${at} ${code}`),
        [
          "steps[0].notify[0].userId person_left",
          "steps[0].notify[1].teamId team_empty",
          "steps[0].notify[2].channelId channel_off"
        ]
      )
    })
  )

  it.effect("warns about a channel that a rule with it tells by itself, in its preview too", () =>
    Effect.gen(function* () {
      const { ada, bob, channel, create, path } = yield* team
      const steps = [
        { afterMinutes: 0, notify: [{ userId: bob.userId }] },
        { afterMinutes: 10, notify: [{ userId: bob.userId }, { channelId: channel.id }] }
      ]
      const made = yield* create({ steps })
      const told = Effect.fnUntraced(function* () {
        const read = yield* ada.withSession("GET", `${path}/${made.id}`)
        const previewed = yield* ada.withSession("POST", `${path}/${made.id}/preview`, {})
        const of = ({ body }: ApiResponse) =>
          body.warnings.filter(({ code }: { readonly code: string }) => code === "channel_told_already")
        assert.deepStrictEqual(of(previewed), of(read))
        return of(read)
      })
      const rule = yield* ada.withKey("POST", "/alert-rules", { name: "Down", escalationPolicyId: made.id })
      assert.deepStrictEqual(yield* told(), [], "a rule with a policy and without channels tells none")
      const route = `/alert-rules/${rule.body.id}`
      assert.strictEqual((yield* ada.withKey("PATCH", route, { channelIds: [channel.id] })).status, 200)
      assert.deepStrictEqual(yield* told(), [
        {
          code: "channel_told_already",
          path: "steps[1].notify[1].channelId",
          message:
            "The alert rule Down notifies this channel as soon as an alert opens, so naming it here brings no one else in"
        }
      ])
      const other = yield* create({ steps })
      const untold = yield* ada.withSession("GET", `${path}/${other.id}`)
      assert.isFalse(JSON.stringify(untold.body.warnings).includes("channel_told_already"), "it is of another policy")
    })
  )

  it.effect("keeps the schedules, teams and channels that it names from being deleted", () =>
    Effect.gen(function* () {
      const { ada, channel, create, group, organization, path, schedule } = yield* team
      const made = yield* create({ name: "Night shift" })
      const deletions = [
        ada.withSession("DELETE", `${organization}/schedules/${schedule.id}`),
        ada.withSession("DELETE", `${organization}/teams/${group.id}`),
        ada.withKey("DELETE", `/notification-channels/${channel.id}`)
      ]
      for (const deletion of deletions) {
        const answer = yield* deletion
        refused(answer, 409, "conflict")
        assert.include(answer.body.detail, "Night shift")
      }
      yield* ada.withSession("DELETE", `${path}/${made.id}`)
      for (const deletion of deletions) assert.strictEqual((yield* deletion).status, 200)
    })
  )

  it.effect("is in the copy of the data of who is alone in an organization, and is deleted with it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organization = `/organizations/${yield* organizationOf(ada)}`
      const made = yield* ada.withSession("POST", `${organization}/escalation-policies`, {
        name: "Alone",
        steps: [{ afterMinutes: 0, notify: [{ userId: ada.userId }] }]
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { owned } = (yield* ada.withSession("GET", "/account/export")).body
      assert.lengthOf(owned.escalation_policies, 1)
      yield* ada.withSession("POST", "/organizations", { name: "Other" })
      assert.strictEqual((yield* ada.withSession("DELETE", organization)).status, 200)
      const sql = yield* SqlClient.SqlClient
      assert.isEmpty(yield* sql`SELECT FROM escalation_policies WHERE id = ${made.body.id}`)
    })
  )

  it.effect("says in its preview who is told when, and asks schedules at that time", () =>
    Effect.gen(function* () {
      const { ada, body, bob, channel, create, cy, path, schedule } = yield* team
      const names = new Map([
        [bob.userId, "bob"],
        [cy.userId, "cy"],
        [channel.id, "hook"]
      ])
      // The handoff is at nine: cy takes over from bob between the two steps.
      const draft = body({
        steps: [
          { afterMinutes: 5, notify: [{ scheduleId: schedule.id }, { userId: bob.userId }] },
          { afterMinutes: 10, notify: [{ scheduleId: schedule.id }, { channelId: channel.id }] }
        ],
        repeat: 1,
        repeatAfterMinutes: 20
      })
      const expected = [
        "03-11 08:55 step_ran 0 0",
        "03-11 08:55 page 0 0 bob",
        "03-11 09:05 step_ran 0 1",
        "03-11 09:05 page 0 1 hook",
        "03-11 09:05 page 0 1 cy",
        "03-11 09:25 step_ran 1 0",
        "03-11 09:25 page 1 0 cy",
        "03-11 09:25 page 1 0 bob",
        "03-11 09:35 step_ran 1 1",
        "03-11 09:35 page 1 1 hook",
        "03-11 09:35 page 1 1 cy",
        "03-11 09:55 exhausted 1"
      ]
      const at = "at=2026-03-11T08:50:00Z&severity=warning"
      const previewed = yield* ada.withSession("POST", `${path}/preview?${at}`, draft)
      assert.deepStrictEqual(story(previewed, names), expected)
      for (const { methodType, userId } of previewed.body.entries)
        assert.strictEqual(methodType, userId === null ? null : "email")
      const saved = yield* create({ steps: draft.steps })
      const changed = { repeat: 1, repeatAfterMinutes: 20 }
      const ofSaved = yield* bob.withSession("POST", `${path}/${saved.id}/preview?${at}`, changed)
      assert.deepStrictEqual(story(ofSaved, names), expected)
      assert.lengthOf((yield* ada.withSession("GET", path)).body, 1)
    })
  )

  it.effect("goes on at once in its preview after a step that reaches no one, and is held by a silence", () =>
    Effect.gen(function* () {
      const { ada, bob, body, group, organization, cy, path } = yield* team
      yield* ada.withSession("DELETE", `${organization}/teams/${group.id}/members/${cy.userId}`)
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", shop)
      const silenced = yield* ada.withKey("POST", "/silences", {
        monitorIds: [monitor.id],
        until: "2026-03-10T15:00:00Z",
        reason: "Moving"
      })
      assert.strictEqual(silenced.status, 201, JSON.stringify(silenced.body))
      const draft = body({
        steps: [
          { afterMinutes: 0, notify: [{ teamId: group.id }] },
          { afterMinutes: 10, notify: [{ userId: bob.userId }] }
        ]
      })
      const names = new Map([[bob.userId, "bob"]])
      const held = yield* ada.withSession("POST", `${path}/preview?monitorId=${monitor.id}`, draft)
      assert.strictEqual(held.body.heldUntil, "2026-03-10T15:00:00.000Z")
      assert.deepStrictEqual(story(held, names), [
        "03-10 15:00 step_ran 0 0",
        "03-10 15:00 nobody_reached 0 0",
        "03-10 15:00 step_ran 0 1",
        "03-10 15:00 page 0 1 bob",
        "03-10 15:10 exhausted 0"
      ])
      const other = yield* team
      const foreign = yield* other.ada.withSession(
        "POST",
        `${other.path}/preview?monitorId=${monitor.id}`,
        other.body()
      )
      refused(foreign, 422, "validation_failed", "monitorId")
      refused(yield* ada.withSession("POST", `${path}/preview?at=yesterday`, draft), 400, "malformed_request")
    })
  )
})
