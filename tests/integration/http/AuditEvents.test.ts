/** The event stream with roles: by session, and events of the audit log for admins only. */
import { assert, layer } from "@effect/vitest"
import { auditEvent } from "@kanmon/domain/AuditEvents"
import { AuditId, ProjectId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { happening, happens, idsOf, open } from "./EventFeed.ts"
import { layer as server, person, refused } from "./Server.ts"

const recorded = (projectId: string, id: string) =>
  auditEvent(ProjectId.make(projectId), {
    id: AuditId.make(id),
    at: 0,
    actor: { kind: "operator", id: null, name: "Test" },
    action: "monitor.updated",
    target: { kind: "monitor", id: "mon_1", name: "Shop" },
    projectId: ProjectId.make(projectId),
    address: null,
    before: { interval: 60 },
    after: { interval: 30 }
  })

const both = "?types=kanmon.audit.*,kanmon.monitor.down"

layer(server())("the event stream", (it) => {
  it.effect("has events of the audit log for admins that ask for them", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", `/projects/${ada.projectId}/api-keys`, { name: "Board", role: "viewer" })
      const viewer = yield* open({ key: made.body.apiKey }, both)
      const admin = yield* open(ada, both)
      const usual = yield* open(ada)
      yield* happens(recorded(ada.projectId, "aud_1"), happening(ada.projectId, "down", "down-1"))
      assert.deepStrictEqual(idsOf(yield* admin.take(2)), ["aud_1", "down-1"])
      assert.deepStrictEqual(idsOf(yield* viewer.take(1)), ["down-1"])
      assert.deepStrictEqual(idsOf(yield* usual.take(1)), ["down-1"])
    })
  )

  it.effect("is open to a session that names a project of its account", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      refused(yield* ada.withSession("GET", `/events?project=${ben.projectId}`), 404, "not_found")
      refused(yield* ada.withSession("GET", `/events?project=${ada.projectId}&lastEventId=x`), 400, "malformed_request")
    })
  )
})
