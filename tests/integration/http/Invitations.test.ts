/** Invitations with a real mail server: to people with and without an account, and what strangers cannot do with them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { linkIn, linkTo, mailTo, printedFor, withConsole, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, refused } from "./Server.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "30 seconds" } as const

/** An owner whose address is verified, with the path of their invitations. */
const inviter = Effect.gen(function* () {
  const ada = yield* person
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE users SET email_verified = true WHERE id = ${ada.userId}`
  const organizationId = yield* organizationOf(ada)
  yield* ada.withSession("PATCH", `/organizations/${organizationId}`, { name: "Acme\r\nBcc: all@example.org" })
  yield* ada.withSession("PATCH", `/organizations/${organizationId}`, { name: "Acme" })
  return { ada, organizationId, path: `/organizations/${organizationId}/invitations` }
})

let guests = 0
const guest = () => `guest${++guests}@example.org`

const tokenTo = (email: string, count = 1) =>
  Effect.map(linkTo(email, { count, subject: /invite|Acme/i }), (link) => link.searchParams.get("token")!)

layer(withMail(), live)("an invitation", (it) => {
  it.effect("is mailed, and makes a member of somebody without an account", () =>
    Effect.gen(function* () {
      const { ada, organizationId, path } = yield* inviter
      const email = guest()
      const made = yield* ada.withSession("POST", path, { email: email.toUpperCase(), role: "editor" })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepInclude(made.body, { email, role: "editor", invitedBy: { userId: ada.userId, name: "Ada" } })
      assert.notProperty(made.body, "token")
      const link = yield* linkTo(email)
      assert.strictEqual(`${link.origin}${link.pathname}`, "http://kanmon.example/invitation")
      const token = link.searchParams.get("token")!
      assert.match(token, /^[0-9A-Za-z]{43}$/)
      const sql = yield* SqlClient.SqlClient
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM invitations`), token)

      const offer = yield* call("GET", `/invitations/${token}`)
      assert.deepInclude(offer.body, {
        organizationName: "Acme",
        email,
        role: "editor",
        invitedBy: "Ada",
        hasAccount: false
      })
      const up = yield* call("POST", "/auth/sign-up/email", { name: "Grace", email, password, invitation: token })
      assert.strictEqual(up.status, 200, JSON.stringify(up.body))
      assert.isTrue(up.body.user.emailVerified)
      const cookie = cookieOf(up)
      const organizations = (yield* call("GET", "/organizations", undefined, { cookie })).body
      assert.deepStrictEqual(
        organizations.map(({ id, role }: any) => [id, role]),
        [[organizationId, "editor"]]
      )
      assert.isEmpty((yield* ada.withSession("GET", path)).body)
      // It was used.
      refused(yield* call("GET", `/invitations/${token}`), 404, "not_found")
      refused(yield* call("POST", `/invitations/${token}/accept`, undefined, { cookie }), 404, "not_found")
      const again = { name: "Eve", email: guest(), password, invitation: token }
      refused(yield* call("POST", "/auth/sign-up/email", again), 422, "validation_failed", "invitation")
    })
  )

  it.effect("makes a member of somebody with an account, and verifies the address", () =>
    Effect.gen(function* () {
      const { ada, organizationId, path } = yield* inviter
      const ben = yield* person
      yield* ada.withSession("POST", path, { email: ben.email, role: "viewer" })
      const token = yield* tokenTo(ben.email)
      assert.isTrue((yield* call("GET", `/invitations/${token}`)).body.hasAccount)
      const accepted = yield* ben.withSession("POST", `/invitations/${token}/accept`)
      assert.deepInclude(accepted.body, { id: organizationId, name: "Acme", role: "viewer", members: 2 })
      assert.lengthOf((yield* ben.withSession("GET", "/organizations")).body, 2)
      assert.isTrue((yield* ben.withSession("GET", "/auth/get-session")).body.user.emailVerified)
      refused(yield* ada.withSession("POST", path, { email: ben.email, role: "editor" }), 409, "conflict")
    })
  )

  it.effect("serves nobody but the person who is invited", () =>
    Effect.gen(function* () {
      const { ada, organizationId, path } = yield* inviter
      const [eve, email] = [yield* person, guest()]
      yield* ada.withSession("POST", path, { email, role: "admin" })
      const token = yield* tokenTo(email)
      refused(yield* eve.withSession("POST", `/invitations/${token}/accept`), 403, "forbidden")
      const stolen = { name: "Eve", email: guest(), password, invitation: token }
      refused(yield* call("POST", "/auth/sign-up/email", stolen), 422, "validation_failed", "email")
      refused(yield* call("POST", `/invitations/${token}/accept`), 401, "unauthorized")
      refused(yield* eve.withKey("POST", `/invitations/${token}/accept`), 403, "forbidden")
      refused(yield* call("GET", `/invitations/${"x".repeat(43)}`), 404, "not_found")
      const foreign = { origin: "https://evil.example" }
      const ben = yield* person
      yield* ada.withSession("POST", path, { email: ben.email, role: "viewer" })
      const bens = yield* tokenTo(ben.email)
      refused(yield* ben.withSession("POST", `/invitations/${bens}/accept`, undefined, foreign), 403, "forbidden")
      // The organization's id is no invitation, and one organization's invitations are not another's.
      const [open] = (yield* ada.withSession("GET", path)).body
      const eves = `/organizations/${yield* organizationOf(eve)}/invitations`
      refused(yield* eve.withSession("DELETE", `${eves}/${open.id}`), 404, "not_found")
      refused(
        yield* eve.withSession("POST", `/organizations/${organizationId}/invitations/${open.id}/resend`),
        404,
        "not_found"
      )
      assert.lengthOf((yield* ada.withSession("GET", `/organizations/${organizationId}/members`)).body, 1)
    })
  )

  it.effect("is used once, however many try at the same time", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* inviter
      const ben = yield* person
      yield* ada.withSession("POST", path, { email: ben.email, role: "viewer" })
      const token = yield* tokenTo(ben.email)
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => ben.withSession("POST", `/invitations/${token}/accept`)),
        { concurrency: 5 }
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 404, 404, 404, 404]
      )
    })
  )

  it.effect("expires after a week, and is sent again then", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* inviter
      const email = guest()
      const { body } = yield* ada.withSession("POST", path, { email, role: "viewer" })
      assert.strictEqual(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 7 * 86_400_000)
      const token = yield* tokenTo(email)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = ${body.id}`
      refused(yield* call("GET", `/invitations/${token}`), 404, "not_found")
      const late = { name: "Grace", email, password, invitation: token }
      refused(yield* call("POST", "/auth/sign-up/email", late), 422, "validation_failed", "invitation")
      assert.strictEqual((yield* ada.withSession("POST", path, { email, role: "viewer" })).status, 201)
      assert.strictEqual((yield* call("GET", `/invitations/${yield* tokenTo(email, 2)}`)).status, 200)
    })
  )

  it.effect("is sent again with a new link, revoked, and declined", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* inviter
      const email = guest()
      const made = yield* ada.withSession("POST", path, { email, role: "viewer" })
      const first = yield* tokenTo(email)
      refused(yield* ada.withSession("POST", path, { email, role: "viewer" }), 409, "conflict")
      assert.strictEqual((yield* ada.withSession("POST", `${path}/${made.body.id}/resend`)).status, 200)
      const second = yield* tokenTo(email, 2)
      refused(yield* call("GET", `/invitations/${first}`), 404, "not_found")
      assert.strictEqual((yield* call("GET", `/invitations/${second}`)).status, 200)
      assert.deepStrictEqual((yield* ada.withSession("DELETE", `${path}/${made.body.id}`)).body, {
        id: made.body.id,
        deleted: true
      })
      refused(yield* call("GET", `/invitations/${second}`), 404, "not_found")
      const other = guest()
      yield* ada.withSession("POST", path, { email: other, role: "viewer" })
      const declined = yield* tokenTo(other)
      assert.deepStrictEqual((yield* call("POST", `/invitations/${declined}/decline`)).body, { declined: true })
      assert.isEmpty((yield* ada.withSession("GET", path)).body)
    })
  )

  it.effect("is not sent by whom has not verified their own address, or may not give the role", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* inviter
      const eve = yield* person
      const eves = `/organizations/${yield* organizationOf(eve)}/invitations`
      const refusal = yield* eve.withSession("POST", eves, { email: guest(), role: "viewer" })
      refused(refusal, 403, "forbidden")
      assert.include(refusal.body.detail, "Verify")
      // An admin invites up to admins; who is demoted takes no invitation along.
      const admin = yield* person
      yield* ada.withSession("POST", path, { email: admin.email, role: "admin" })
      yield* admin.withSession("POST", `/invitations/${yield* tokenTo(admin.email)}/accept`)
      refused(yield* admin.withSession("POST", path, { email: guest(), role: "owner" }), 403, "forbidden")
      const email = guest()
      assert.strictEqual((yield* admin.withSession("POST", path, { email, role: "admin" })).status, 201)
      yield* ada.withSession("PATCH", path.replace("invitations", `members/${admin.userId}`), { role: "editor" })
      assert.isEmpty((yield* ada.withSession("GET", path)).body)
      refused(yield* call("GET", `/invitations/${yield* tokenTo(email)}`), 404, "not_found")
    })
  )

  it.effect("adds no headers or links to its mail, whatever the names are", () =>
    Effect.gen(function* () {
      const { ada, organizationId, path } = yield* inviter
      const name = "Click https://evil.example/ now"
      yield* ada.withSession("PATCH", `/organizations/${organizationId}`, { name })
      const email = guest()
      for (const wrong of [
        "a@example.org\r\nBcc: b@example.org",
        "a@example.org, b@example.org",
        "Ada <a@example.org>"
      ])
        refused(
          yield* ada.withSession("POST", path, { email: wrong, role: "viewer" }),
          422,
          "validation_failed",
          "email"
        )
      yield* ada.withSession("POST", path, { email, role: "viewer" }, { "accept-language": "de" })
      const { envelope, parsed } = yield* mailTo(email)
      assert.deepStrictEqual(envelope.to, [email])
      assert.notInclude(parsed.text!, "https://evil.example")
      assert.notInclude(String(parsed.html), 'href="https://evil')
      assert.match(parsed.subject!, /einladung|lädt|eingeladen/i)
    })
  )
})

layer(withConsole({ signUp: "closed" }), live)("an invitation where sign-up is closed and no mail is set up", (it) => {
  it.effect("is printed, and lets the invited person sign up", () =>
    Effect.gen(function* () {
      // Only the operator can make the first account; here it is inserted.
      refused(yield* call("POST", "/auth/sign-up/email", { name: "Eve", email: guest(), password }), 403, "forbidden")
      const sql = yield* SqlClient.SqlClient
      const at = new Date()
      yield* sql`INSERT INTO users (id, name, email, created_at, updated_at)
        VALUES ('usr_boss', 'Boss', 'boss@example.org', ${at}, ${at})`
      yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('org_1', 'Acme', ${at}, ${at})`
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        VALUES ('org_1', 'usr_boss', 'owner', 'founder', ${at})`
      const { Invitations } = yield* Effect.promise(
        () => import("@kanmon/identity/testing/organizations/Invitations.ts")
      )
      const invitations = yield* Invitations
      const email = guest()
      const draft = { email, role: "admin" } as const
      const { token } = yield* invitations.create(
        "org_1" as never,
        { userId: "usr_boss" as never, needsVerified: false },
        draft
      )
      const up = yield* call("POST", "/auth/sign-up/email", { name: "Grace", email, password, invitation: token })
      assert.strictEqual(up.status, 200, JSON.stringify(up.body))
      const cookie = cookieOf(up)
      const invited = guest()
      const path = "/organizations/org_1/invitations"
      const made = yield* call("POST", path, { email: invited, role: "viewer" }, { cookie })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const printed = linkIn(yield* printedFor(invited))
      assert.strictEqual(printed.pathname, "/invitation")
    })
  )
})

layer(withMail({ defaultPlan: "plan_free" }), live)("invitations over the limit of a plan", (it) => {
  it.effect("are not accepted, and nothing is lost", () =>
    Effect.gen(function* () {
      const { ada, organizationId, path } = yield* inviter
      const emails = [guest(), guest()]
      for (const email of emails)
        assert.strictEqual((yield* ada.withSession("POST", path, { email, role: "editor" })).status, 201)
      refused(yield* ada.withSession("POST", path, { email: guest(), role: "editor" }), 402, "plan_limit_reached")
      assert.strictEqual((yield* ada.withSession("POST", path, { email: guest(), role: "viewer" })).status, 201)
      // Meanwhile others took the room.
      const sql = yield* SqlClient.SqlClient
      for (const id of [1, 2]) {
        const other = yield* person
        yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
          VALUES (${organizationId}, ${other.userId}, 'editor', 'scim', now() + ${id} * interval '1 ms')`
      }
      const [email = ""] = emails
      const invitation = yield* tokenTo(email)
      const up = yield* call("POST", "/auth/sign-up/email", { name: "Grace", email, password, invitation })
      assert.strictEqual(up.status, 200, JSON.stringify(up.body))
      const cookie = cookieOf(up)
      assert.isEmpty((yield* call("GET", "/organizations", undefined, { cookie })).body)
      refused(
        yield* call("POST", `/invitations/${invitation}/accept`, undefined, { cookie }),
        402,
        "plan_limit_reached"
      )
      yield* sql`DELETE FROM organization_members WHERE organization_id = ${organizationId} AND source = 'scim'`
      const accepted = yield* call("POST", `/invitations/${invitation}/accept`, undefined, { cookie })
      assert.strictEqual(accepted.status, 200, JSON.stringify(accepted.body))
    })
  )
})
