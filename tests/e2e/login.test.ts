/** `kanmon login`, `whoami` and `logout`, and `kanmon apply` with a login: as people use them in a terminal. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as SharedProduct from "../support/SharedProduct.ts"
import * as TerminalLogin from "../support/TerminalLogin.ts"

/** A person, a file to apply, and the commands with a folder for their logins. */
const stage = Effect.gen(function* () {
  const product = yield* SharedProduct.product
  const ada = yield* product.signUp
  const session = { cookie: ada.cookie }
  const server = product.base.replace("/api/v1", "")
  const folder = yield* Folder.make({
    "kanmon.yaml": "monitors:\n  shop:\n    type: ping\n    host: shop.example\n"
  })
  const [config, file] = [path.join(folder, "config"), path.join(folder, "kanmon.yaml")]
  const env = { HOME: folder, XDG_CONFIG_HOME: config }
  const run = (...args: ReadonlyArray<string>) => kanmon(args, env)
  const answer = (what: "approve" | "deny") => (userCode: string) =>
    product.call("POST", `/auth/device/${what}`, { userCode }, session)

  return { ada, answer, config, env, file, product, run, server, session }
})

it.live("signs a person in, and applies files as that person", () =>
  Effect.gen(function* () {
    const { ada, answer, config, env, file, product, run, server, session } = yield* stage
    // Without a login the commands say what to do.
    const [who, apply] = yield* Effect.all(
      [run("whoami", "--server", server), run("apply", "-f", file, "--url", server)],
      {
        concurrency: 2
      }
    )
    assert.deepStrictEqual([who.code, apply.code], [1, 1])
    assert.include(who.output, `You are not signed in to ${server}; run kanmon login --server ${server}`)
    assert.include(apply.output, `run kanmon login --server ${server}; or set KANMON_API_KEY to the key of a project`)

    // A key is used instead of a login, as by apply.
    const withKey = (key: string, ...args: ReadonlyArray<string>) =>
      kanmon(["whoami", "--server", server, ...args], { ...env, KANMON_API_KEY: key })
    const [byKey, asJson, wrong] = yield* Effect.all([withKey(ada.key), withKey(ada.key, "--json"), withKey("km_no")])
    const [project] = (yield* product.call("GET", "/projects", undefined, session)).body
    assert.deepStrictEqual([byKey.code, asJson.code, wrong.code], [0, 0, 1])
    assert.include(
      byKey.output,
      `The key in KANMON_API_KEY, of the project ${project.name} (${project.id})\nat ${server}.`
    )
    assert.deepStrictEqual(JSON.parse(asJson.output), {
      server,
      key: { project: { id: project.id, name: project.name } }
    })
    assert.include(wrong.output, "KANMON_API_KEY is set, and used instead of a login: ")
    assert.notInclude(byKey.output + wrong.output, ada.key)

    const denied = yield* TerminalLogin.run(env, ["--server", `${server}/`], answer("deny"))
    assert.strictEqual(denied.code, 1, denied.output)
    assert.include(denied.output, "The request was refused in the browser")

    const done = yield* TerminalLogin.run(env, ["--server", `${server}/api/v1`, "--no-browser"], answer("approve"))
    assert.strictEqual(done.code, 0, done.output)
    assert.include(done.output, `Open ${server}/device?user_code=`)
    assert.match(done.output, /You are signed in to http:\/\/127\.0\.0\.1:\d+ as \S+@/)
    const kept = path.join(config, "kanmon", "logins.json")
    const stat = yield* Effect.promise(() => fs.stat(kept))
    assert.strictEqual(stat.mode & 0o777, 0o600)
    assert.strictEqual((yield* Effect.promise(() => fs.stat(path.dirname(kept)))).mode & 0o777, 0o700)
    assert.notInclude(done.output, "kmu_")

    const known = yield* run("whoami")
    assert.strictEqual(known.code, 0, known.output)
    assert.include(known.output, `at ${server}, until `)
    assert.include(known.output, 'as the session "kanmon on ')
    const [mine] = (yield* product.call("GET", "/organizations", undefined, session)).body
    const [first] = (yield* product.call("GET", "/projects", undefined, session)).body
    assert.include(known.output, `\n${mine.name} (${mine.id}): owner\n  ${first.id}  ${first.name}\n`)

    // The only project is the one that is meant; its audit log names the person.
    const applied = yield* run("apply", "-f", file, "--yes")
    assert.strictEqual(applied.code, 0, applied.output)
    assert.include(applied.output, "created monitor shop")
    const log = yield* ada.call("GET", "/audit-log?action=monitor.created")
    const account = (yield* product.call("GET", "/auth/get-session", undefined, session)).body.user
    assert.deepStrictEqual(log.body[0].actor, { kind: "file_apply", id: account.id, name: account.email })
  }).pipe(Effect.scoped)
)

it.live("applies files to one of several projects", () =>
  Effect.gen(function* () {
    const { ada, answer, env, file, product, run, server, session } = yield* stage
    yield* TerminalLogin.run(env, ["--server", server], answer("approve"))
    const [mine] = (yield* product.call("GET", "/organizations", undefined, session)).body
    const [first] = (yield* product.call("GET", "/projects", undefined, session)).body
    const account = (yield* product.call("GET", "/auth/get-session", undefined, session)).body.user
    const second = (yield* product.call("POST", "/projects", { name: "Second shop" }, session)).body
    const [unnamed, byName, unknown] = yield* Effect.all([
      run("apply", "-f", file, "--dry-run"),
      run("apply", "-f", file, "--dry-run", "--project", "Second shop"),
      run("apply", "-f", file, "--dry-run", "--project", "Third shop")
    ])
    assert.strictEqual(unnamed.code, 1)
    assert.include(unnamed.output, "Choose one of your projects with --project:")
    assert.include(unnamed.output, `${second.id}  Second shop`)
    assert.include(byName.output, "1 to create, 0 to update, 0 to delete")
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.output, "You have no project Third shop here.")
    const both = JSON.parse((yield* run("whoami", "--json")).output)
    assert.strictEqual(both.server, server)
    assert.deepInclude(both.account, { email: account.email })
    assert.deepStrictEqual(both.organizations, [
      {
        id: mine.id,
        name: mine.name,
        role: "owner",
        projects: [second, first].map(({ id, name }) => ({ id, name, role: "owner" }))
      }
    ])
    assert.notInclude(JSON.stringify(both), ada.key)
    const byId = yield* run("apply", "-f", file, "--yes", "--project", second.id)
    assert.strictEqual(byId.code, 0, byId.output)
    const made = yield* product.call("GET", "/monitors", undefined, { ...session, "kanmon-project": second.id })
    assert.lengthOf(made.body, 1)
    const twice = yield* kanmon(["apply", "-f", file, "--project", second.id], { ...env, KANMON_API_KEY: ada.key })
    assert.include(twice.output, "KANMON_API_KEY belongs to one project already")
  }).pipe(Effect.scoped)
)

it.live("replaces a login, signs out, and says when the login has ended", () =>
  Effect.gen(function* () {
    const { answer, env, file, product, run, server, session } = yield* stage
    yield* TerminalLogin.run(env, ["--server", server], answer("approve"))
    // Another server knows nothing of it.
    const elsewhere = yield* run("apply", "-f", file, "--url", "http://localhost:1")
    assert.include(elsewhere.output, `You are not signed in to http://localhost:1;`)
    assert.include(elsewhere.output, `You are signed in to ${server}`)

    // A new login replaces the old one; ended in the browser, the commands say so.
    const again = yield* TerminalLogin.run(env, [], answer("approve"))
    assert.strictEqual(again.code, 0, again.output)
    const programs = Effect.map(product.call("GET", "/account/sessions", undefined, session), ({ body }) =>
      (body as ReadonlyArray<any>).filter(({ name }) => name !== null)
    )
    const [open, ...others] = yield* programs
    assert.lengthOf(others, 0)
    const out = yield* run("logout")
    assert.strictEqual(out.code, 0, out.output)
    assert.include(out.output, `You are signed out of ${server}.`)
    assert.lengthOf(yield* programs, 0)
    yield* TerminalLogin.run(env, ["--server", server], answer("approve"))
    const [ended] = yield* programs
    assert.notStrictEqual(ended.id, open.id)
    yield* product.call("DELETE", `/account/sessions/${ended.id}`, undefined, session)
    const [lost, refused] = yield* Effect.all([run("whoami"), run("apply", "-f", file, "--dry-run")], {
      concurrency: 2
    })
    assert.include(lost.output, `has ended or was revoked; run kanmon login --server ${server}`)
    assert.include(refused.output, `ended or was revoked; sign in again; run kanmon login --server ${server}`)
    assert.deepStrictEqual([lost.code, refused.code], [1, 1])
  }).pipe(Effect.scoped)
)

it.live("says why it cannot sign in", () =>
  Effect.gen(function* () {
    const folder = yield* Folder.make()
    const env = { HOME: folder, XDG_CONFIG_HOME: folder }
    const [nowhere, bad, spoilt] = yield* Effect.all([
      kanmon(["login", "--server", "http://127.0.0.1:1"], env),
      kanmon(["login", "--server", "kanmon.example"], env),
      Effect.gen(function* () {
        yield* Effect.promise(() => fs.mkdir(path.join(folder, "kanmon")))
        yield* Effect.promise(() => fs.writeFile(path.join(folder, "kanmon", "logins.json"), "{"))
        return yield* kanmon(["whoami"], env)
      })
    ])
    assert.include(nowhere.output, "http://127.0.0.1:1 cannot be reached")
    assert.include(bad.output, "Expected an address such as https://kanmon.example.org instead of kanmon.example")
    assert.include(spoilt.output, "logins.json was changed by something else; delete it and run kanmon login again")
    assert.deepStrictEqual([nowhere.code, bad.code, spoilt.code], [1, 1, 1])
  }).pipe(Effect.scoped)
)
