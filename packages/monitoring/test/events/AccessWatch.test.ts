import { assert, it } from "@effect/vitest"
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import type { Principal } from "@kanmon/domain/Principal"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccessWatch } from "../../src/events/AccessWatch.ts"
import { Projects } from "@kanmon/identity/projects"

const projectId = "prj_1" as ProjectId
const userId = "usr_1" as UserId

/** A database that has these sessions, and in which the account has a role. */
const world = () => {
  const sessions = new Set(["one", "other"])
  const rows = () => Effect.sync(() => [...sessions].map((id) => ({ kind: "session", id, stamp: "" })))
  const layer = AccessWatch.layer.pipe(
    Layer.provide([
      Layer.succeed(SqlClient.SqlClient, rows as never),
      Layer.mock(Projects, { rolesOf: (people) => Effect.succeed(people.map((one) => ({ ...one, role: "viewer" }))) })
    ])
  )
  return { layer, sessions }
}

const caller = (sessionId: string): Principal => ({ _tag: "User", userId, sessionId }) as Principal

it.effect.each([0, 1, 200, 399, 400, 401, 799, 999])(
  "ends access within a second of its loss, %d ms after it was given, and no other",
  (since) => {
    const { layer, sessions } = world()
    return Effect.gen(function* () {
      const { ended } = yield* AccessWatch
      const [one, other] = yield* Effect.all(
        ["one", "other"].map((session) =>
          Effect.forkChild(ended(caller(session), projectId, "viewer"), { startImmediately: true })
        )
      )
      yield* TestClock.adjust(since)
      assert.isUndefined(one!.pollUnsafe())
      sessions.delete("one")
      yield* TestClock.adjust(1000)
      assert.isDefined(one!.pollUnsafe())
      assert.isUndefined(other!.pollUnsafe())
    }).pipe(Effect.provide(layer))
  }
)
