/** What the operator does about accounts, beside the running product; and the secret that everything rests on. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as SecretCheck from "@kanmon/platform/database/SecretCheck"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { kanmon } from "../support/Kanmon.ts"
import { type ApiResponse, eventually, make, type Product } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const password = "correct horse battery"

/** A product with its own database, as the commands find it in its data directory; each test leaves it running. */
class Running extends Context.Service<Running, Product>()("@kanmon/tests/e2e/accounts/Running") {
  static readonly layer = Layer.effect(
    Running,
    Effect.tap(
      make({
        ownDatabase: true,
        env: { KANMON_ADMIN_EMAILS: " Boss@Example.org ", KANMON_SIGN_INS_PER_MINUTE: "100" }
      }),
      ({ call, healthy }) =>
        // The first account is an administrator, as it is made on this machine; those of the tests are ordinary ones.
        Effect.andThen(
          healthy,
          call("POST", "/auth/sign-up/email", { name: "First", email: "first@example.net", password })
        )
    )
  )
}

const cookieOf = (answer: ApiResponse) => answer.headers.getSetCookie()[0]!.split(";")[0]!

/** The product, its commands, and a new account. */
const stage = (email: string) =>
  Effect.gen(function* () {
    const product = yield* Running
    const signIn = (tried: string) => product.call("POST", "/auth/sign-in/email", { email, password: tried })
    yield* product.call("POST", "/auth/sign-up/email", { name: "Boss", email, password })
    return {
      product,
      email,
      signIn,
      run: (...args: ReadonlyArray<string>) => kanmon(args, { KANMON_DATA_DIR: product.dataDirectory })
    }
  })

describe("operator commands", () => {
  layer(Running.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("list accounts and organizations, disable them, and let an administrator act as an account", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const run = (...args: ReadonlyArray<string>) => kanmon(args, { KANMON_DATA_DIR: product.dataDirectory })
        const enter = (what: string, email: string) =>
          Effect.map(
            product.call("POST", `/auth/${what}/email`, {
              ...(what === "sign-up" && { name: "Ada" }),
              email,
              password
            }),
            (answer) => ({
              cookie: answer.headers.getSetCookie()[0]!.split(";")[0]!
            })
          )
        const [ada, boss] = ["ada@example.org", "support@example.org"]
        const session = yield* enter("sign-up", ada)
        yield* enter("sign-up", boss)
        const [{ id }] = (yield* product.call("GET", "/organizations", undefined, session)).body

        const [accounts, organizations] = yield* Effect.all(
          [run("account", "list", "ADA@"), run("organization", "list", "ada@", "--json")],
          { concurrency: 2 }
        )
        const day = "\\d{4}-\\d\\d-\\d\\d"
        assert.match(
          accounts.output,
          new RegExp(
            `^EMAIL +NAME +ORGANIZATIONS +SESSIONS +CREATED +SIGNED IN +STATE\\nada@example\\.org +Ada +1 +1 +${day} +${day} +address not verified\\n$`
          )
        )
        assert.lengthOf(JSON.parse(organizations.output), 1)
        assert.deepInclude(JSON.parse(organizations.output)[0], { id, owners: [ada], members: 1, disabledAt: null })

        // Only administrators act as somebody, by a link that works once.
        const refused = yield* run("account", "impersonate", ada, "--as", boss)
        assert.deepInclude(refused, {
          code: 1,
          output: `kanmon: ${boss} is not an administrator: run kanmon admin grant first\n`
        })
        yield* run("admin", "grant", boss)
        const linked = yield* run("account", "impersonate", ada, "--as", boss)
        const token = /\/api\/v1\/auth\/impersonation\?token=(\S+)/.exec(linked.output)?.[1] ?? linked.output
        const begun = yield* product.call("POST", "/auth/impersonation", { token })
        assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
        const acting = { cookie: begun.headers.getSetCookie()[0]!.split(";")[0]! }
        const shown = yield* product.call("GET", "/auth/get-session", undefined, acting)
        assert.strictEqual(shown.body.user.email, ada)

        const [isAdmin, disabled] = yield* Effect.all(
          [run("account", "disable", boss), run("account", "disable", ada)],
          {
            concurrency: 2
          }
        )
        assert.include(isAdmin.output, `${boss} is an administrator: run kanmon admin revoke ${boss} first`)
        assert.strictEqual(disabled.code, 0, disabled.output)
        for (const headers of [session, acting])
          assert.strictEqual((yield* product.call("GET", "/projects", undefined, headers)).status, 401)
        const person = yield* run("account", "show", ada)
        assert.match(person.output, /^state +disabled since .*, address not verified$/m)
        assert.match(person.output, new RegExp(`^owner +${id} +Ada$`, "m"))
        yield* run("account", "enable", ada)
        const back = yield* enter("sign-in", ada)

        const organization = product.call("GET", `/organizations/${id}`, undefined, back)
        assert.strictEqual((yield* run("organization", "disable", id)).code, 0)
        assert.strictEqual((yield* organization).status, 403)
        assert.strictEqual((yield* run("organization", "enable", id)).code, 0)
        assert.strictEqual((yield* organization).status, 200)
        const log = (yield* product.call("GET", "/audit-log/account", undefined, back)).body
        assert.deepStrictEqual(
          log
            .filter(({ actor }: any) => actor.kind === "operator" || actor.name === boss)
            .map(({ action, actor }: any) => [action, actor.name]),
          [
            ["organization.enabled", "kanmon command"],
            ["organization.disabled", "kanmon command"],
            ["account.enabled", "kanmon command"],
            ["account.disabled", "kanmon command"],
            ["account.impersonated", boss],
            ["account.impersonation_linked", "kanmon command"]
          ]
        )
      })
    )

    it.effect("ends sessions while the server runs", () =>
      Effect.gen(function* () {
        const { email, product, run, signIn } = yield* stage("sessions@example.org")
        const cookie = cookieOf(yield* signIn(password))
        const projects = product.call("GET", "/projects", undefined, { cookie })
        assert.strictEqual((yield* projects).status, 200)
        const listed = yield* run("account", "sessions", email)
        const ids = [...listed.output.matchAll(/^(ses_\w+) {2}since .* from 127\.0\.0\.1/gm)].map(([, id]) => id!)
        assert.strictEqual(ids.length, 2, listed.output)
        const stranger = yield* run("account", "revoke", email, "ses_none")
        assert.deepStrictEqual([stranger.code, stranger.output.includes("no session ses_none")], [1, true])
        assert.include((yield* run("account", "revoke", email, ids[0]!)).output, "1 session has ended")
        assert.strictEqual((yield* projects).status, 401)
        assert.include((yield* run("account", "revoke", email)).output, "1 session has ended")
        assert.include((yield* run("account", "sessions", email)).output, "There are no sessions")
      })
    )

    it.effect("resets passwords while the server runs", () =>
      Effect.gen(function* () {
        const { email, product, run, signIn } = yield* stage("passwords@example.org")
        const before = cookieOf(yield* signIn(password))
        for (let index = 0; index < 7; index++) yield* signIn("not this one")
        const reset = yield* run("account", "reset-password", email)
        assert.strictEqual(reset.code, 0, reset.output)
        const made = /The new password of passwords@example\.org: (\S{24})/.exec(reset.output)?.[1] ?? reset.output
        assert.isNull((yield* product.call("GET", "/auth/get-session", undefined, { cookie: before })).body)
        assert.strictEqual((yield* signIn(made)).status, 200)
        assert.strictEqual((yield* signIn(password)).status, 401)

        const typed = (text: string) =>
          Effect.callback<number>((resume) => {
            const child = spawn(
              process.execPath,
              ["apps/server/src/main.js", "account", "reset-password", email, "--stdin"],
              {
                env: { PATH: process.env["PATH"], KANMON_DATA_DIR: product.dataDirectory },
                stdio: ["pipe", "ignore", "ignore"]
              }
            )
            child.on("exit", (code) => resume(Effect.succeed(code ?? -1)))
            child.stdin.end(text)
          })
        assert.strictEqual(yield* typed("short\n"), 1)
        assert.strictEqual((yield* signIn(made)).status, 200)
        assert.strictEqual(yield* typed("another good password\n"), 0)
        assert.strictEqual((yield* signIn("another good password")).status, 200)
        assert.strictEqual((yield* run("account", "unlock", email)).code, 0)
      })
    )

    it.effect("lets an organization sign in with passwords again", () =>
      Effect.gen(function* () {
        const { product, run, signIn } = yield* stage("sso@example.org")
        const inside = { cookie: cookieOf(yield* signIn(password)) }
        const [{ id }] = (yield* product.call("GET", "/organizations", undefined, inside)).body
        const allow = run("organization", "allow-passwords", id)
        assert.deepInclude(yield* allow, {
          code: 1,
          output: `kanmon: There is no organization ${id} with single sign-on\n`
        })
        const settings = {
          protocol: "oidc",
          enabled: true,
          enforced: true,
          roles: [],
          defaultRole: null,
          issuer: "https://login.example.org",
          clientId: "kanmon",
          scopes: [],
          groupsClaim: "groups"
        }
        assert.strictEqual((yield* product.call("PUT", `/organizations/${id}/sso`, settings, inside)).status, 200)
        assert.include((yield* allow).output, "may sign in with passwords again")
        assert.include((yield* allow).output, "was not required")
      })
    )

    it.effect("grants and revokes rights while the server runs", () =>
      Effect.gen(function* () {
        const { email, product, run, signIn } = yield* stage("boss@example.org")
        const cookie = cookieOf(yield* signIn(password))
        const makePlan = product.call(
          "POST",
          "/billing/plans",
          { name: "Studio", monitors: 10, checkInterval: 60, regions: 1, price: 0 },
          { cookie }
        )
        assert.strictEqual((yield* makePlan).status, 403)
        assert.include(product.output(), "KANMON_ADMIN_EMAILS needs mail")

        const unknown = yield* run("admin", "grant", "nobody@example.org")
        assert.deepStrictEqual([unknown.code, unknown.output.includes("no account with the address")], [1, true])
        const granted = yield* run("admin", "grant", " BOSS@example.org")
        assert.strictEqual(granted.code, 0, granted.output)
        assert.match(granted.output, /boss@example\.org \("Boss", account created \d{4}-.*\) is an admin now\./)
        assert.include(granted.output, "kanmon account reset-password")
        assert.strictEqual((yield* makePlan).status, 201)
        assert.strictEqual((yield* run("admin", "revoke", email)).code, 0)
        assert.strictEqual((yield* makePlan).status, 403)

        // At the next start those who lost their rights hear how to get them back.
        yield* product.stop()
        yield* product.start
        yield* product.healthy
        yield* eventually(Effect.sync(product.output), (text) =>
          text.includes("boss@example.org is not an admin, because its address is not verified: run kanmon admin grant")
        )
      })
    )
  })
})

describe("a short KANMON_SECRET", () => {
  const url = Effect.provide(TestDatabase.create, SecureRandom.layerWebCrypto)

  it.live("is refused in a new installation", () =>
    Effect.gen(function* () {
      const DATABASE_URL = Redacted.value(yield* url)
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(path.join(tmpdir(), "kanmon-accounts-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
      )
      for (const args of [["serve"], ["admin", "grant", "ada@example.org"]]) {
        const { code, output } = yield* kanmon(args, { DATABASE_URL, KANMON_SECRET: "x", KANMON_DATA_DIR: folder })
        assert.strictEqual(code, 1)
        assert.include(
          output,
          "kanmon: KANMON_SECRET: It has 1 character and needs at least 32. Make one: openssl rand -hex 32"
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("is accepted with a warning in an existing installation", () =>
    Effect.gen(function* () {
      const database = yield* url
      yield* SecretCheck.check(Effect.void).pipe(
        Effect.provide(Layer.merge(Database.layer(database), Secrets.layer(Redacted.make("x"))))
      )
      const product = yield* make({ env: { DATABASE_URL: Redacted.value(database), KANMON_SECRET: "x" } })
      yield* product.healthy
      assert.match(product.output(), /too short\. It has 1 character and needs at least 32.*upgrade\.md/)
    }).pipe(Effect.scoped)
  )
})
