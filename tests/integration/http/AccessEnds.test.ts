/** A member who is removed, or gets a lower role, has lost access within a second: also what was open before. */
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as EventReader from "../../support/EventReader.ts"
import { happening, happens, idsOf } from "./EventFeed.ts"
import { layer as server, person, port, refused } from "./Server.ts"
import { join, organizationOf } from "./Team.ts"

type Person = Effect.Success<typeof person>

/** The event stream of a project, by the session of somebody. */
const stream = Effect.fnUntraced(function* (reader: Person, projectId: string) {
  const at = yield* port
  return yield* EventReader.open(`http://127.0.0.1:${at}${basePath}/events?project=${projectId}`, {
    cookie: reader.cookie
  })
})

/** How long a stream stays open after something was done. */
const closesWithin = <A, E, R>(reader: EventReader.EventReader, act: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* act
    const at = yield* Clock.currentTimeMillis
    const { end } = yield* reader.rest
    assert.strictEqual(end, "ended")
    return (yield* Clock.currentTimeMillis) - at
  })

layer(server(), { excludeTestServices: true, timeout: "30 seconds" })("an open event stream", (it) => {
  it.effect("ends within a second when the member is removed, and no other does", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/organizations/${yield* organizationOf(ada)}/members`
      const [gone, stays] = [yield* join(ada, "viewer"), yield* join(ada, "viewer")]
      const [first, second] = [yield* stream(gone, ada.projectId), yield* stream(stays, ada.projectId)]
      const millis = yield* closesWithin(first, ada.withSession("DELETE", `${path}/${gone.userId}`))
      assert.isBelow(millis, 1000)
      refused(
        yield* gone.withSession("GET", "/monitors", undefined, { "kanmon-project": ada.projectId }),
        404,
        "not_found"
      )
      // The other one still hears what happens.
      yield* happens(happening(ada.projectId, "down", "still-here"))
      assert.deepStrictEqual(idsOf(yield* second.take(1)), ["still-here"])
      yield* second.hangUp
    })
  )

  it.effect("ends within a second when another process took the role, or a role in the project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const admin = yield* join(ada, "admin")
      const lowered = yield* closesWithin(
        yield* stream(admin, ada.projectId),
        sql`UPDATE organization_members SET role = 'viewer' WHERE user_id = ${admin.userId}`
      )
      assert.isBelow(lowered, 1000)
      yield* ada.withSession("PUT", `/projects/${ada.projectId}/members/${admin.userId}`, { role: "editor" })
      const reset = yield* closesWithin(
        yield* stream(admin, ada.projectId),
        sql`DELETE FROM project_members WHERE user_id = ${admin.userId}`
      )
      assert.isBelow(reset, 1000)
      // It is open to the viewer that the account still is.
      const again = yield* stream(admin, ada.projectId)
      const deleted = yield* closesWithin(again, ada.withSession("DELETE", `/projects/${ada.projectId}`))
      assert.isBelow(deleted, 1000)
    })
  )
})
