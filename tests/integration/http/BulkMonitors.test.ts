/** Creations, changes and deletions of many monitors at once. */
import { assert, layer } from "@effect/vitest"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layer as server, person, refused, shop } from "./Server.ts"

const crew = Effect.gen(function* () {
  const ada = yield* person
  const ids: Array<string> = []
  for (const [index, name] of ["A", "B", "C"].entries()) {
    const body = { ...shop, name, interval: 60 + index, tags: ["prod", name.toLowerCase()], group: `Shop/${name}` }
    ids.push((yield* ada.withKey("POST", "/monitors", body)).body.id)
  }
  return { ...ada, ids }
})

const fields = (field: string, body: ReadonlyArray<Record<string, unknown>>) => body.map((record) => record[field])

const batch = (count: number) => Array.from({ length: count }, (_, index) => ({ ...shop, name: `M${index}` }))

layer(server(), { timeout: "2 minutes" })("many monitors", (it) => {
  it.effect("are created together, in the order of the body, with their own warnings", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const created = yield* withKey("POST", "/monitors/batch", {
        monitors: [
          { ...shop, name: "Shop", tags: ["prod"] },
          { ...shop, name: "Shop again" },
          { name: "Job", type: "heartbeat", interval: 3600 }
        ]
      })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      assert.deepStrictEqual(fields("name", created.body), ["Shop", "Shop again", "Job"])
      assert.deepStrictEqual(fields("status", created.body), ["pending", "pending", "pending"])
      const codes = (created.body as ReadonlyArray<{ warnings?: ReadonlyArray<{ code: string }> }>).map(
        ({ warnings = [] }) => warnings.map(({ code }) => code)
      )
      assert.deepStrictEqual(codes, [["duplicate_target"], ["duplicate_target"], []])
      assert.match(String(created.body[2].heartbeatUrl), /\/heartbeat\/\w{32}/)
      const listed = (yield* withKey("GET", "/monitors")).body
      assert.deepStrictEqual(fields("id", listed).toSorted(), fields("id", created.body).toSorted())
      const audited = (yield* withKey("GET", "/audit-log")).body as ReadonlyArray<{ action: string }>
      assert.lengthOf(
        audited.filter(({ action }) => action === "monitor.created"),
        3
      )
    })
  )

  it.effect("are created all or none, and every broken field is named by its place", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const broken = yield* withKey("POST", "/monitors/batch", {
        monitors: [shop, { ...shop, url: "gopher://x", interval: 1 }, { ...shop, type: "nothing" }, 7]
      })
      const paths = ["monitors[1].interval", "monitors[1].url", "monitors[2].type", "monitors[3]"]
      refused(broken, 422, "validation_failed", ...paths)
      const alone = yield* withKey("POST", "/monitors/batch", {
        monitors: [shop, { ...shop, dependsOn: ["mon_gone"] }]
      })
      refused(alone, 422, "validation_failed", "monitors[1].dependsOn[0]")
      const same = { ...shop, key: "same" }
      refused(yield* withKey("POST", "/monitors/batch", { monitors: [same, same] }), 409, "conflict")
      for (const monitors of [[], batch(1001)])
        refused(yield* withKey("POST", "/monitors/batch", { monitors }), 422, "validation_failed", "monitors")
      refused(yield* withKey("POST", "/monitors/batch", [shop]), 422, "validation_failed", "")
      assert.deepStrictEqual((yield* withKey("GET", "/monitors")).body, [])
    })
  )

  it.effect("are created once by a request that is sent twice with the same key", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const body = { monitors: batch(1000) }
      const first = yield* withKey("POST", "/monitors/batch", body, { "idempotency-key": "thousand" })
      const again = yield* withKey("POST", "/monitors/batch", body, { "idempotency-key": "thousand" })
      assert.deepStrictEqual([first.status, again.status], [201, 201])
      assert.deepStrictEqual(again.body, first.body)
      const page = (yield* withKey("GET", "/monitors?limit=1000")).body
      assert.lengthOf(page, 1000)
      assert.deepStrictEqual(new Set(fields("id", page)), new Set(fields("id", first.body)))
    })
  )

  it.effect("are changed together, in the order in which they are named", () =>
    Effect.gen(function* () {
      const { ids, withKey } = yield* crew
      const [a, b, c] = ids
      const changed = yield* withKey("PATCH", "/monitors", {
        ids: [c, a],
        set: { timeout: 5, description: "Call Ada." },
        addTags: ["eu", "prod"],
        removeTags: ["c"]
      })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      assert.deepStrictEqual(fields("id", changed.body), [c, a])
      assert.deepStrictEqual(fields("tags", changed.body), [
        ["prod", "eu"],
        ["prod", "a", "eu"]
      ])
      assert.deepStrictEqual(fields("timeout", changed.body), [5, 5])
      assert.deepInclude((yield* withKey("GET", `/monitors/${b}`)).body, { tags: ["prod", "b"], timeout: 30 })

      const filtered = yield* withKey("PATCH", "/monitors", {
        filter: { tags: ["prod"], group: "Shop", q: "shop.example" },
        set: { tags: ["test"] },
        addTags: ["eu"]
      })
      assert.deepStrictEqual(fields("tags", filtered.body), [
        ["test", "eu"],
        ["test", "eu"],
        ["test", "eu"]
      ])
    })
  )

  it.effect("stay as they are when one of them cannot be changed, which is named", () =>
    Effect.gen(function* () {
      const { ids, withKey } = yield* crew
      const [a, b, c] = ids
      const before = (yield* withKey("GET", "/monitors")).body
      // Above the interval of A alone.
      const late = yield* withKey("PATCH", "/monitors", { ids: [c, b, a], set: { timeout: 60.5 } })
      refused(late, 422, "validation_failed", "ids[2]")
      assert.match(late.body.errors[0].message, new RegExp(`^${a} \\(A\\): timeout: Expected at most the interval`))
      const strange = yield* withKey("PATCH", "/monitors", { ids: [a, "mon_gone"], addTags: ["x"] })
      refused(strange, 422, "validation_failed", "ids[1]")
      refused(yield* withKey("PATCH", "/monitors", { ids, set: { key: "same" } }), 409, "conflict")
      refused(
        yield* withKey("PATCH", "/monitors", { ids: [a, b], set: { dependsOn: [c, a] } }),
        422,
        "validation_failed"
      )
      assert.deepStrictEqual((yield* withKey("GET", "/monitors")).body, before)
      refused(yield* withKey("DELETE", "/monitors", { ids: [a, "mon_gone"] }), 422, "validation_failed", "ids[1]")
      assert.lengthOf((yield* withKey("GET", "/monitors")).body, 3)
    })
  )

  it.effect("cause no event while nothing changes, and one each otherwise", () =>
    Effect.gen(function* () {
      const { ids, withKey } = yield* crew
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxQueue
      yield* sql`DELETE FROM outbox`
      yield* withKey("PATCH", "/monitors", { ids, addTags: ["prod"] })
      assert.deepStrictEqual(yield* outbox.peek(10), [])
      yield* withKey("PATCH", "/monitors", { ids, addTags: ["a"], set: { group: "Shop" } })
      const subjects = (yield* outbox.peek(10)).map((message) => message._tag === "Event" && message.event.subject)
      assert.deepStrictEqual(
        subjects
          .map((subject) => String(subject).split(".").slice(-2).join("."))
          .filter((subject) => subject.startsWith("mon_"))
          .toSorted(),
        ids.map((id) => `${id}.updated`).toSorted()
      )
    })
  )

  it.effect("are deleted together", () =>
    Effect.gen(function* () {
      const { ids, withKey } = yield* crew
      const [a, b, c] = ids
      const gone = yield* withKey("DELETE", "/monitors", { ids: [c, a] })
      assert.deepStrictEqual(gone.body, [
        { id: c, deleted: true },
        { id: a, deleted: true }
      ])
      assert.deepStrictEqual((yield* withKey("DELETE", "/monitors", { filter: { group: "Nowhere" } })).body, [])
      assert.deepStrictEqual(fields("id", (yield* withKey("GET", "/monitors")).body), [b])
    })
  )

  it.effect("are selected by ids or by a filter that says something", () =>
    Effect.gen(function* () {
      const { ids, withKey } = yield* crew
      for (const [body, path] of [
        [{ addTags: ["x"] }, "ids"],
        [{ ids, filter: { type: "http" }, addTags: ["x"] }, "ids"],
        [{ filter: {}, addTags: ["x"] }, "filter"],
        [{ filter: { typ: "http" }, addTags: ["x"] }, "filter.typ"],
        [{ ids }, "set"],
        [{ ids: [], addTags: ["x"] }, "ids"],
        [{ ids, addTags: ["X"] }, "addTags[0]"]
      ] as const)
        refused(yield* withKey("PATCH", "/monitors", body), 422, "validation_failed", path)
      refused(yield* withKey("DELETE", "/monitors", { filter: {} }), 422, "validation_failed", "filter")
    })
  )
})

layer(server({ defaultPlan: "plan_free" }), { timeout: "2 minutes" })("many monitors of a small plan", (it) => {
  it.effect("are not created beyond what the plan has room for together", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const [plan] = yield* sql<{ monitors: number }>`SELECT monitors FROM plans WHERE id = 'plan_free'`
      const slow = (count: number) => ({ monitors: batch(count).map((one) => ({ ...one, interval: 3600 })) })
      refused(yield* ada.withKey("POST", "/monitors/batch", slow(plan!.monitors + 1)), 402, "plan_limit_reached")
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [])
      assert.strictEqual((yield* ada.withKey("POST", "/monitors/batch", slow(plan!.monitors))).status, 201)
    })
  )

  it.effect("are not resumed beyond what the plan has room for together", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const [plan] = yield* sql<{ monitors: number }>`SELECT monitors FROM plans WHERE id = 'plan_free'`
      const ids: Array<string> = []
      for (let index = 0; index < plan!.monitors; index++)
        ids.push((yield* ada.withKey("POST", "/monitors", { ...shop, name: `M${index}`, interval: 3600 })).body.id)
      const faster = yield* ada.withKey("PATCH", "/monitors", { ids, set: { interval: 10 } })
      refused(faster, 402, "plan_limit_reached")
      const intervals = fields("interval", (yield* ada.withKey("GET", "/monitors")).body)
      assert.deepStrictEqual([...new Set(intervals)], [3600])
    })
  )
})
