/** Long work on many monitors: done by the server in batches, stopped, and resumed after the end of a process. */
import { assert, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { type ApiResponse, type Call, person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"
import { waiting } from "../../support/LockWaits.ts"

/** Monitors that all carry the tag `many`. */
const many = (withKey: Call, count: number, more: object = {}) =>
  Effect.map(
    withKey("POST", "/monitors/batch", {
      monitors: Array.from({ length: count }, (_, index) => ({
        ...shop,
        name: `Service ${index}`,
        interval: 60,
        timeout: 5,
        tags: ["many"],
        ...more
      }))
    }),
    ({ body, status }) => {
      assert.strictEqual(status, 201, JSON.stringify(body))
      return (body as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    }
  )

const ended = (withKey: Call, { body }: ApiResponse) =>
  Effect.map(
    eventually(withKey("GET", `/operations/${body.id}`), (answer) => answer.body.status !== "running"),
    (answer) => answer.body
  )

layer(shared, { excludeTestServices: true, timeout: "2 minutes" })("operations", (it) => {
  it.effect("change every monitor that fits, once, and name those that were refused", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      yield* many(withKey, 230)
      const slow = yield* many(withKey, 2, { name: "Slow", timeout: 40 })
      const others = yield* many(withKey, 1, { tags: [] })
      const change = { action: "update", filter: { tags: ["many"] }, set: { interval: 30 }, addTags: ["fast"] }
      const started = yield* withKey("POST", "/operations", change)
      assert.strictEqual(started.status, 201, JSON.stringify(started.body))
      assert.deepInclude(started.body, { action: "update", status: "running", total: 232, done: 0, finishedAt: null })
      const operation = yield* ended(withKey, started)
      assert.deepInclude(operation, { status: "completed", total: 232, done: 230, failed: 2 })
      assert.deepStrictEqual(
        operation.failures.map(({ monitorId, name }: { monitorId: string; name: string }) => [monitorId, name]),
        slow.toReversed().map((id) => [id, "Slow"])
      )
      assert.match(operation.failures[0].message, /^timeout: /)
      assert.match(operation.summary, /^230 of 232 monitors changed, 2 refused \(timeout: /)

      const { body: fast } = yield* withKey("GET", "/monitors?tag=fast")
      assert.lengthOf(fast, 230)
      assert.deepStrictEqual([...new Set(fast.map(({ interval }: { interval: number }) => interval))], [30])
      assert.strictEqual((yield* withKey("GET", `/monitors/${others[0]}`)).body.interval, 60)
      const { body: log } = yield* withKey("GET", "/audit-log?action=monitor.updated")
      const changed = log.filter(({ action }: { action: string }) => action === "monitor.updated")
      assert.lengthOf(new Set(changed.map(({ target }: any) => target.id)), changed.length)
      assert.lengthOf(changed, 230)
      // The actor is the one who asked.
      assert.deepStrictEqual([...new Set(changed.map(({ actor }: any) => actor.kind))], ["key"])

      const { body: list } = yield* withKey("GET", "/operations")
      assert.deepStrictEqual(list, [operation])
    })
  )

  it.effect("delete by ids, and go on from where a process left them", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const ids = yield* many(withKey, 150)
      const sql = yield* SqlClient.SqlClient
      // As if a process had died after its first hundred, which it has not done here: they are not done again.
      const first = { action: "update", ids: ids.slice(0, 1), set: { timeout: 6 } }
      const started = yield* withKey("POST", "/operations", first)
      yield* ended(withKey, started)
      yield* sql`UPDATE operations SET ids = ${ids}::text[], position = 100, done = 100, status = 'running',
        finished_at = NULL, leased_until = now() WHERE id = ${started.body.id}`
      const resumed = yield* ended(withKey, started)
      assert.deepInclude(resumed, { status: "completed", total: 150, done: 150, failed: 0 })
      const timeouts = (yield* withKey("GET", "/monitors?tag=many")).body as ReadonlyArray<{
        id: string
        timeout: number
      }>
      assert.deepStrictEqual(
        timeouts
          .filter(({ timeout }) => timeout === 6)
          .map(({ id }) => id)
          .toSorted(),
        [ids[0]!, ...ids.slice(100)].toSorted()
      )

      const gone = yield* withKey("POST", "/operations", { action: "delete", ids: [...ids, ids[0]] })
      assert.deepInclude(yield* ended(withKey, gone), { status: "completed", total: 150, done: 150, failed: 0 })
      assert.deepStrictEqual((yield* withKey("GET", "/monitors")).body, [])
      const late = yield* withKey("POST", "/operations", { action: "update", ids: ids.slice(0, 2), addTags: ["late"] })
      assert.deepInclude(yield* ended(withKey, late), {
        done: 0,
        failed: 2,
        summary: "0 of 2 monitors changed, 2 refused (The monitor no longer exists)"
      })
    })
  )

  it.effect("are stopped after the batch that is under way", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const ids = yield* many(withKey, 250)
      const sql = yield* SqlClient.SqlClient
      const [held, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT FROM monitors WHERE id = ${ids[0]!} FOR UPDATE`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(release)
          })
        )
      )
      yield* Deferred.await(held)
      const started = yield* withKey("POST", "/operations", { action: "update", ids, addTags: ["seen"] })
      // The first batch waits for the held monitor.
      yield* waiting(1)
      const stopping = yield* Effect.forkChild(withKey("POST", `/operations/${started.body.id}/stop`))
      yield* waiting(2)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      const stopped = yield* Fiber.join(stopping)
      assert.strictEqual(stopped.status, 200)
      assert.strictEqual(stopped.body.status, "stopped")
      assert.strictEqual(stopped.body.done % 100, 0, "whole batches")
      assert.isBelow(stopped.body.done, 250)
      const { body: seen } = yield* withKey("GET", "/monitors?tag=seen")
      assert.lengthOf(seen, stopped.body.done)
      // A second stop changes nothing.
      const again = yield* withKey("POST", `/operations/${started.body.id}/stop`)
      assert.deepStrictEqual(again.body, stopped.body)
    })
  )

  it.effect("belong to a project, and say what is wrong with a request", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const { body } = yield* ada.withKey("POST", "/operations", { action: "delete", filter: { q: "nothing" } })
      refused(yield* ben.withKey("GET", `/operations/${body.id}`), 404, "not_found")
      refused(yield* ben.withKey("POST", `/operations/${body.id}/stop`), 404, "not_found")
      const refusedFor = (request: object, ...paths: ReadonlyArray<string>) =>
        Effect.map(ada.withKey("POST", "/operations", request), (answer) =>
          refused(answer, 422, "validation_failed", ...paths)
        )
      yield* refusedFor({ action: "update", filter: { q: "a" } }, "set")
      yield* refusedFor({ action: "delete", filter: { q: "a" }, set: {} }, "action")
      yield* refusedFor({ action: "delete", filter: {} }, "filter")
      yield* refusedFor({ action: "delete" }, "ids")
      yield* refusedFor({ action: "explode", filter: { q: "a" } }, "action")
      assert.deepInclude(yield* ended(ada.withKey, { body } as ApiResponse), { status: "completed", total: 0 })
    })
  )
})
