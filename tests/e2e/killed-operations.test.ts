/** The process is killed by `kill -9` in the middle of an operation on many monitors: after the restart it goes on and ends. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as LockWaits from "../support/LockWaits.ts"
import { eventually, make, type Product } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

class Running extends Context.Service<Running, Product>()("@kanmon/tests/e2e/killed-operations/Running") {
  static readonly layer = Layer.effect(
    Running,
    Effect.tap(make({}), ({ healthy }) => healthy)
  )
}

/** The database of the product. */
const databaseOf = Layer.unwrap(
  Effect.map(Running, ({ settings }) => Database.layer(Redacted.make(settings["DATABASE_URL"]!)))
)

layer(Running.layer, { timeout: "10 minutes", excludeTestServices: true })(
  "an operation whose process is killed",
  (it) => {
    it.effect.skipIf(!TestDatabase.isShared())("goes on after the restart, and changes each monitor once", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const ada = yield* product.signUp
        const made = yield* ada.call("POST", "/monitors/batch", {
          monitors: Array.from({ length: 250 }, (_, index) => ({
            name: `Job ${index}`,
            type: "heartbeat",
            interval: 3600,
            tags: ["many"]
          }))
        })
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
        const ids: ReadonlyArray<string> = made.body.map(({ id }: { id: string }) => id)
        // The second batch waits for this monitor, and the process dies in it.
        const sql = yield* SqlClient.SqlClient
        const [locked, over] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
        const lock = yield* Effect.forkScoped(
          sql`SELECT FROM monitors WHERE id = ${ids[150]!} FOR UPDATE`.pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(over)),
            sql.withTransaction
          )
        )
        yield* Deferred.await(locked)
        const started = yield* ada.call("POST", "/operations", { action: "update", ids, addTags: ["seen"] })
        assert.strictEqual(started.status, 201, JSON.stringify(started.body))
        // Others may wait for the monitor, too: the first batch is done when this says so.
        const done = sql<{ done: number }>`SELECT done FROM operations`
        yield* eventually(done, ([row]) => row?.done === 100)
        yield* LockWaits.waiting(1)
        assert.strictEqual(yield* product.stop("SIGKILL"), "SIGKILL")
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(lock)
        const [left] = yield* sql<{ done: number; status: string }>`SELECT done, status FROM operations`
        assert.deepStrictEqual(left, { done: 100, status: "running" })
        yield* product.start
        yield* product.healthy

        const get = Effect.map(ada.call("GET", `/operations/${started.body.id}`), ({ body }) => body)
        const ended = yield* eventually(get, ({ status }) => status === "completed")
        assert.deepInclude(ended, { done: 250, failed: 0, summary: "250 of 250 monitors changed" })
        const { body: seen } = yield* ada.call("GET", "/monitors?tag=seen")
        assert.lengthOf(seen, 250)
        const changes = yield* sql<{ count: number }>`SELECT count(*)::integer AS count FROM audit_log
        WHERE action = 'monitor.updated'`
        assert.deepStrictEqual(changes, [{ count: 250 }])
      }).pipe(Effect.scoped, Effect.provide(databaseOf))
    )
  }
)
