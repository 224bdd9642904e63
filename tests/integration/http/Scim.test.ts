/** Provisioning by SCIM as identity providers do it, against the whole API. */
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as EventReader from "../../support/EventReader.ts"
import * as OidcProvider from "../../support/OidcProvider.ts"
import { call, cookieOf, layer as server, password, person, port, publicUrl, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"
import { enterpriseSchema, groupSchema, patch, scimRefused, scimWith, tenant, user, userSchema } from "./ScimStage.ts"
import { browser, Provider, redirectUri, signIn } from "./SignOnStage.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "60 seconds" } as const

/** Signs a provisioned person in, who has chosen a password by mail. */
const signInWithPassword = Effect.fnUntraced(function* (email: string, like: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts (id, user_id, provider_id, account_id, password, created_at, updated_at)
    SELECT 'acc_' || u.id, u.id, 'credential', u.id, a.password, now(), now() FROM users u, accounts a JOIN users o ON o.id = a.user_id
    WHERE u.email = ${email} AND o.email = ${like} AND a.provider_id = 'credential'`
  const answer = yield* call("POST", "/auth/sign-in/email", { email, password })
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return cookieOf(answer)
})

layer(shared, live)("provisioning", (it) => {
  it.effect("follows Entra ID: looks up, creates, renames, groups, deactivates, brings back and deletes", () =>
    Effect.gen(function* () {
      const { domain, mapped, members, owner, scim } = yield* tenant
      yield* mapped({ "0a1b-object-id": "editor" })
      // The connection test looks up somebody who does not exist.
      const nobody = yield* scim("GET", `/Users?filter=${encodeURIComponent('userName eq "b1f3-9c"')}`)
      assert.deepInclude(nobody.body, { totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] })
      assert.strictEqual(nobody.headers.get("content-type"), "application/scim+json")

      const email = `ben@${domain}`
      const created = yield* scim("POST", "/Users", {
        schemas: [userSchema, enterpriseSchema],
        externalId: "ben",
        userName: email,
        active: true,
        displayName: "Ben",
        emails: [{ primary: true, type: "work", value: `Ben@${domain}` }],
        meta: { resourceType: "User" },
        name: { formatted: "Ben Okafor", familyName: "Okafor", givenName: "Ben" },
        roles: [],
        [enterpriseSchema]: { department: "IT" }
      })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      const { id } = created.body
      assert.match(id, /^usr_/)
      assert.strictEqual(created.headers.get("location"), `${publicUrl}${basePath}/scim/v2/Users/${id}`)
      assert.strictEqual(created.headers.get("etag"), created.body.meta.version)
      assert.deepInclude(created.body, { userName: email, externalId: "ben", active: true })
      assert.strictEqual((yield* members)[email], "viewer by scim")

      const group = yield* scim("POST", "/Groups", {
        schemas: [groupSchema, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
        externalId: "0a1b-object-id",
        displayName: "On call",
        meta: { resourceType: "Group" }
      })
      assert.strictEqual(group.status, 201, JSON.stringify(group.body))
      const added = yield* scim(
        "PATCH",
        `/Groups/${group.body.id}`,
        patch({ op: "Add", path: "members", value: [{ value: id }] })
      )
      assert.strictEqual(added.status, 200, JSON.stringify(added.body))
      assert.deepInclude(added.body.members[0], { value: id, display: email, type: "User" })
      assert.strictEqual((yield* members)[email], "editor by scim")
      const looked = yield* scim(
        "GET",
        `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "on CALL"')}`
      )
      assert.strictEqual(looked.body.totalResults, 1)
      assert.notProperty(looked.body.Resources[0], "members")
      const member = yield* scim(
        "GET",
        `/Groups?attributes=id&filter=${encodeURIComponent(`id eq "${group.body.id}" and members eq "${id}"`)}`
      )
      assert.deepStrictEqual(member.body.Resources, [{ schemas: [groupSchema], id: group.body.id }])

      const renamed = yield* scim(
        "PATCH",
        `/Users/${id}`,
        patch(
          { op: "Replace", path: 'emails[type eq "work"].value', value: `benjamin@${domain}` },
          { op: "Replace", path: "userName", value: `benjamin@${domain}` },
          { op: "Add", path: "displayName", value: "Benjamin Okafor" },
          { op: "Add", path: `${enterpriseSchema}:department`, value: "Operations" }
        )
      )
      assert.strictEqual(renamed.status, 200, JSON.stringify(renamed.body))
      assert.strictEqual((yield* members)[`benjamin@${domain}`], "editor by scim")
      const cookie = yield* signInWithPassword(`benjamin@${domain}`, owner.email)

      const stream = yield* EventReader.open(
        `http://127.0.0.1:${yield* port}${basePath}/events?project=${owner.projectId}`,
        { cookie }
      )
      const off = yield* scim("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }))
      assert.isFalse(off.body.active)
      assert.strictEqual((yield* stream.rest).end, "ended")
      assert.notProperty(yield* members, `benjamin@${domain}`)
      // Nothing else gave access: no session is left.
      refused(yield* call("GET", "/projects", undefined, { cookie }), 401, "unauthorized")

      const on = yield* scim("PATCH", `/Users/${id}`, patch({ op: "Replace", value: { active: "True" } }))
      assert.isTrue(on.body.active)
      assert.strictEqual((yield* members)[`benjamin@${domain}`], "editor by scim")
      yield* scim("PATCH", `/Groups/${group.body.id}`, patch({ op: "Remove", path: "members", value: [{ value: id }] }))
      assert.strictEqual((yield* members)[`benjamin@${domain}`], "viewer by scim")

      assert.strictEqual((yield* scim("DELETE", `/Users/${id}`)).status, 204)
      scimRefused(yield* scim("GET", `/Users/${id}`), 404)
      scimRefused(yield* scim("DELETE", `/Users/${id}`), 404)
      assert.notProperty(yield* members, `benjamin@${domain}`)
      assert.strictEqual((yield* scim("DELETE", `/Groups/${group.body.id}`)).status, 204)

      const log = yield* owner.withSession("GET", "/audit-log/organization?limit=50")
      const own = (log.body as ReadonlyArray<any>).filter(({ actor }) => actor.kind === "key")
      assert.isTrue(own.every(({ actor }) => actor.name === "Directory" && actor.id.startsWith("scim_")))
      assert.includeMembers(
        own.map(({ action }) => action),
        [
          "account.created",
          "account.updated",
          "member.added",
          "member.removed",
          "member.role_changed",
          "scim_group.created",
          "scim_group.deleted",
          "scim_group.updated",
          "scim_user.created",
          "scim_user.deleted",
          "scim_user.updated"
        ]
      )
    })
  )

  it.effect("follows Okta: pages, replaces whole users and groups, and deactivates", () =>
    Effect.gen(function* () {
      const { domain, mapped, members, scim } = yield* tenant
      yield* mapped({ sre: "editor", leads: "admin" }, null)
      const first = yield* scim("GET", "/Users?startIndex=1&count=2")
      assert.deepInclude(first.body, { totalResults: 0, startIndex: 1, itemsPerPage: 0 })
      const body = (name: string, active = true) => ({
        schemas: [userSchema],
        userName: `${name}@${domain}`,
        name: { givenName: name, familyName: "Example" },
        emails: [{ primary: true, value: `${name}@${domain}`, type: "work" }],
        displayName: `${name} Example`,
        locale: "en-US",
        externalId: `00u${name}`,
        groups: [],
        password: "1mz050nq",
        active
      })
      const ids: Array<string> = []
      for (const name of ["ada", "ben", "cleo"]) {
        const made = yield* scim("POST", "/Users", body(name))
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
        assert.notProperty(made.body, "password")
        ids.push(made.body.id)
      }
      // Without a group nobody has a role, and so nobody is a member yet.
      assert.lengthOf(Object.keys(yield* members), 1)
      const second = yield* scim("GET", "/Users?startIndex=3&count=2")
      assert.deepInclude(second.body, { totalResults: 3, startIndex: 3, itemsPerPage: 1 })
      assert.lengthOf((yield* scim("GET", "/Users?count=0")).body.Resources, 0)
      assert.strictEqual((yield* scim("GET", "/Users?count=100000&startIndex=-5")).body.itemsPerPage, 3)
      scimRefused(yield* scim("GET", "/Users?count=many"), 400, "invalidValue")

      scimRefused(yield* scim("POST", "/Users", body("ada")), 409, "uniqueness")
      scimRefused(yield* scim("POST", "/Users", { ...body("dora"), externalId: "00uada" }), 409, "uniqueness")

      const pushed = yield* scim("POST", "/Groups", {
        schemas: [groupSchema],
        displayName: "sre",
        members: [{ value: ids[0], display: `ada@${domain}` }]
      })
      assert.strictEqual(pushed.status, 201, JSON.stringify(pushed.body))
      const group = pushed.body.id
      assert.strictEqual((yield* members)[`ada@${domain}`], "editor by scim")
      scimRefused(yield* scim("POST", "/Groups", { displayName: "SRE" }), 409, "uniqueness")

      const replaced = yield* scim("PUT", `/Groups/${group}`, {
        schemas: [groupSchema],
        id: group,
        displayName: "sre",
        members: [{ value: ids[1] }, { value: ids[2] }]
      })
      assert.strictEqual(replaced.status, 200, JSON.stringify(replaced.body))
      assert.deepInclude(yield* members, { [`ben@${domain}`]: "editor by scim", [`cleo@${domain}`]: "editor by scim" })
      assert.notProperty(yield* members, `ada@${domain}`)
      const removed = yield* scim(
        "PATCH",
        `/Groups/${group}`,
        patch({ op: "remove", path: `members[value eq "${ids[2]}"]` })
      )
      assert.lengthOf(removed.body.members, 1)
      yield* scim("PATCH", `/Groups/${group}`, patch({ op: "replace", value: { id: group, displayName: "leads" } }))
      assert.strictEqual((yield* members)[`ben@${domain}`], "admin by scim")

      const shown = yield* scim("GET", `/Users/${ids[1]}`)
      assert.strictEqual(shown.body.groups[0].display, "leads")
      const off = yield* scim("PUT", `/Users/${ids[1]}`, body("ben", false))
      assert.isFalse(off.body.active)
      assert.notProperty(yield* members, `ben@${domain}`)

      const stale = { "if-match": shown.body.meta.version }
      scimRefused(yield* scim("PUT", `/Users/${ids[1]}`, body("ben"), stale), 412)
      const fresh = { "if-match": off.body.meta.version }
      assert.strictEqual((yield* scim("PUT", `/Users/${ids[1]}`, body("ben"), fresh)).status, 200)
      assert.strictEqual((yield* scim("DELETE", `/Groups/${group}`)).status, 204)
      assert.notProperty(yield* members, `ben@${domain}`)
    })
  )

  it.effect("finds people by filters", () =>
    Effect.gen(function* () {
      const { domain, provision, scim } = yield* tenant
      yield* provision("ada", {
        externalId: "A1",
        displayName: "Ada",
        emails: [{ type: "work", value: `ada@${domain}` }]
      })
      yield* provision("ben", { externalId: "B1", active: false })
      const found = (filter: string) =>
        Effect.map(scim("GET", `/Users?filter=${encodeURIComponent(filter)}`), ({ body }) =>
          (body.Resources as ReadonlyArray<any>).map(({ userName }) => String(userName).split("@")[0])
        )
      const expectations: ReadonlyArray<readonly [string, Array<string>]> = [
        [`userName eq "ADA@${domain}"`, ["ada"]],
        ['externalId eq "B1"', ["ben"]],
        ['externalId eq "b1"', []],
        [`userName sw "a" or userName sw "b"`, ["ada", "ben"]],
        ['displayName co "ad" and active eq true', ["ada"]],
        ["active eq False", ["ben"]],
        [`emails[type eq "work" and value eq "ada@${domain}"]`, ["ada"]],
        [`emails.value eq "ada@${domain}"`, ["ada"]],
        ["not (active eq true)", ["ben"]],
        ['meta.lastModified gt "2020-01-01T00:00:00Z"', ["ada", "ben"]],
        ["title pr", []]
      ]
      for (const [filter, expected] of expectations) assert.deepStrictEqual(yield* found(filter), expected, filter)
    })
  )

  it.effect("describes itself", () =>
    Effect.gen(function* () {
      const { scim } = yield* tenant
      const config = yield* scim("GET", "/ServiceProviderConfig")
      assert.deepInclude(config.body, { patch: { supported: true }, filter: { supported: true, maxResults: 200 } })
      assert.deepStrictEqual(
        (yield* scim("GET", "/ResourceTypes")).body.Resources.map(({ endpoint }: any) => endpoint),
        ["/Users", "/Groups"]
      )
      assert.strictEqual((yield* scim("GET", "/ResourceTypes/Group")).body.schema, groupSchema)
      assert.include(
        (yield* scim("GET", `/Schemas/${userSchema}`)).body.attributes.map(({ name }: any) => name),
        "userName"
      )
      assert.strictEqual((yield* scim("GET", "/Schemas")).body.totalResults, 2)
      scimRefused(yield* scim("GET", "/Schemas/none"), 404)
      scimRefused(yield* scim("GET", "/Nothing"), 404)
      scimRefused(yield* scim("GET", "/Users/usr_1/more"), 404)
      scimRefused(yield* scim("POST", "/Bulk", {}), 501)
      scimRefused(yield* scim("GET", "/Me"), 501)
      const wrong = yield* scim("PUT", "/Users", {})
      scimRefused(wrong, 405)
      assert.strictEqual(wrong.headers.get("allow"), "GET, POST")
    })
  )
})

layer(shared, live)("a provisioned person", (it) => {
  it.effect("keeps what other organizations gave, with the sessions, when this one takes access away", () =>
    Effect.gen(function* () {
      const { domain, members, owner, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      const other = yield* person
      const email = `grace@${domain}`
      yield* sql`UPDATE users SET email = ${email}, email_verified = true WHERE id = ${other.userId}`
      const made = yield* scim("POST", "/Users", user(email, { displayName: "Somebody else" }))
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.strictEqual(made.body.id, other.userId)
      assert.strictEqual((yield* members)[email], "viewer by scim")
      assert.strictEqual((yield* other.withSession("GET", "/projects")).body.length, 2)

      yield* scim("PATCH", `/Users/${other.userId}`, patch({ op: "replace", path: "active", value: false }))
      const projects = yield* other.withSession("GET", "/projects")
      assert.strictEqual(projects.status, 200)
      assert.deepStrictEqual(
        projects.body.map(({ id }: any) => id),
        [other.projectId]
      )
      refused(
        yield* other.withSession("GET", "/monitors", undefined, { "kanmon-project": owner.projectId }),
        404,
        "not_found"
      )
      yield* scim("DELETE", `/Users/${other.userId}`)
      assert.strictEqual((yield* other.withSession("GET", "/projects")).status, 200)
      // Their own organization is none of this directory's business.
      assert.notStrictEqual(yield* organizationOf(other), "")
    })
  )

  it.effect("is no account that never verified its address: a stranger may have taken it", () =>
    Effect.gen(function* () {
      const { domain, members, scim } = yield* tenant
      const email = `taken@${domain}`
      const stranger = yield* call("POST", "/auth/sign-up/email", { name: "Mallory", email, password })
      assert.strictEqual(stranger.status, 200)
      scimRefused(yield* scim("POST", "/Users", user(email)), 409, "uniqueness", /never verified/)
      assert.notProperty(yield* members, email)
    })
  )

  it.effect("cannot sign up again or come in by itself while the directory has deactivated it", () =>
    Effect.gen(function* () {
      const { domain, provision } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      yield* provision("ben", { active: false })
      yield* sql`UPDATE users SET created_at = now() - interval '1 day' WHERE email = ${`ben@${domain}`}`
      // An account without any way to sign in would count as a sign-up that was interrupted.
      yield* call("POST", "/auth/sign-up/email", { name: "Mallory", email: `ben@${domain}`, password })
      const found = yield* sql`SELECT s.user_id FROM scim_users s JOIN users u ON u.id = s.user_id
        WHERE u.email = ${`ben@${domain}`}`
      assert.lengthOf(found, 1)
      assert.notStrictEqual(
        (yield* call("POST", "/auth/sign-in/email", { email: `ben@${domain}`, password })).status,
        200
      )
    })
  )

  it.effect("is never the last owner who leaves or loses the role", () =>
    Effect.gen(function* () {
      const { domain, mapped, members, organizationId, owner, provision, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      yield* mapped({ owners: "owner" })
      const ada = yield* provision("ada")
      const made = yield* scim("POST", "/Groups", { displayName: "owners", members: [{ value: ada.id }] })
      assert.strictEqual((yield* members)[`ada@${domain}`], "owner by scim")
      yield* sql`DELETE FROM organization_members WHERE organization_id = ${organizationId} AND user_id = ${owner.userId}`
      const role = Effect.map(
        sql`SELECT role FROM organization_members WHERE organization_id = ${organizationId}`,
        (rows) => rows.map((row) => row["role"])
      )
      const off = patch({ op: "replace", path: "active", value: false })
      for (const answer of [
        yield* scim("PATCH", `/Users/${ada.id}`, off),
        yield* scim("DELETE", `/Users/${ada.id}`),
        yield* scim("DELETE", `/Groups/${made.body.id}`),
        yield* scim("PATCH", `/Groups/${made.body.id}`, patch({ op: "remove", path: "members" })),
        yield* scim("PUT", `/Groups/${made.body.id}`, { displayName: "renamed", members: [{ value: ada.id }] })
      ])
        scimRefused(answer, 409, undefined, /last owner/)
      assert.deepStrictEqual(yield* role, ["owner"])
      assert.isTrue((yield* scim("GET", `/Users/${ada.id}`)).body.active)
      assert.strictEqual((yield* scim("GET", `/Groups/${made.body.id}`)).body.displayName, "owners")
    })
  )
})

const withProvider = server().pipe(Layer.provideMerge(Layer.effect(Provider, OidcProvider.make([]))))

layer(withProvider, live)("a person whom the directory deactivated", (it) => {
  it.effect("is not let in by single sign-on, which gives provisioned groups their role", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const { domain, members, organizationId, owner, provision, route, scim } = yield* tenant
      provider.register(redirectUri(organizationId))
      const saved = yield* owner.withSession("PUT", `${route}/sso`, {
        protocol: "oidc",
        enabled: true,
        enforced: false,
        roles: [{ group: "sre", role: "editor" }],
        defaultRole: "viewer",
        issuer: provider.issuer,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        scopes: ["email", "profile"],
        groupsClaim: "groups"
      })
      assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
      const email = `ben@${domain}`
      const ben = yield* provision("ben")
      yield* scim("POST", "/Groups", { displayName: "sre", members: [{ value: ben.id }] })
      provider.arrive({ sub: "ben", email, email_verified: true })
      const arrive = Effect.flatMap(browser, (visitor) =>
        signIn(visitor, { organization: organizationId, callbackURL: "/monitors" })
      )
      assert.strictEqual((yield* arrive).url.pathname, "/monitors")
      assert.strictEqual((yield* members)[email], "editor by scim")

      yield* scim("PATCH", `/Users/${ben.id}`, patch({ op: "replace", path: "active", value: false }))
      const refusedAt = yield* arrive
      assert.strictEqual(refusedAt.status, 403)
      assert.include(refusedAt.text, "removed your access")
      assert.notProperty(yield* members, email)
      yield* scim("PATCH", `/Users/${ben.id}`, patch({ op: "replace", path: "active", value: true }))
      assert.strictEqual((yield* arrive).url.pathname, "/monitors")
    })
  )
})

layer(server({ limits: { reads: 4 } }), live)("the limits of provisioning", (it) => {
  it.effect("are shared by the tokens of an organization, as those of an account by its keys", () =>
    Effect.gen(function* () {
      const { organizationId, owner } = yield* tenant
      const other = yield* tenant
      const statuses: Array<number> = []
      for (let index = 0; index < 6; index++) {
        const made = yield* owner.withSession("POST", `/organizations/${organizationId}/scim-tokens`, {
          name: `Directory ${index}`
        })
        const scim = yield* scimWith(made.body.token)
        for (let times = 0; times < 4; times++) statuses.push((yield* scim("GET", "/Users?count=1")).status)
      }
      assert.deepStrictEqual([...new Set(statuses)], [200, 429])
      assert.strictEqual((yield* other.scim("GET", "/Users?count=1")).status, 200)
    })
  )
})
