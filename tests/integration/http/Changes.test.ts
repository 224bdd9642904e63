/** Changes that are made together: a dry run says what making them says, and nothing is half made. */
import { assert, layer } from "@effect/vitest"
import { minimumRole, roles } from "@kanmon/domain/Role"
import { Effect } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { call, type Call, layer as server, person, refused, shop } from "./Server.ts"
import { join, organizationOf } from "./Team.ts"

const routes = ["/monitors", "/notification-channels", "/alert-rules", "/status-pages", "/incidents"]

/** Everything of a project that changes could touch. */
const state = (call: Call) =>
  Effect.map(
    Effect.forEach([...routes, "/audit-log"], (route) => call("GET", route)),
    (answers) => answers.map(({ body }) => body)
  )

const send = (call: Call, changes: ReadonlyArray<unknown>, dryRun = false) =>
  call("POST", "/changes", { dryRun, changes })

const create = (kind: string, body: object) => ({ action: "create", kind, body })
const hook = { type: "webhook", config: { url: "https://example.org/hook" } }
const window = { scheduledStart: "2099-01-01T00:00:00Z", scheduledEnd: "2099-01-01T01:00:00Z", message: "Move" }

let slugs = 0

/** A set with everything that refers to something else. */
const whole = () => [
  create("channel", { key: "hook", name: "Hook", ...hook }),
  create("monitor", { ...shop, key: "switch", name: "Switch" }),
  create("monitor", { ...shop, key: "shop", name: "Shop", dependsOn: ["new:switch"], tags: ["prod"] }),
  create("maintenance", { key: "move", title: "Move", ...window, monitorIds: ["new:shop"] }),
  create("rule", { key: "down", name: "Down", monitorIds: ["new:shop"], channelIds: ["new:hook"] }),
  create("page", {
    key: "public",
    name: "Public",
    slug: `changes-${++slugs}`,
    monitors: [{ monitorId: "new:shop", displayGroup: "A" }, { monitorId: "new:switch" }]
  })
]

layer(server(), { timeout: "4 minutes", excludeTestServices: true })("changes together", (it) => {
  it.effect("make schedules and policies of the organization together with the rules that name them", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* join(ada, "responder")
      const organization = `/organizations/${yield* organizationOf(ada)}`
      const weekly = (...people: ReadonlyArray<string>) => ({
        name: "Primary",
        timezone: "UTC",
        layers: [
          {
            name: "Weeks",
            participants: people.map((userId) => ({ userId })),
            rotation: { every: 1, unit: "week" },
            handoff: { time: "09:00" },
            startsOn: "2026-01-05"
          }
        ]
      })
      const changes = [
        create("channel", { key: "hook", name: "Hook", ...hook }),
        create("schedule", { key: "primary", ...weekly(ada.userId) }),
        create("policy", {
          key: "shop",
          name: "Shop",
          steps: [{ afterMinutes: 0, notify: [{ scheduleId: "new:primary" }, { channelId: "new:hook" }] }],
          onExhausted: { channelId: "new:hook" }
        }),
        create("rule", { key: "down", name: "Down", escalationPolicyKey: "shop" })
      ]
      refused(yield* send(ada.withKey, changes), 403, "forbidden")
      refused(yield* send(ada.withKey, changes, true), 403, "forbidden")
      const context = yield* Effect.context<HttpServer.HttpServer>()
      const keyOf = (role: string) =>
        Effect.map(
          ada.withSession("POST", `${organization}/api-keys`, { name: role, role }),
          ({ body }): Call =>
            (method, path, sent, headers) =>
              Effect.provideContext(
                call(method, path, sent, { "x-api-key": body.apiKey, "kanmon-project": ada.projectId, ...headers }),
                context
              )
        )
      const [viewer, editor] = [yield* keyOf("viewer"), yield* keyOf("editor")]
      const list = (kind: string) => ada.withSession("GET", `${organization}/${kind}`)
      refused(yield* send(viewer, changes), 403, "forbidden")
      for (const judging of [viewer, editor]) {
        const judged = yield* send(judging, changes, true)
        assert.strictEqual(judged.status, 200, JSON.stringify(judged.body))
      }
      assert.deepStrictEqual([(yield* list("schedules")).body, (yield* list("escalation-policies")).body], [[], []])

      const made = yield* send(editor, changes)
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      const [channel, schedule, policy, rule] = made.body.results.map(({ id }: { readonly id: string }) => id)
      const [stored] = (yield* list("escalation-policies")).body
      assert.deepStrictEqual(stored.steps[0].notify, [{ scheduleId: schedule }, { channelId: channel }])
      assert.deepStrictEqual(stored.onExhausted, { channelId: channel })
      const rules = (yield* ada.withKey("GET", "/alert-rules")).body
      assert.strictEqual(rules.find(({ id }: { readonly id: string }) => id === rule).escalationPolicyId, policy)

      // An edit names the people whose shifts it moves, before and after it is made.
      const edit = [{ action: "update", kind: "schedule", id: schedule, body: { layers: weekly(ben.userId).layers } }]
      for (const dryRun of [true, false]) {
        const { body } = yield* send(editor, edit, dryRun)
        assert.sameMembers(body.results[0].movedUserIds, [ada.userId, ben.userId], JSON.stringify(body))
      }
      // A role in the project is none in the organization.
      yield* ada.withSession("PUT", `/projects/${ada.projectId}/members/${ben.userId}`, { role: "editor" })
      const asBen: Call = (method, path, sent) =>
        ben.withSession(method, path, sent, { "kanmon-project": ada.projectId })
      refused(yield* send(asBen, edit), 403, "forbidden")
      assert.strictEqual((yield* send(asBen, edit, true)).status, 200)

      const gone = (kind: string, id: string) => ({ action: "delete", kind, id })
      refused(yield* send(editor, [gone("schedule", schedule)]), 409, "conflict")
      const removed = yield* send(editor, [gone("rule", rule), gone("policy", policy), gone("schedule", schedule)])
      assert.strictEqual(removed.status, 200, JSON.stringify(removed.body))
      const foreign = yield* person
      refused(yield* send(foreign.withKey, [gone("policy", policy)]), 403, "forbidden")
    })
  )

  it.effect("are made in order, with references to each other, and once for each idempotency key", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const changes = whole()
      const before = yield* state(withKey)
      const judged = yield* send(withKey, changes, true)
      assert.deepStrictEqual([judged.status, judged.body.dryRun], [200, true], JSON.stringify(judged.body))
      assert.lengthOf(judged.body.results, 6)
      assert.deepStrictEqual(yield* state(withKey), before)

      const body = { changes }
      const made = yield* withKey("POST", "/changes", body, { "idempotency-key": "set" })
      const again = yield* withKey("POST", "/changes", body, { "idempotency-key": "set" })
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      assert.deepStrictEqual(again.body, made.body)
      const ids = made.body.results.map(({ id }: { id: string }) => id)
      const [channel, parent, monitor, incident, rule, page] = ids
      const warned = made.body.results.map(({ warnings = [] }) => warnings.map(({ code }: { code: string }) => code))
      assert.deepStrictEqual(warned, [[], ["duplicate_target"], ["duplicate_target"], [], [], []])
      assert.deepStrictEqual((yield* withKey("GET", `/monitors/${monitor}`)).body.dependsOn, [parent])
      assert.deepStrictEqual((yield* withKey("GET", `/incidents/${incident}`)).body.monitorIds, [monitor])
      assert.deepInclude((yield* withKey("GET", `/alert-rules/${rule}`)).body, {
        monitorIds: [monitor],
        channelIds: [channel]
      })
      assert.deepStrictEqual((yield* withKey("GET", `/status-pages/${page}`)).body.monitors, [
        { monitorId: monitor, displayGroup: "A" },
        { monitorId: parent, displayGroup: null }
      ])

      const updated = yield* send(withKey, [
        { action: "update", kind: "monitor", id: monitor, body: { name: "Till", dependsOn: [] } },
        { action: "update", kind: "channel", id: channel, body: { name: "Webhook" } },
        { action: "update", kind: "rule", id: rule, body: { consecutiveFailures: 3 } },
        { action: "update", kind: "maintenance", id: incident, body: { title: "Moved" } },
        { action: "update", kind: "page", id: page, body: { name: "Pub" } },
        { action: "delete", kind: "monitor", id: parent },
        { action: "delete", kind: "monitor", id: parent }
      ])
      assert.strictEqual(updated.status, 200, JSON.stringify(updated.body))
      assert.deepInclude((yield* withKey("GET", `/monitors/${monitor}`)).body, { name: "Till", dependsOn: [] })
      assert.strictEqual((yield* withKey("GET", `/monitors/${parent}`)).status, 404)
      const audited = (yield* withKey("GET", "/audit-log")).body as ReadonlyArray<{ action: string }>
      assert.sameMembers(
        audited.slice(0, 6).map(({ action }) => action),
        [
          "monitor.updated",
          "channel.updated",
          "alert_rule.updated",
          "maintenance.updated",
          "status_page.updated",
          "monitor.deleted"
        ]
      )
    })
  )

  it.effect("are refused together, with every change and field that is wrong", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const before = yield* state(withKey)
      const [channel, parent, monitor, maintenance, rule, page] = whole() as ReadonlyArray<any>
      const wrong = [
        channel,
        { ...parent, body: { ...parent.body, url: "gopher://x" } },
        // Depends on what is refused: it is not judged.
        monitor,
        { ...maintenance, body: { ...maintenance.body, monitorIds: [], recurrence: "FREQ=NEVER", timezone: "UTC" } },
        { ...rule, body: { ...rule.body, monitorIds: [], grup: 1 } },
        { ...page, body: { ...page.body, monitors: [{ monitorId: "new:nothing" }] } },
        create("channel", { key: "hook", name: "Twice", ...hook }),
        { action: "update", kind: "monitor", id: "ch_1", body: {} },
        { action: "update", kind: "rule", body: {} },
        { action: "remove", kind: "rule", id: "x" },
        create("monitor", [] as object),
        7
      ]
      for (const dryRun of [true, false]) {
        const answer = yield* send(withKey, wrong, dryRun)
        assert.strictEqual(answer.status, 422, JSON.stringify(answer.body))
        assert.deepStrictEqual(
          answer.body.errors.map(({ path }: { path: string }) => path),
          [
            "changes[1].body.url",
            "changes[3].body.recurrence",
            "changes[4].body.grup",
            "changes[5].body.monitors[0].monitorId",
            "changes[6].body.key",
            "changes[7].id",
            "changes[8].id",
            "changes[9].action",
            "changes[10].body",
            "changes[11]"
          ],
          JSON.stringify(answer.body)
        )
        assert.deepStrictEqual(yield* state(withKey), before)
      }
      refused(yield* withKey("POST", "/changes", { changes: [] }), 422, "validation_failed", "changes")
      refused(yield* withKey("POST", "/changes", { change: [7], changes: [7] }), 422, "validation_failed", "change")
    })
  )

  it.effect("are refused for cycles of dependencies that are made with them", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const made = yield* send(withKey, [
        create("monitor", { ...shop, key: "a", name: "A" }),
        create("monitor", { ...shop, key: "b", name: "B", dependsOn: ["new:a"] })
      ])
      const [a] = made.body.results
      for (const dryRun of [true, false])
        refused(
          yield* send(
            withKey,
            [
              create("monitor", { ...shop, key: "c", name: "C", dependsOn: [made.body.results[1].id] }),
              { action: "update", kind: "monitor", id: a.id, body: { dependsOn: ["new:c"] } }
            ],
            dryRun
          ),
          422,
          "validation_failed",
          "changes[1].body.dependsOn"
        )
    })
  )

  /** A change out of these parts is often valid, and often not. */
  const part = fc.oneof(
    fc.record({
      kind: fc.constant("monitor"),
      key: fc.constantFrom("a", "b", "c"),
      interval: fc.constantFrom(60, 30, 5),
      dependsOn: fc.constantFrom([], ["new:a"], ["new:b"], ["mon_gone"])
    }),
    fc.record({
      kind: fc.constant("channel"),
      key: fc.constantFrom("a", "b"),
      config: fc.constantFrom(hook.config, hook.config, hook.config, { url: "nowhere" })
    }),
    fc.record({
      kind: fc.constant("rule"),
      key: fc.constantFrom("a", "b"),
      monitorIds: fc.constantFrom([], ["new:a"], ["new:b"]),
      channelIds: fc.constantFrom([], ["new:a"], ["new:b"])
    }),
    fc.record({
      kind: fc.constant("maintenance"),
      key: fc.constantFrom("a", "b"),
      recurrence: fc.constantFrom("FREQ=DAILY", "FREQ=DAILY", "FREQ=SOMETIMES"),
      monitorIds: fc.constantFrom([], ["new:a"])
    }),
    fc.record({
      kind: fc.constant("page"),
      key: fc.constantFrom("a", "b"),
      slug: fc.constantFrom("one", "two", "three", "-bad-"),
      monitorIds: fc.constantFrom([], ["new:a"])
    })
  )

  /** One set that is valid and one that is not, since chance may choose no more of either. */
  const certain = [
    [
      { kind: "monitor", key: "a", interval: 60, dependsOn: [] },
      { kind: "rule", key: "a", monitorIds: ["new:a"], channelIds: [] }
    ],
    [{ kind: "channel", key: "a", config: { url: "nowhere" } }]
  ]

  const change = ({ kind, ...fields }: { readonly kind: string; readonly key: string }, run: string) => {
    const name = fields.key
    if (kind === "monitor") return create(kind, { ...shop, name, ...fields })
    if (kind === "channel") return create(kind, { name, type: hook.type, ...fields })
    if (kind === "rule") return create(kind, { name, ...fields })
    if (kind === "maintenance") return create(kind, { title: name, timezone: "UTC", ...window, ...fields })
    return create(kind, { name, ...fields, slug: `${(fields as unknown as { slug: string }).slug}${run}` })
  }

  it.effect("are judged by a dry run as they are when they are made, and never half made", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const sql = yield* SqlClient.SqlClient
      let runs = 0
      let accepted = 0
      for (const parts of [...certain, ...fc.sample(fc.array(part, { minLength: 1, maxLength: 8 }), 40)]) {
        const run = `-p${++runs}`
        const changes = parts.map((one) => change(one, run))
        const [before, queued] = [yield* state(withKey), yield* sql`SELECT max(sequence) FROM outbox`]
        const judged = yield* send(withKey, changes, true)
        assert.deepStrictEqual(yield* state(withKey), before)
        assert.deepStrictEqual(yield* sql`SELECT max(sequence) FROM outbox`, queued)
        const made = yield* send(withKey, changes)
        const seen = JSON.stringify({ changes, judged: judged.body, made: made.body })
        assert.strictEqual(judged.status, made.status, seen)
        if (made.status === 200) {
          accepted++
          assert.lengthOf(made.body.results, changes.length)
          // The next set finds an empty project again.
          const kinds = changes.map(({ kind }) => kind)
          const undo = made.body.results.map(({ id }: { id: string }, index: number) => ({
            action: "delete",
            kind: kinds[index],
            id
          }))
          assert.strictEqual((yield* send(withKey, undo.toReversed())).status, 200, seen)
        } else {
          assert.deepStrictEqual(
            { ...judged.body, requestId: "" },
            { ...made.body, requestId: "" },
            "the refusal is the same one"
          )
          assert.deepStrictEqual(yield* state(withKey), before)
        }
      }
      assert.isAbove(accepted, 0, "some sets are valid")
      assert.isBelow(accepted, runs, "some are not")
    })
  )

  it.effect("refuse to overwrite what was changed since it was read, for every kind", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const made = yield* send(withKey, whole())
      const ids: ReadonlyArray<string> = made.body.results.map(({ id }: { id: string }) => id)
      const records = [
        ["channel", 0, { name: "Renamed" }, "/notification-channels"],
        ["monitor", 2, { name: "Renamed" }, "/monitors"],
        ["maintenance", 3, { title: "Renamed" }, "/incidents"],
        ["rule", 4, { name: "Renamed" }, "/alert-rules"],
        ["page", 5, { name: "Renamed" }, "/status-pages"]
      ] as const
      for (const [kind, index, body, route] of records) {
        const id = ids[index]!
        const before = (yield* withKey("GET", `${route}/${id}`)).body.updatedAt
        const others = { action: "update", kind: "monitor", id: ids[1], body: { name: `Beside ${kind}` } }
        const update = (name: string) => ({
          action: "update",
          kind,
          id,
          ifUpdatedAt: before,
          body: Object.fromEntries(Object.keys(body).map((field) => [field, name]))
        })
        // Two who read the same state, side by side: one of them is made, whichever comes first.
        const both = yield* Effect.all(
          ["Ada's", "Bob's"].map((name) => send(withKey, [update(name)])),
          { concurrency: "unbounded" }
        )
        const lost = both.find(({ status }) => status !== 200)
        assert.sameMembers(
          both.map(({ status }) => status),
          [200, 412],
          kind
        )
        refused(lost!, 412, "precondition_failed", "changes[0].ifUpdatedAt")
        // What comes with it is not made either, a deletion is refused too, and a dry run says so.
        const after = yield* state(withKey)
        for (const change of [update("Late"), { action: "delete", kind, id, ifUpdatedAt: before }])
          for (const dryRun of [true, false])
            refused(
              yield* send(withKey, [others, change], dryRun),
              412,
              "precondition_failed",
              "changes[1].ifUpdatedAt"
            )
        assert.deepStrictEqual(yield* state(withKey), after)
        // With the state as it is now, the change is made.
        const now = (yield* withKey("GET", `${route}/${id}`)).body.updatedAt
        assert.notStrictEqual(now, before)
        assert.strictEqual((yield* send(withKey, [{ ...update("Last"), ifUpdatedAt: now }])).status, 200)
      }
      // A change that touches the record of a later one does not make that one late.
      const [, parent, monitor] = ids
      const at = (yield* withKey("GET", `/monitors/${monitor}`)).body.updatedAt
      const twice = yield* send(withKey, [
        { action: "update", kind: "monitor", id: monitor, ifUpdatedAt: at, body: { dependsOn: [] } },
        { action: "delete", kind: "monitor", id: parent },
        { action: "update", kind: "monitor", id: monitor, ifUpdatedAt: at, body: { name: "Second" } }
      ])
      assert.strictEqual(twice.status, 200, JSON.stringify(twice.body))
    })
  )

  it("require the most that writing one of the records requires", () => {
    const rank = (permission: keyof typeof minimumRole) => roles.indexOf(minimumRole[permission])
    for (const permission of ["channels.write", "alertRules.write", "incidents.write", "statusPages.write"] as const)
      assert.isAtLeast(rank("monitors.write"), rank(permission))
  })
})

layer(server({ quotas: { channels: 1 } }), { timeout: "2 minutes", excludeTestServices: true })(
  "changes beyond the organization's limits",
  (it) => {
    it.effect("are refused by the dry run too", () =>
      Effect.gen(function* () {
        const { withKey } = yield* person
        const changes = [1, 2].map((n) => create("channel", { key: `hook-${n}`, name: "Hook", ...hook }))
        for (const dryRun of [true, false]) {
          const answer = yield* send(withKey, changes, dryRun)
          refused(answer, 403, "account_limit_reached", "changes[1]")
          assert.deepInclude(answer.body, { limit: 1, current: 1 })
        }
        assert.deepStrictEqual((yield* withKey("GET", "/notification-channels")).body, [])
      })
    )
  }
)
