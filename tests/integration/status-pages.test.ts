/** Status pages on a real PostgreSQL under concurrent requests. */
import * as LockWaits from "../support/LockWaits.ts"
import { assert, layer } from "@effect/vitest"
import { AuthRecords } from "@kanmon/identity/accounts"
import { UserId } from "@kanmon/domain/Ids"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { type PageDraft, StatusPages } from "@kanmon/monitoring/testing/status-pages/StatusPages.ts"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../support/TestDatabase.ts"

const target = {
  type: "http",
  interval: 60,
  timeout: 30,
  regions: [],
  paused: false,
  config: { url: "https://a.example/" }
}
let people = 0
let slugs = 0

/** A new project with two monitors, and a page for them. */
const given = Effect.gen(function* () {
  const id = UserId.make(`usr_${++people}`)
  const now = new Date()
  const records = yield* AuthRecords
  yield* records.create("user", {
    id,
    name: "Ada",
    email: `${id}@example.org`,
    emailVerified: false,
    createdAt: now,
    updatedAt: now
  })
  const [project] = yield* (yield* Projects).ofMember(id)
  const monitors = yield* Monitors
  const shop = yield* monitors.create(project!.id, { ...target, name: "Shop" })
  const till = yield* monitors.create(project!.id, { ...target, name: "Till" })
  const draft: PageDraft = {
    name: "Acme",
    slug: `acme-${++slugs}`,
    monitors: [
      { monitorId: till.id, displayGroup: null },
      { monitorId: shop.id, displayGroup: "Front" }
    ],
    customDomain: null
  }
  return { projectId: project!.id, shop: shop.id, till: till.id, draft }
})

const pageEvents = (pageId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{
      event: PublicEvent
    }>`SELECT event FROM outbox WHERE kind = 'event' AND event->'headers'->>'ce-subject' = ${pageId} ORDER BY sequence`
    return rows.map(({ event }) => event)
  })

layer(TestDatabase.store, { timeout: "60 seconds", excludeTestServices: true })("status pages", (it) => {
  it.effect("is deleted with its project, with an event", () =>
    Effect.gen(function* () {
      const { draft, projectId } = yield* given
      const made = yield* (yield* StatusPages).create(projectId, draft)
      yield* (yield* Projects).remove(projectId)
      const events = yield* pageEvents(made.id)
      assert.deepStrictEqual(
        events.map(({ subject }) => subject.split(".").at(-1)),
        ["created", "deleted"]
      )
      assert.deepInclude(JSON.parse(events[1]!.payload), { pageId: made.id, slug: draft.slug, customDomain: null })
    })
  )

  it.effect("writes page, order and event in one transaction", () =>
    Effect.gen(function* () {
      const { draft, projectId, shop, till } = yield* given
      const pages = yield* StatusPages
      const made = yield* pages.create(projectId, draft)
      assert.deepInclude(made, { ...draft, monitorIds: [till, shop], customDomainStatus: "none" })
      yield* (yield* OutboxQueue).appended
      assert.deepStrictEqual(yield* pages.get(projectId, made.id), made)
      const turned = [...draft.monitors].reverse()
      const changed = yield* pages.update(projectId, made.id, (page) => Effect.succeed({ ...page, monitors: turned }))
      assert.deepStrictEqual(changed.monitors, turned)
      yield* pages.remove(projectId, made.id)
      assert.strictEqual((yield* Effect.flip(pages.get(projectId, made.id)))._tag, "StatusPageNotFound")
      assert.strictEqual((yield* Effect.flip(pages.remove(projectId, made.id)))._tag, "StatusPageNotFound")

      const events = yield* pageEvents(made.id)
      const subject = `kanmon.events.${projectId}.page.${made.id}`
      assert.deepStrictEqual(
        events.map((event) => event.subject),
        [`${subject}.created`, `${subject}.updated`, `${subject}.deleted`]
      )
      assert.strictEqual(events[0]!.headers["ce-type"], "kanmon.page.created")
      assert.deepInclude(JSON.parse(events[2]!.payload), {
        pageId: made.id,
        projectId,
        slug: draft.slug,
        customDomain: null
      })
    })
  )

  it.effect("keeps the status of an unchanged domain, and resets it for a new one", () =>
    Effect.gen(function* () {
      const { draft, projectId } = yield* given
      const pages = yield* StatusPages
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* pages.create(projectId, draft)
      const set = (customDomain: string | null) =>
        Effect.map(
          pages.update(projectId, id, (page) => Effect.succeed({ ...page, customDomain })),
          (page) => [page.customDomain, page.customDomainStatus, page.customDomainError]
        )
      assert.deepStrictEqual(yield* set("a.acme.example"), ["a.acme.example", "pending_dns", null])
      yield* sql`UPDATE status_pages SET custom_domain_status = 'failed', custom_domain_error = 'No' WHERE id = ${id}`
      assert.deepStrictEqual(yield* set("a.acme.example"), ["a.acme.example", "failed", "No"])
      assert.deepStrictEqual(yield* set("b.acme.example"), ["b.acme.example", "pending_dns", null])
      assert.deepStrictEqual(yield* set(null), [null, "none", null])
    })
  )

  it.effect("has unique names over all projects", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* given, yield* given]
      const pages = yield* StatusPages
      const domain = { customDomain: "status.one.example" }
      const first = yield* pages.create(one.projectId, { ...one.draft, ...domain })
      const refused = yield* Effect.flip(pages.create(other.projectId, { ...other.draft, slug: first.slug }))
      assert.deepInclude(refused, { _tag: "PageAddressTaken", field: "slug" })
      const second = yield* pages.create(other.projectId, other.draft)
      const unchanged = yield* Effect.flip(
        pages.update(other.projectId, second.id, (page) => Effect.succeed({ ...page, ...domain, name: "New" }))
      )
      assert.deepInclude(unchanged, { _tag: "PageAddressTaken", field: "customDomain" })
      assert.deepStrictEqual(yield* pages.get(other.projectId, second.id), second)
      assert.lengthOf(yield* pageEvents(second.id), 1)
    })
  )

  it.effect("shows only existing monitors of its project", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* given, yield* given]
      const pages = yield* StatusPages
      const theirs = { monitorId: other.shop, displayGroup: null }
      const strange = yield* Effect.flip(
        pages.create(one.projectId, { ...one.draft, monitors: [...one.draft.monitors, theirs] })
      )
      assert.deepInclude(strange, { _tag: "UnknownPageMonitors", ids: [other.shop] })
      const page = yield* pages.create(one.projectId, one.draft)
      yield* (yield* Monitors).remove(one.projectId, one.till)
      assert.deepStrictEqual((yield* pages.get(one.projectId, page.id)).monitorIds, [one.shop])
      assert.lengthOf(yield* pageEvents(page.id), 1)
      yield* (yield* Projects).remove(one.projectId)
      assert.strictEqual((yield* Effect.flip(pages.get(one.projectId, page.id)))._tag, "StatusPageNotFound")
    })
  )

  it.effect("keeps both of two concurrent changes", () =>
    Effect.gen(function* () {
      const { draft, projectId, shop, till } = yield* given
      const pages = yield* StatusPages
      const { id } = yield* pages.create(projectId, { ...draft, monitors: [] })
      const held = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        pages.update(projectId, id, (page) =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Deferred.await(held)),
            Effect.as({ ...page, monitors: [{ monitorId: shop, displayGroup: null }] })
          )
        )
      )
      yield* Deferred.await(started)
      const next = yield* Effect.forkChild(
        pages.update(projectId, id, (page) =>
          Effect.succeed({ ...page, monitors: [...page.monitors, { monitorId: till, displayGroup: "Till" }] })
        )
      )
      yield* LockWaits.waiting(1)
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(slow)
      assert.deepStrictEqual((yield* Fiber.join(next)).monitorIds, [shop, till])
    })
  )

  it.effect("can be changed while its project is deleted", () =>
    Effect.gen(function* () {
      const { draft, projectId } = yield* given
      const pages = yield* StatusPages
      const { id } = yield* pages.create(projectId, draft)
      const held = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const monitors = [...draft.monitors].reverse()
      const changing = yield* Effect.forkChild(
        pages.update(projectId, id, (page) =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Deferred.await(held)),
            Effect.as({ ...page, monitors })
          )
        )
      )
      yield* Deferred.await(started)
      const removing = yield* Effect.forkChild((yield* Projects).remove(projectId))
      yield* LockWaits.waiting(1)
      yield* Deferred.succeed(held, undefined)
      assert.deepStrictEqual((yield* Fiber.join(changing)).monitors, monitors)
      yield* Fiber.join(removing)
      assert.strictEqual((yield* Effect.flip(pages.get(projectId, id)))._tag, "StatusPageNotFound")
    })
  )

  it.effect("can be renamed while its monitors are deleted", () =>
    Effect.gen(function* () {
      const { draft, projectId, shop, till } = yield* given
      const pages = yield* StatusPages
      const monitors = yield* Monitors
      const { id } = yield* pages.create(projectId, draft)
      const names = Array.from({ length: 10 }, (_, index) => `Acme ${index}`)
      const rename = (name: string) => pages.update(projectId, id, (page) => Effect.succeed({ ...page, name }))
      const renaming = yield* Effect.forkChild(Effect.forEach(names, rename))
      yield* Effect.forEach([shop, till], (monitor) => monitors.remove(projectId, monitor), { concurrency: 2 })
      yield* Fiber.join(renaming)
      assert.deepInclude(yield* pages.get(projectId, id), { name: "Acme 9", monitors: [], monitorIds: [] })
    })
  )
})
