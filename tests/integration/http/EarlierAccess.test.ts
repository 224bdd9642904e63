/** Somebody signs up with an address that is not theirs: what they prepare does not act once its owner has the account. */
import { assert, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Authenticator } from "../../support/Authenticator.ts"
import { telegram } from "../../support/OnCallBodies.ts"
import { totp } from "../../support/Totp.ts"
import { linkIn, linkTo, mailTo, printedFor, withConsole, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const newPassword = "another good password"

const withKey = (apiKey: string) => ({ "x-api-key": apiKey })

/** Everything that a person with a session can leave behind in an account. */
const prepared = Effect.gen(function* () {
  const squatter = yield* person
  const { cookie, projectId, userId } = squatter
  const made = yield* squatter.withSession("POST", `/projects/${projectId}/api-keys`, { name: "Mine", role: "admin" })
  const second = yield* squatter.withSession("POST", "/projects", { name: "Another" })
  const channel = yield* squatter.withKey("POST", "/notification-channels", {
    name: "Elsewhere",
    type: "webhook",
    config: { url: "https://elsewhere.example/hook" }
  })
  const method = yield* squatter.withSession("POST", "/account/contact-methods", telegram)
  assert.deepStrictEqual([made.status, second.status, channel.status, method.status], [201, 201, 201, 201])
  const device = new Authenticator(publicUrl)
  const started = yield* squatter.withSession("GET", "/auth/passkey/generate-register-options")
  const both = { cookie: `${cookie}; ${cookieOf(started)}` }
  yield* call("POST", "/auth/passkey/verify-registration", { response: device.create(started.body, {}) }, both)
  const enabled = yield* squatter.withSession("POST", "/auth/two-factor/enable", { password })
  const code = totp(enabled.body.totpURI)
  const verified = yield* squatter.withSession("POST", "/auth/two-factor/verify-totp", { code })
  const sql = yield* SqlClient.SqlClient
  const [{ organization }] = (yield* sql<{ organization: string }>`SELECT organization_id AS organization
    FROM projects WHERE id = ${projectId}`) as [{ organization: string }]
  const accomplice = yield* person
  yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
    VALUES (${organization}, ${accomplice.userId}, 'admin', 'sso', now())`
  yield* sql`INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
    VALUES (${`inv_${userId}`}, ${organization}, 'eve@example.org', 'owner', ${userId}, ${userId}, now(), now(),
      now() + interval '1 day')`
  yield* sql`INSERT INTO scim_tokens (id, organization_id, name, token_hash, created_by_kind, created_by_name, created_at)
    VALUES (${`scim_${userId.slice(4)}`}, ${organization}, 'Directory', ${userId}, 'person', 'Eve', now())`
  const provider = {
    protocol: "oidc",
    enabled: true,
    enforced: false,
    roles: [],
    defaultRole: "viewer",
    issuer: "https://login.eve.example",
    clientId: "kanmon",
    scopes: [],
    groupsClaim: "groups"
  }
  yield* sql`INSERT INTO sign_on_settings (organization_id, settings, version, created_at, updated_at)
    VALUES (${organization}, ${JSON.stringify(provider)}::jsonb, '1', now(), now())`
  yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
    VALUES (${organization}, ${`${userId.slice(4).toLowerCase()}.example`}, 'proof', now(), now())`
  yield* sql`INSERT INTO accounts (id, user_id, provider_id, account_id, created_at, updated_at)
    VALUES (${`acc_${userId}`}, ${userId}, 'sso:installation', ${userId}, now(), now())`
  return {
    ...squatter,
    signedIn: { cookie: cookieOf(verified) },
    organization,
    device,
    accomplice,
    keys: [squatter.key, second.body.apiKey as string],
    further: made.body.apiKey as string,
    channel: channel.body.id as string
  }
})

/** What is left of it, by what can be done with it. */
const left = Effect.fnUntraced(function* ({
  accomplice,
  channel,
  device,
  further,
  keys,
  organization,
  signedIn,
  userId
}: Effect.Success<typeof prepared>) {
  const sql = yield* SqlClient.SqlClient
  const works = (apiKey: string) =>
    Effect.map(call("GET", "/monitors", undefined, withKey(apiKey)), ({ status }) => status === 200)
  const options = yield* call("GET", "/auth/passkey/generate-authenticate-options")
  const answer = { response: device.get(options.body, {}) }
  const passkey = yield* call("POST", "/auth/passkey/verify-authentication", answer, { cookie: cookieOf(options) })
  const count = (rows: ReadonlyArray<unknown>) => rows.length
  return {
    keys: yield* Effect.forEach(keys, works),
    further: yield* works(further),
    passkey: passkey.status === 200,
    accomplice: (yield* accomplice.withSession("GET", `/organizations/${organization}`)).status === 200,
    channelOff: count(yield* sql`SELECT 1 FROM channels WHERE id = ${channel} AND disabled_reason IS NOT NULL`) === 1,
    invitations: count(yield* sql`SELECT 1 FROM invitations WHERE organization_id = ${organization}`),
    tokens: count(yield* sql`SELECT 1 FROM scim_tokens WHERE organization_id = ${organization}`),
    connections: count(yield* sql`SELECT 1 FROM accounts WHERE user_id = ${userId} AND provider_id LIKE 'sso:%'`),
    secondFactor: count(yield* sql`SELECT 1 FROM two_factors WHERE user_id = ${userId}`),
    methods: count(yield* sql`SELECT 1 FROM contact_methods WHERE user_id = ${userId} AND type IS NOT NULL`),
    provider: count(yield* sql`SELECT 1 FROM sign_on_settings WHERE organization_id = ${organization}`),
    domains: count(yield* sql`SELECT 1 FROM sign_on_domains WHERE organization_id = ${organization}`),
    session: (yield* call("GET", "/projects", undefined, signedIn)).status === 200
  }
})

const everything = {
  keys: [true, true],
  further: true,
  passkey: true,
  accomplice: true,
  channelOff: false,
  invitations: 1,
  tokens: 1,
  connections: 1,
  secondFactor: 1,
  methods: 1,
  provider: 1,
  domains: 1,
  session: true
}
const nothing = {
  keys: [false, false],
  further: false,
  passkey: false,
  accomplice: false,
  channelOff: true,
  invitations: 0,
  tokens: 0,
  connections: 0,
  secondFactor: 0,
  methods: 0,
  provider: 0,
  domains: 0,
  session: false
}
/** A new password ends the sessions. */
const onlySignedOut = { ...everything, session: false }

const reset = Effect.fnUntraced(function* (token: string | null) {
  assert.strictEqual((yield* call("POST", "/auth/reset-password", { token, newPassword })).status, 200)
})
const askForReset = (email: string) => call("POST", "/auth/request-password-reset", { email })
const resetMail = { subject: /reset your password/i }

layer(withMail(), live)("what was prepared before an address was proven", (it) => {
  it.effect("ends when the owner of the mailbox replaces the password, who is told so", () =>
    Effect.gen(function* () {
      const squatted = yield* prepared
      assert.deepStrictEqual(yield* left(squatted), everything)
      yield* askForReset(squatted.email)
      yield* reset((yield* linkTo(squatted.email, resetMail)).searchParams.get("token"))
      assert.deepStrictEqual(yield* left(squatted), nothing)
      const inside = yield* call("POST", "/auth/sign-in/email", { email: squatted.email, password: newPassword })
      assert.isTrue(inside.body.user?.emailVerified, JSON.stringify(inside.body))
      const cookie = { cookie: cookieOf(inside) }
      const projects = (yield* call("GET", "/projects", undefined, cookie)).body as ReadonlyArray<{ apiKey: string }>
      assert.strictEqual(projects.length, 2)
      const shown = yield* call("GET", `/notification-channels/${squatted.channel}`, undefined, {
        ...cookie,
        "kanmon-project": squatted.projectId
      })
      assert.include(JSON.stringify(shown.body), "before the address of the account was proven")
      const { parsed } = yield* mailTo(squatted.email, { subject: /password was changed/ })
      assert.include(parsed.text!, "Your address was not verified before")
      const log = yield* call("GET", "/audit-log/account", undefined, cookie)
      const actions = new Set((log.body as ReadonlyArray<{ action: string }>).map(({ action }) => action))
      assert.isTrue(actions.has("account.email_verified"))
    })
  )

  it.effect("stays when the address was proven with the password of the account: then it is the owner's own", () =>
    Effect.gen(function* () {
      const own = yield* prepared
      const link = yield* linkTo(own.email, { subject: /verify|confirm/i })
      const body = { token: link.searchParams.get("token"), email: own.email }
      refused(yield* call("POST", "/auth/verify-email", { ...body, password: "not this one" }), 401, "unauthorized")
      assert.strictEqual((yield* call("POST", "/auth/verify-email", { ...body, password })).status, 200)
      assert.deepStrictEqual(yield* left(own), everything)
      // Nor does a forgotten password end what a proven owner made.
      yield* askForReset(own.email)
      yield* reset((yield* linkTo(own.email, resetMail)).searchParams.get("token"))
      assert.deepStrictEqual(yield* left(own), onlySignedOut)
      const { parsed } = yield* mailTo(own.email, { subject: /password was changed/ })
      assert.notInclude(parsed.text!, "Your address was not verified before")
    })
  )

  it.effect("stays in organizations that others founded", () =>
    Effect.gen(function* () {
      const [founder, guest] = [yield* prepared, yield* person]
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        VALUES (${founder.organization}, ${guest.userId}, 'owner', 'invitation', now())`
      yield* askForReset(guest.email)
      yield* reset((yield* linkTo(guest.email, resetMail)).searchParams.get("token"))
      assert.deepStrictEqual(yield* left(founder), everything)
      assert.strictEqual((yield* call("GET", "/monitors", undefined, withKey(guest.key))).status, 401)
    })
  )
})

layer(withConsole(), live)("where links are printed", (it) => {
  it.effect("a new password proves no address, and nothing is removed", () =>
    Effect.gen(function* () {
      const own = yield* prepared
      yield* printedFor(own.email)
      yield* askForReset(own.email)
      const isPrinted = (text: string) => text.includes("reset-password?token=")
      const text = yield* eventually(printedFor(own.email), isPrinted)
      yield* reset(linkIn(text).searchParams.get("token"))
      assert.deepStrictEqual(yield* left(own), onlySignedOut)
    })
  )
})
