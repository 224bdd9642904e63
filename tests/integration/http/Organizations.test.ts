/** Organizations, their members, teams and roles in projects, as people use them over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, person, refused } from "./Server.ts"
import { organizationOf, join } from "./Team.ts"

layer(server())("an organization", (it) => {
  it.effect("is there for every account, with a first project, and is renamed and deleted", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const [own] = (yield* ada.withSession("GET", "/organizations")).body
      assert.deepInclude(own, { name: "Ada", role: "owner", members: 1 })
      assert.match(own.id, /^org_/)
      const [project] = (yield* ada.withSession("GET", "/projects")).body
      assert.deepInclude(project, { organizationId: own.id, role: "owner" })

      const made = yield* ada.withSession("POST", "/organizations", { name: "Acme" })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { name: "Acme", role: "owner", members: 1 })
      const renamed = yield* ada.withSession("PATCH", `/organizations/${made.body.id}`, { name: "Acme Inc." })
      assert.strictEqual(renamed.body.name, "Acme Inc.")
      const projects = (yield* ada.withSession("GET", "/projects")).body
      assert.sameMembers(
        projects.map((one: { readonly organizationId: string }) => one.organizationId),
        [own.id, made.body.id]
      )
      const path = `/organizations/${made.body.id}`
      assert.deepStrictEqual((yield* ada.withSession("DELETE", path)).body, { id: made.body.id, deleted: true })
      refused(yield* ada.withSession("GET", path), 404, "not_found")
      assert.lengthOf((yield* ada.withSession("GET", "/projects")).body, 1)
      const entries = (yield* ada.withSession("GET", "/audit-log/organization")).body
      assert.include(
        entries.map(({ action }: { readonly action: string }) => action),
        "organization.created"
      )
    })
  )

  it.effect("has no more than an account may own", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* Effect.forEach(
        Array.from({ length: 21 }, (_, index) => index),
        (index) => ada.withSession("POST", "/organizations", { name: `Org ${index}` }),
        { concurrency: 4 }
      )
      const statuses = made.map(({ status }) => status)
      assert.lengthOf(
        statuses.filter((status) => status === 201),
        19
      )
      const full = made.find(({ status }) => status !== 201)!
      refused(full, 403, "account_limit_reached")
      assert.deepInclude(full.body, { limit: 20, current: 20 })
    })
  )

  it.effect("does not exist for strangers, and says which field is wrong", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const path = `/organizations/${yield* organizationOf(ada)}`
      for (const route of ["", "/members", "/teams", "/invitations"])
        refused(yield* ben.withSession("GET", `${path}${route}`), 404, "not_found")
      refused(yield* ben.withSession("DELETE", path), 404, "not_found")
      refused(yield* ada.withSession("PATCH", path, { name: "" }), 422, "validation_failed", "name")
      refused(
        yield* ada.withSession("POST", "/organizations", { name: "A", size: 1 }),
        422,
        "validation_failed",
        "size"
      )
    })
  )

  it.effect("owns the projects that its owners and admins create in it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organizationId = yield* organizationOf(ada)
      const [admin, editor] = [yield* join(ada, "admin"), yield* join(ada, "editor")]
      const made = yield* admin.withSession("POST", "/projects", { name: "Shop", organizationId })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { organizationId, role: "admin" })
      const answer = yield* editor.withSession("POST", "/projects", { name: "Shop", organizationId })
      refused(answer, 403, "forbidden")
      assert.include(answer.body.detail, "the role admin")
      const ben = yield* person
      refused(yield* ben.withSession("POST", "/projects", { name: "Shop", organizationId }), 404, "not_found")
      const seen = (yield* editor.withSession("GET", "/projects")).body.find(
        (one: { readonly id: string }) => one.id === made.body.id
      )
      assert.strictEqual(seen.role, "editor")
      assert.match(seen.apiKey, /^••••/)
    })
  )
})

layer(server())("the members of an organization", (it) => {
  it.effect("are listed with their roles, and change them within the rules", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/organizations/${yield* organizationOf(ada)}/members`
      const admin = yield* join(ada, "admin")
      const other = yield* join(ada, "editor")
      const listed = (yield* other.withSession("GET", path)).body
      assert.sameDeepMembers(
        listed.map(({ email, role, source }: any) => ({ email, role, source })),
        [
          { email: ada.email, role: "owner", source: "founder" },
          { email: admin.email, role: "admin", source: "invitation" },
          { email: other.email, role: "editor", source: "invitation" }
        ]
      )
      assert.isNumber(Date.parse(listed[0].lastSeenAt))
      const change = (by: typeof ada, userId: string, role: string) =>
        by.withSession("PATCH", `${path}/${userId}`, { role })
      assert.strictEqual((yield* change(admin, other.userId, "viewer")).body.role, "viewer")
      // Nobody gives a role above their own, nor takes one.
      for (const [userId, role] of [
        [other.userId, "owner"],
        [admin.userId, "owner"],
        [ada.userId, "viewer"]
      ] as const) {
        const answer = yield* change(admin, userId, role)
        refused(answer, 403, "forbidden")
        assert.include(answer.body.detail, "the role owner")
      }
      refused(yield* change(other, other.userId, "editor"), 403, "forbidden")
      refused(yield* change(ada, "usr_none", "editor"), 404, "not_found")
      refused(yield* change(ada, other.userId, "king"), 422, "validation_failed", "role")
      // The last owner stays one.
      refused(yield* change(ada, ada.userId, "admin"), 409, "conflict")
      refused(yield* ada.withSession("DELETE", `${path}/${ada.userId}`), 409, "conflict")
      assert.strictEqual((yield* change(ada, admin.userId, "owner")).status, 200)
      assert.strictEqual((yield* change(admin, ada.userId, "viewer")).status, 200)
      refused(yield* change(admin, admin.userId, "admin"), 409, "conflict")
      // Who may do less has less at once.
      refused(yield* change(ada, other.userId, "editor"), 403, "forbidden")
    })
  )

  it.effect("are listed by their names without case and accents, and with numbers by their value", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organization = `/organizations/${yield* organizationOf(ada)}`
      const [ten, two] = [yield* join(ada, "editor"), yield* join(ada, "editor")]
      const names = new Map([
        [ten.userId, "Émile 10"],
        [two.userId, "émile 2"],
        [ada.userId, "Zoë"]
      ])
      const sql = yield* SqlClient.SqlClient
      for (const [id, name] of names) yield* sql`UPDATE users SET name = ${name} WHERE id = ${id}`
      const [project] = (yield* ada.withSession("GET", "/projects")).body
      const team = (yield* ada.withSession("POST", `${organization}/teams`, { name: "All" })).body
      for (const id of names.keys()) yield* ada.withSession("PUT", `${organization}/teams/${team.id}/members/${id}`)
      const [listed] = (yield* ada.withSession("GET", `${organization}/teams`)).body
      const wanted = ["émile 2", "Émile 10", "Zoë"]
      const namesAt = (path: string) =>
        Effect.map(ada.withSession("GET", path), ({ body }) => body.map(({ name }: any) => name))
      assert.deepStrictEqual(yield* namesAt(`${organization}/members`), wanted)
      assert.deepStrictEqual(yield* namesAt(`/projects/${project.id}/members`), wanted)
      assert.deepStrictEqual(
        listed.memberIds.map((id: any) => names.get(id)),
        wanted
      )
    })
  )

  it.effect("never leave it without an owner, even when two owners leave at the same time", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const ada = yield* person
        const path = `/organizations/${yield* organizationOf(ada)}/members`
        const ben = yield* join(ada, "owner")
        const left = yield* Effect.all(
          [ada.withSession("DELETE", `${path}/${ada.userId}`), ben.withSession("DELETE", `${path}/${ben.userId}`)],
          { concurrency: 2 }
        )
        assert.sameMembers(
          left.map(({ status }) => status),
          [200, 409]
        )
      }
    })
  )

  it.effect("leave, are removed, and have no access from then on", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/organizations/${yield* organizationOf(ada)}/members`
      const [editor, viewer] = [yield* join(ada, "editor"), yield* join(ada, "viewer")]
      const inProject = { "kanmon-project": ada.projectId }
      assert.strictEqual((yield* editor.withSession("GET", "/monitors", undefined, inProject)).status, 200)
      refused(yield* viewer.withSession("DELETE", `${path}/${editor.userId}`), 403, "forbidden")
      refused(yield* editor.withSession("DELETE", `${path}/${ada.userId}`), 403, "forbidden")
      assert.strictEqual((yield* viewer.withSession("DELETE", `${path}/${viewer.userId}`)).status, 200)
      assert.strictEqual((yield* ada.withSession("DELETE", `${path}/${editor.userId}`)).status, 200)
      for (const gone of [editor, viewer]) {
        refused(yield* gone.withSession("GET", "/monitors", undefined, inProject), 404, "not_found")
        refused(yield* gone.withSession("GET", path), 404, "not_found")
        assert.isEmpty((yield* gone.withSession("GET", "/projects")).body)
      }
      refused(yield* ada.withSession("DELETE", `${path}/${editor.userId}`), 404, "not_found")
      const actions = (yield* ada.withSession("GET", "/audit-log/organization?action=member.*")).body
      assert.sameMembers(
        actions.map(({ action, target }: any) => `${action} ${target.name}`),
        [
          `member.added ${editor.email}`,
          `member.added ${viewer.email}`,
          `member.removed ${editor.email}`,
          `member.removed ${viewer.email}`
        ]
      )
    })
  )
})

layer(server())("a role in a project", (it) => {
  it.effect("is raised for one project, and reset", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const viewer = yield* join(ada, "viewer")
      const other = (yield* ada.withSession("POST", "/projects", { name: "Other" })).body.id
      const path = `/projects/${ada.projectId}/members/${viewer.userId}`
      const raised = yield* ada.withSession("PUT", path, { role: "editor" })
      assert.deepInclude(raised.body, { role: "editor", organizationRole: "viewer", projectRole: "editor" })
      const create = (projectId: string) =>
        viewer.withSession(
          "POST",
          "/monitors",
          { name: "A", type: "http", url: "https://a.example/" },
          { "kanmon-project": projectId }
        )
      assert.strictEqual((yield* create(ada.projectId)).status, 201)
      refused(yield* create(other), 403, "forbidden")
      const roles = (yield* viewer.withSession("GET", "/projects")).body
      assert.sameMembers(
        roles.map(({ role }: { readonly role: string }) => role),
        ["editor", "viewer"]
      )
      refused(yield* ada.withSession("PUT", path, { role: "viewer" }), 422, "validation_failed", "role")
      const reset = yield* ada.withSession("DELETE", path)
      assert.deepInclude(reset.body, { role: "viewer", projectRole: null })
      refused(yield* create(ada.projectId), 403, "forbidden")
      const [entry] = (yield* ada.withKey("GET", "/audit-log?action=member.*")).body
      assert.deepInclude(entry, { action: "member.project_role_changed", before: { role: "editor" } })
    })
  )

  it.effect("is given by admins of the project, not above their own, and not by keys", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const [lead, viewer, stranger] = [yield* join(ada, "viewer"), yield* join(ada, "viewer"), yield* person]
      const path = `/projects/${ada.projectId}/members`
      yield* ada.withSession("PUT", `${path}/${lead.userId}`, { role: "admin" })
      assert.strictEqual((yield* lead.withSession("PUT", `${path}/${viewer.userId}`, { role: "editor" })).status, 200)
      refused(yield* lead.withSession("PUT", `${path}/${viewer.userId}`, { role: "owner" }), 403, "forbidden")
      refused(yield* lead.withSession("PUT", `${path}/${ada.userId}`, { role: "owner" }), 403, "forbidden")
      refused(yield* viewer.withSession("PUT", `${path}/${viewer.userId}`, { role: "admin" }), 403, "forbidden")
      refused(yield* lead.withSession("PUT", `${path}/${stranger.userId}`, { role: "editor" }), 404, "not_found")
      refused(yield* ada.withKey("PUT", `${path}/${viewer.userId}`, { role: "admin" }), 403, "forbidden")
      // The role in the project is none in the organization.
      const organization = `/organizations/${yield* organizationOf(ada)}`
      refused(yield* lead.withSession("PATCH", organization, { name: "Mine" }), 403, "forbidden")
      const listed = (yield* viewer.withSession("GET", path)).body
      assert.lengthOf(listed, 3)
    })
  )
})

layer(server())("teams", (it) => {
  it.effect("are named sets of members", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const [editor, stranger] = [yield* join(ada, "editor"), yield* person]
      const path = `/organizations/${yield* organizationOf(ada)}/teams`
      const made = yield* ada.withSession("POST", path, { name: "On call" })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { name: "On call", memberIds: [] })
      refused(yield* ada.withSession("POST", path, { name: "ON CALL" }), 409, "conflict")
      refused(yield* editor.withSession("POST", path, { name: "Mine" }), 403, "forbidden")
      const team = `${path}/${made.body.id}`
      const member = `${team}/members/${editor.userId}`
      assert.deepStrictEqual((yield* ada.withSession("PUT", member)).body.memberIds, [editor.userId])
      assert.strictEqual((yield* ada.withSession("PUT", member)).status, 200)
      refused(yield* ada.withSession("PUT", `${team}/members/${stranger.userId}`), 404, "not_found")
      assert.strictEqual((yield* ada.withSession("PATCH", team, { name: "First line" })).body.name, "First line")
      assert.lengthOf((yield* editor.withSession("GET", path)).body, 1)
      assert.isEmpty((yield* ada.withSession("DELETE", member)).body.memberIds)
      yield* ada.withSession("PUT", member)
      // Whoever leaves the organization leaves its teams.
      yield* ada.withSession("DELETE", `/organizations/${yield* organizationOf(ada)}/members/${editor.userId}`)
      assert.isEmpty((yield* ada.withSession("GET", path)).body[0].memberIds)
      assert.strictEqual((yield* ada.withSession("DELETE", team)).status, 200)
      refused(yield* ada.withSession("DELETE", team), 404, "not_found")
      // Another organization's team is not found.
      const bens = `/organizations/${yield* organizationOf(stranger)}/teams`
      const theirs = yield* stranger.withSession("POST", bens, { name: "Theirs" })
      refused(yield* ada.withSession("DELETE", `${path}/${theirs.body.id}`), 404, "not_found")
    })
  )
})

layer(server({ defaultPlan: "plan_free" }))("the members of a plan", (it) => {
  it.effect("are three besides viewers, also when many are added at the same time", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const id = yield* organizationOf(ada)
      const viewers = yield* Effect.all(Array.from({ length: 4 }, () => join(ada, "viewer")))
      const raised = yield* Effect.forEach(
        viewers,
        ({ userId }) => ada.withSession("PATCH", `/organizations/${id}/members/${userId}`, { role: "editor" }),
        { concurrency: 4 }
      )
      assert.sameMembers(
        raised.map(({ status }) => status),
        [200, 200, 402, 402]
      )
      const full = raised.find(({ status }) => status === 402)!
      refused(full, 402, "plan_limit_reached")
      assert.deepInclude(full.body, { limit: 3, current: 3, planId: "plan_free" })
      const invited = yield* ada.withSession("POST", `/organizations/${id}/invitations`, {
        email: "new@example.org",
        role: "responder"
      })
      refused(invited, 402, "plan_limit_reached")
      const stays = viewers.find((_, index) => raised[index]!.status === 402)!
      refused(
        yield* ada.withSession("PUT", `/projects/${ada.projectId}/members/${stays.userId}`, { role: "editor" }),
        402,
        "plan_limit_reached"
      )
      // A smaller plan takes nothing away.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE organization_members SET role = 'editor' WHERE organization_id = ${id} AND role = 'viewer'`
      assert.lengthOf((yield* ada.withSession("GET", `/organizations/${id}/members`)).body, 5)
      assert.strictEqual((yield* call("GET", "/health/live")).status, 200)
    })
  )
})
