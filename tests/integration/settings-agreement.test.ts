/** The api and the engine of one installation tell of settings that they read differently. */
import { assert, layer } from "@effect/vitest"
import { ProcessRepository, type RunningProcess, SettingsAgreement } from "@kanmon/platform/processes"
import { Effect, Exit, Layer, Logger, Queue, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../support/TestDatabase.ts"

const processOf = (id: string, role: string, signUp: string): RunningProcess => ({
  id,
  roles: [role],
  settings: { KANMON_SIGNUP: signUp, SMTP_URL: "same" }
})

/** Runs a process until its scope closes; its log lines arrive in order. */
const started = Effect.fnUntraced(function* (own: RunningProcess) {
  const lines = yield* Queue.unbounded<string>()
  const collect = Logger.make<unknown, void>(({ message }) => void Queue.offerUnsafe(lines, [message].flat().join(" ")))
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(SettingsAgreement.layer(own).pipe(Layer.provide(Logger.layer([collect]))), scope)
  return { lines, scope }
})

layer(Layer.merge(TestDatabase.database, ProcessRepository.layer.pipe(Layer.provide(TestDatabase.database))))(
  "settings of several processes",
  (it) => {
    it.effect("logs a difference in both processes, also in the one that started first", () =>
      Effect.gen(function* () {
        const api = yield* started(processOf("p1", "api", "closed"))
        const engine = yield* started(processOf("p2", "engine", "open"))
        assert.strictEqual(
          yield* Queue.take(engine.lines),
          "KANMON_SIGNUP of this process (engine) differs from that of another one (api, p1). Give both the same value."
        )
        // The first round of the api may have come before the engine's row.
        yield* TestClock.adjust("1 minute")
        assert.include(
          yield* Queue.take(api.lines),
          "KANMON_SIGNUP of this process (api) differs from that of another one (engine, p2)."
        )
      })
    )

    it.effect("ends in order while the database does not take its last word", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { scope } = yield* started(processOf("p3", "api", "open"))
        yield* sql`ALTER TABLE running_processes RENAME TO away`
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(Scope.close(scope, Exit.void))))
        yield* sql`ALTER TABLE away RENAME TO running_processes`
      })
    )
  }
)
