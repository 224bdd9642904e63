/** Loss of a role, a session or a key ends the access of what was open before, too. */
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as EventReader from "../../support/EventReader.ts"
import { happening, happens, idsOf } from "./EventFeed.ts"
import { call, cookieOf, layer as server, password, person, port, refused } from "./Server.ts"
import { join, organizationOf } from "./Team.ts"

type Person = Effect.Success<typeof person>

/** The event stream of a project, by the session of somebody. */
const stream = Effect.fnUntraced(function* (reader: Person, projectId: string) {
  const at = yield* port
  return yield* EventReader.open(`http://127.0.0.1:${at}${basePath}/events?project=${projectId}`, {
    cookie: reader.cookie
  })
})

/** The same by a key. */
const streamByKey = Effect.fnUntraced(function* (key: string, projectId?: string) {
  const at = yield* port
  return yield* EventReader.open(`http://127.0.0.1:${at}${basePath}/events`, {
    "x-api-key": key,
    ...(projectId === undefined ? {} : { "kanmon-project": projectId })
  })
})

/** Does something, and waits until the stream ends. */
const ends = <A, E, R>(reader: EventReader.EventReader, act: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* act
    assert.strictEqual((yield* reader.rest).end, "ended")
  })

layer(server(), { excludeTestServices: true, timeout: "30 seconds" })("an open event stream", (it) => {
  it.effect("ends when the member is removed, and no other does", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/organizations/${yield* organizationOf(ada)}/members`
      const [gone, stays] = [yield* join(ada, "viewer"), yield* join(ada, "viewer")]
      const [first, second] = [yield* stream(gone, ada.projectId), yield* stream(stays, ada.projectId)]
      yield* ends(first, ada.withSession("DELETE", `${path}/${gone.userId}`))
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

  it.effect("ends when another process took the role, or a role in the project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const admin = yield* join(ada, "admin")
      yield* ends(
        yield* stream(admin, ada.projectId),
        sql`UPDATE organization_members SET role = 'viewer' WHERE user_id = ${admin.userId}`
      )
      yield* ada.withSession("PUT", `/projects/${ada.projectId}/members/${admin.userId}`, { role: "editor" })
      yield* ends(yield* stream(admin, ada.projectId), sql`DELETE FROM project_members WHERE user_id = ${admin.userId}`)
      // It is open to the viewer that the account still is.
      const again = yield* stream(admin, ada.projectId)
      yield* ends(again, ada.withSession("DELETE", `/projects/${ada.projectId}`))
    })
  )

  it.effect("ends when its session is ended, and no other of the account does", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const signIn = Effect.map(call("POST", "/auth/sign-in/email", { email: ada.email, password }), cookieOf)
      const [out, revoked] = [
        { ...ada, cookie: yield* signIn },
        { ...ada, cookie: yield* signIn }
      ]
      const own = yield* stream(ada, ada.projectId)
      yield* ends(yield* stream(out, ada.projectId), call("POST", "/auth/sign-out", undefined, { cookie: out.cookie }))
      yield* ends(yield* stream(revoked, ada.projectId), ada.withSession("DELETE", "/account/sessions"))
      yield* happens(happening(ada.projectId, "down", "own-session"))
      assert.deepStrictEqual(idsOf(yield* own.take(1)), ["own-session"])
      yield* own.hangUp
    })
  )

  it.effect("ends when its key is deleted, expires or is replaced, and no other does", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const keys = `/projects/${ada.projectId}/api-keys`
      const made = (name: string) =>
        Effect.map(ada.withSession("POST", keys, { name, role: "viewer" }), ({ body }) => body)
      const [deleted, expired, kept] = [yield* made("a"), yield* made("b"), yield* made("c")]
      const other = yield* streamByKey(kept.apiKey)
      const main = yield* streamByKey(ada.key)
      yield* ends(yield* streamByKey(deleted.apiKey), ada.withSession("DELETE", `${keys}/${deleted.id}`))
      yield* ends(
        yield* streamByKey(expired.apiKey),
        sql`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = ${expired.id}`
      )
      yield* ends(main, ada.withSession("POST", `/projects/${ada.projectId}/api-key`))
      const ofAll = `/organizations/${yield* organizationOf(ada)}/api-keys`
      const shared = (yield* ada.withSession("POST", ofAll, { name: "d", role: "viewer" })).body
      yield* ends(yield* streamByKey(shared.apiKey, ada.projectId), ada.withSession("DELETE", `${ofAll}/${shared.id}`))
      yield* happens(happening(ada.projectId, "down", "other-key"))
      assert.deepStrictEqual(idsOf(yield* other.take(1)), ["other-key"])
      yield* other.hangUp
    })
  )

  it.effect("stays open for an administrator who acts as the account, until that session is ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [boss, ada] = [yield* person, yield* person]
      const idOf = (cookie: string) =>
        Effect.map(call("GET", "/auth/get-session", undefined, { cookie }), ({ body }) => body.user.id as string)
      yield* sql`UPDATE users SET is_admin = true WHERE id = ${yield* idOf(boss.cookie)}`
      const id = yield* idOf(ada.cookie)
      const cookie = cookieOf(yield* boss.withSession("POST", `/installation/accounts/${id}/impersonate`))
      const acting = yield* stream({ ...ada, cookie }, ada.projectId)
      // Each of these ends by a look at all that is open.
      for (let looks = 0; looks < 3; looks++) {
        const guest = yield* join(ada, "viewer")
        yield* ends(
          yield* stream(guest, ada.projectId),
          sql`DELETE FROM organization_members WHERE user_id = ${guest.userId} AND source = 'invitation'`
        )
      }
      yield* happens(happening(ada.projectId, "down", "still-acting"))
      assert.deepStrictEqual(idsOf(yield* acting.take(1)), ["still-acting"])
      yield* ends(acting, call("DELETE", "/account/impersonation", undefined, { cookie }))
    })
  )
})
