/** Recurring work is done when a question to the database is answered with yes, on a real PostgreSQL. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { DueWork, type Question } from "@kanmon/platform/DueWork"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Lets half a second of simulated time pass at a time until it is so; the database answers in real time. */
const until = (condition: () => boolean) =>
  eventually(Effect.andThen(TestClock.adjust("500 millis"), Effect.sync(condition)), (met) => met)

/** A kind of work that is due while its table has a row whose time has come; doing it empties the table. */
const kindOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(name)
  yield* sql`CREATE TABLE ${table} (at timestamptz NOT NULL)`
  const isDue: Question = (client, now) => client`EXISTS (SELECT FROM ${client(name)} WHERE at <= ${now})`
  let done = 0
  const work = Effect.andThen(
    sql`DELETE FROM ${table}`,
    Effect.sync(() => void done++)
  )
  const add = (at: number) => sql`INSERT INTO ${table} (at) VALUES (${new Date(at)})`
  return { isDue, work, add, done: () => done }
})

layer(TestDatabase.store, { timeout: "60 seconds" })("due work", (it) => {
  it.effect("is done at once, and again when its time has come; other work is left alone", () =>
    Effect.gen(function* () {
      const { watch } = yield* DueWork
      const [one, other] = [yield* kindOf("one"), yield* kindOf("other")]
      yield* watch(one.isDue, "One", one.work)
      yield* watch(other.isDue, "Other", other.work)
      yield* until(() => one.done() === 1 && other.done() === 1)
      yield* one.add(60_000)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(one.done(), 1)
      yield* TestClock.adjust("30 seconds")
      // A look between the work and its end may ask for the work once more.
      yield* until(() => one.done() >= 2)
      assert.strictEqual(other.done(), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("is tried again after a failure, and no longer looked for after its scope", () =>
    Effect.gen(function* () {
      const { watch } = yield* DueWork
      const kind = yield* kindOf("failing")
      const scope = yield* Scope.make()
      let failures = 0
      const failing = Effect.suspend(() => (failures++ < 3 ? Effect.die("not yet") : kind.work))
      yield* Scope.provide(scope)(watch(kind.isDue, "Failing work", failing))
      yield* until(() => kind.done() === 1)
      assert.strictEqual(failures, 4)
      yield* Scope.close(scope, Exit.void)
      yield* kind.add(0)
      // Other work that becomes due later is found.
      const later = yield* kindOf("later")
      yield* later.add(0)
      yield* watch(later.isDue, "Later work", later.work)
      // Begun at once, and perhaps once more by a look at the row that was there before.
      yield* until(() => later.done() >= 1)
      const before = later.done()
      yield* later.add(0)
      yield* until(() => later.done() > before)
      assert.strictEqual(kind.done(), 1)
    }).pipe(Effect.scoped)
  )
})
