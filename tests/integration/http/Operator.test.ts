/** The people of an installation: only administrators list, disable and impersonate, and nobody gains rights by it. */
import { assert, layer } from "@effect/vitest"
import { SignInFailureRepository } from "@kanmon/identity/testing/accounts/SignInFailureRepository.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, cookieOf, layer as server, password, person, refused, shop } from "./Server.ts"
import { join } from "./Team.ts"

const live = { excludeTestServices: true } as const

const accountOf = (cookie: string) =>
  Effect.map(
    call("GET", "/auth/get-session", undefined, { cookie }),
    ({ body }) => body.user as { readonly id: string }
  )

const administrator = Effect.gen(function* () {
  const boss = yield* person
  const { id } = yield* accountOf(boss.cookie)
  yield* (yield* SqlClient.SqlClient)`UPDATE users SET is_admin = true WHERE id = ${id}`
  return { ...boss, id }
})

const somebody = Effect.gen(function* () {
  const ada = yield* person
  const organizations = yield* ada.withSession("GET", "/organizations")
  return { ...ada, id: (yield* accountOf(ada.cookie)).id, organizationId: organizations.body[0].id as string }
})

layer(server(), live)("administrators of the installation", (it) => {
  it.effect("find accounts and organizations, with what they have", () =>
    Effect.gen(function* () {
      const [boss, ada] = [yield* administrator, yield* somebody]
      yield* ada.withKey("POST", "/monitors", shop)
      const { body: accounts } = yield* boss.withSession("GET", `/installation/accounts?q=${ada.email.toUpperCase()}`)
      assert.lengthOf(accounts, 1)
      assert.deepInclude(accounts[0], { id: ada.id, isAdmin: false, organizations: 1, sessions: 1, disabledAt: null })
      assert.isString(accounts[0].lastSignedInAt)
      const { body: all } = yield* boss.withSession("GET", `/installation/organizations?q=${ada.email}`)
      assert.lengthOf(all, 1)
      assert.deepInclude(all[0], { id: ada.organizationId, owners: [ada.email], members: 1, projects: 1, monitors: 1 })
      yield* ada.withSession("PATCH", `/organizations/${ada.organizationId}`, { name: "Café Übermorgen" })
      const named = yield* boss.withSession("GET", `/installation/organizations?q=${encodeURIComponent("CAFé Über")}`)
      assert.lengthOf(named.body, 1)
      const { body: one } = yield* boss.withSession("GET", `/installation/accounts/${ada.id}`)
      assert.deepInclude(one.memberships[0], { organizationId: ada.organizationId, role: "owner" })
      const first = yield* boss.withSession("GET", "/installation/accounts?limit=1")
      assert.include(first.headers.get("link") ?? "", 'rel="next"')
      refused(yield* boss.withSession("GET", "/installation/accounts/usr_none"), 404, "not_found")
    })
  )

  it.effect("disable accounts: their sessions end and they cannot sign in, until they are enabled", () =>
    Effect.gen(function* () {
      const [boss, ada] = [yield* administrator, yield* somebody]
      const done = yield* boss.withSession("POST", `/installation/accounts/${ada.id}/disable`)
      assert.strictEqual(done.status, 200, JSON.stringify(done.body))
      assert.strictEqual(done.body.sessions, 0)
      assert.isString(done.body.disabledAt)
      refused(yield* ada.withSession("GET", "/projects"), 401, "unauthorized")
      const signIn = (tried: string) => call("POST", "/auth/sign-in/email", { email: ada.email, password: tried })
      refused(yield* signIn(password), 403, "account_disabled")
      // A stranger does not learn it.
      refused(yield* signIn("not this one"), 401, "unauthorized")
      assert.strictEqual((yield* ada.withKey("GET", "/monitors")).status, 200, "its organization goes on")
      yield* boss.withSession("POST", `/installation/accounts/${ada.id}/enable`)
      assert.strictEqual((yield* signIn(password)).status, 200)
      const log = yield* boss.withSession("GET", `/audit-log/installation?target=${ada.id}&actor=${boss.id}`)
      assert.deepStrictEqual(
        log.body.map(({ action }: any) => action),
        ["account.enabled", "account.disabled"]
      )
      refused(yield* boss.withSession("POST", `/installation/accounts/${boss.id}/disable`), 409, "conflict")
    })
  )

  it.effect("disable organizations: nothing is checked, shown or admitted, and nothing is lost", () =>
    Effect.gen(function* () {
      const [boss, ada] = [yield* administrator, yield* somebody]
      const { body: running } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: paused } = yield* ada.withKey("POST", "/monitors", { ...shop, paused: true })
      const slug = `page-${Date.now()}`
      yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug })
      const route = `/installation/organizations/${ada.organizationId}`
      const done = yield* boss.withSession("POST", `${route}/disable`)
      assert.strictEqual(done.status, 200, JSON.stringify(done.body))
      refused(yield* ada.withKey("GET", "/monitors"), 403, "organization_disabled")
      const inProject = { "kanmon-project": ada.projectId }
      refused(yield* ada.withSession("GET", "/monitors", undefined, inProject), 403, "organization_disabled")
      refused(yield* ada.withSession("GET", `/organizations/${ada.organizationId}`), 403, "organization_disabled")
      assert.strictEqual((yield* call("GET", `/public/status-pages/${slug}`)).status, 404)
      const pausedOf = (id: string) =>
        Effect.map(
          Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql`SELECT paused FROM monitors WHERE id = ${id}`)),
          ([row]) => row!["paused"]
        )
      assert.isTrue(yield* pausedOf(running.id))
      yield* boss.withSession("POST", `${route}/disable`)
      yield* boss.withSession("POST", `${route}/enable`)
      const after = yield* ada.withKey("GET", "/monitors")
      assert.deepStrictEqual(
        after.body.map(({ id, paused: now }: any) => [id, now]).toSorted(),
        [
          [running.id, false],
          [paused.id, true]
        ].toSorted()
      )
      const log = yield* boss.withSession(
        "GET",
        `/audit-log/installation?target=${ada.organizationId}&actor=${boss.id}`
      )
      assert.deepStrictEqual(
        log.body.map(({ action }: any) => action),
        ["organization.enabled", "organization.disabled"]
      )
    })
  )
})

layer(server(), live)("an administrator who acts as an account", (it) => {
  const acting = Effect.gen(function* () {
    const [boss, ada] = [yield* administrator, yield* somebody]
    const begun = yield* boss.withSession("POST", `/installation/accounts/${ada.id}/impersonate`)
    assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
    const cookie = cookieOf(begun)
    const act: typeof call = (method, route, body, headers) => call(method, route, body, { cookie, ...headers })
    return { boss, ada, cookie, act }
  })

  it.effect("is named in the session and in every entry, and returns with one call", () =>
    Effect.gen(function* () {
      const { act, ada, boss } = yield* acting
      const { body } = yield* act("GET", "/auth/get-session")
      assert.deepInclude(body.user, { email: ada.email })
      assert.strictEqual(body.session.impersonatedBy, boss.id)
      assert.isAtMost(Date.parse(body.session.expiresAt), Date.now() + 3_600_000)
      const inProject = { "kanmon-project": ada.projectId }
      assert.strictEqual((yield* act("POST", "/monitors", shop, inProject)).status, 201)
      const { body: log } = yield* ada.withKey("GET", "/audit-log?action=monitor.created")
      assert.deepInclude(log[0].actor, { kind: "person", id: boss.id, name: boss.email })
      assert.deepStrictEqual(log[0].actor.onBehalfOf, { id: ada.id, name: ada.email })

      const ended = yield* act("DELETE", "/account/impersonation")
      assert.deepStrictEqual(ended.body, { success: true, restored: true })
      const own = yield* call("GET", "/auth/get-session", undefined, { cookie: cookieOf(ended) })
      assert.deepInclude(own.body.user, { email: boss.email })
      refused(yield* act("GET", "/projects"), 401, "unauthorized")
      const { body: about } = yield* ada.withSession("GET", `/audit-log/account?actor=${boss.id}`)
      assert.includeMembers(
        about.map(({ action }: any) => action),
        ["account.impersonated", "account.impersonation_ended"]
      )
    })
  )

  it.effect("cannot take the account over, or get more from it than editors may", () =>
    Effect.gen(function* () {
      const { act, ada } = yield* acting
      const inProject = { "kanmon-project": ada.projectId }
      for (const [method, route, body] of [
        ["POST", "/auth/change-password", { currentPassword: password, newPassword: "another good password" }],
        ["POST", "/auth/change-email", { newEmail: "eve@example.org" }],
        ["POST", "/auth/two-factor/enable", { password }],
        ["POST", "/auth/device/approve", { userCode: "BCDF-GHJK" }],
        ["GET", "/auth/passkey/list-user-passkeys", undefined],
        ["DELETE", "/account/sessions", undefined],
        ["POST", "/organizations", { name: "x" }],
        ["GET", "/installation/accounts", undefined],
        ["POST", `/installation/accounts/${ada.id}/impersonate`, undefined],
        ["POST", `/projects/${ada.projectId}/api-keys`, { name: "x", role: "admin" }],
        ["POST", `/projects/${ada.projectId}/api-key`, undefined],
        ["DELETE", `/projects/${ada.projectId}`, undefined],
        ["DELETE", `/organizations/${ada.organizationId}`, undefined],
        ["POST", `/organizations/${ada.organizationId}/invitations`, { email: "eve@example.org", role: "owner" }]
      ] as const)
        refused(yield* act(method, route, body), 403, "forbidden")
      yield* ada.withSession("PATCH", `/organizations/${ada.organizationId}`, { name: "Renamed" })
      const { body: read } = yield* act("GET", "/audit-log/account")
      assert.include(JSON.stringify(read), "account.impersonated")
      assert.notInclude(JSON.stringify(read), "organization.renamed")
      const { body: projects } = yield* act("GET", "/projects")
      assert.deepInclude(projects[0], { role: "editor" })
      assert.notInclude(JSON.stringify(projects), ada.key)
      for (const route of ["/organizations", `/organizations/${ada.organizationId}`])
        assert.deepInclude([(yield* act("GET", route)).body].flat()[0], { role: "editor" })
      assert.strictEqual((yield* act("GET", "/monitors", undefined, inProject)).status, 200)
    })
  )

  it.effect("is not taken for the person who is seen, nor for the network from which the person signs in", () =>
    Effect.gen(function* () {
      const { act, ada } = yield* acting
      const sql = yield* SqlClient.SqlClient
      const known = yield* SignInFailureRepository
      yield* sql`UPDATE sessions SET updated_at = '2026-01-01T00:00:00Z', ip_address = '192.0.2.1'
        WHERE user_id = ${ada.id} AND impersonated_by IS NULL`
      yield* act("GET", "/projects")
      const { body: members } = yield* act("GET", `/organizations/${ada.organizationId}/members`)
      assert.strictEqual(members[0].lastSeenAt, "2026-01-01T00:00:00.000Z")
      assert.deepStrictEqual(yield* known.sessionAddresses(ada.email), ["192.0.2.1"])
    }).pipe(Effect.provide(SignInFailureRepository.layer))
  )

  it.effect("removes no members, and does not leave for the account", () =>
    Effect.gen(function* () {
      const { act, ada } = yield* acting
      const ben = yield* join(ada, "admin")
      yield* ada.withSession("PATCH", `/organizations/${ada.organizationId}/members/${ben.userId}`, { role: "owner" })
      for (const userId of [ben.userId, ada.id])
        refused(yield* act("DELETE", `/organizations/${ada.organizationId}/members/${userId}`), 403, "forbidden")
      const { body: members } = yield* ada.withSession("GET", `/organizations/${ada.organizationId}/members`)
      assert.lengthOf(members, 2)
    })
  )

  it.effect("never acts as an administrator, and stops when either stands otherwise", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [boss, other] = [yield* administrator, yield* administrator]
      refused(yield* boss.withSession("POST", `/installation/accounts/${other.id}/impersonate`), 409, "conflict")
      const first = yield* acting
      yield* sql`UPDATE users SET is_admin = true WHERE id = ${first.ada.id}`
      refused(yield* first.act("GET", "/projects"), 401, "unauthorized")
      const second = yield* acting
      yield* sql`UPDATE users SET is_admin = false WHERE id = ${second.boss.id}`
      refused(yield* second.act("GET", "/projects"), 401, "unauthorized")
      const third = yield* acting
      yield* boss.withSession("POST", `/installation/accounts/${third.ada.id}/disable`)
      refused(yield* third.act("GET", "/projects"), 401, "unauthorized")
      refused(yield* boss.withSession("DELETE", "/account/impersonation"), 409, "conflict")
    })
  )
})

layer(server(), live)("everybody else", (it) => {
  it.effect("neither lists nor changes people", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* somebody, yield* somebody]
      for (const [method, route] of [
        ["GET", "/installation/accounts"],
        ["GET", `/installation/accounts/${ben.id}`],
        ["POST", `/installation/accounts/${ben.id}/disable`],
        ["POST", `/installation/accounts/${ben.id}/enable`],
        ["POST", `/installation/accounts/${ben.id}/impersonate`],
        ["GET", "/installation/organizations"],
        ["POST", `/installation/organizations/${ben.organizationId}/disable`],
        ["POST", `/installation/organizations/${ben.organizationId}/enable`]
      ] as const) {
        refused(yield* call(method, route), 401, "unauthorized")
        refused(yield* ada.withSession(method, route), 403, "forbidden")
        refused(yield* ada.withKey(method, route), 403, "forbidden")
      }
    })
  )
})
