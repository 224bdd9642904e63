/** The product in the hands of its operator: starting, stopping, logs, and the other commands. */
import * as path from "node:path"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { kanmon, kanmonProcess } from "../support/Kanmon.ts"
import { eventually, freePort, make, type Product } from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(path.join(tmpdir(), "kanmon-operation-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A product with all that it brings along; each test leaves it running. */
class Serving extends Context.Service<Serving, Product>()("@kanmon/tests/e2e/operation/Serving") {
  static readonly layer = Layer.effect(
    Serving,
    Effect.tap(make({ ownDatabase: true, env: { KANMON_LOG_LEVEL: "Trace" } }), ({ healthy }) => healthy)
  )
}

describe("serve", () => {
  layer(Serving.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("keeps secrets out of its logs at every level", () =>
      Effect.gen(function* () {
        const product = yield* Serving
        const ada = yield* product.signUp
        const target = {
          name: "Shop",
          type: "http",
          url: "http://user:hush-url@127.0.0.1:9/?token=hush-query",
          headers: { authorization: "Bearer hush-header" },
          method: "POST",
          body: "hush-body"
        }
        const made = yield* ada.call("POST", "/monitors", target)
        yield* product.call("POST", "/auth/sign-in/email", { email: "nobody@example.org", password: "hush-password" })
        yield* ada.call("POST", "/monitors", { ...target, headers: { "bad name": "hush-header" } })
        const down = yield* eventually(
          ada.call("GET", `/monitors/${made.body.id}`),
          ({ body }) => body.status === "down"
        )
        assert.strictEqual(down.status, 200)
        assert.strictEqual(yield* product.stop("SIGTERM"), "0")
        for (const secret of [ada.key, "hush", "correct horse", ada.cookie.split("=")[1]!])
          assert.notInclude(product.output(), secret)
        yield* product.start
        yield* product.healthy
      })
    )

    it.effect("stops cleanly, keeps its data, and restarts in the same directory", () =>
      Effect.gen(function* () {
        const product = yield* Serving
        const ada = yield* product.signUp
        yield* ada.call("POST", "/monitors", { name: "Kept", type: "tcp", host: "127.0.0.1", port: 9 })
        // Browsers open connections ahead of need: nobody waits for what they never say.
        const silent = yield* Effect.promise(async () => {
          const socket = connect(Number(new URL(product.base).port), "127.0.0.1")
          await once(socket, "connect")
          return socket
        })
        assert.strictEqual(yield* product.stop("SIGINT"), "0")
        silent.destroy()
        yield* product.start
        yield* product.healthy
        const kept = yield* ada.call("GET", "/monitors")
        assert.deepStrictEqual(
          kept.body.map(({ name }: { readonly name: string }) => name),
          ["Kept"]
        )
      })
    )
  })

  it.live("closes sign-up, and stops on a signal to npm start", () =>
    Effect.gen(function* () {
      const product = yield* make({ throughNpm: true, env: { KANMON_SIGNUP: "closed" } })
      yield* product.healthy
      const answer = yield* product.call("POST", "/auth/sign-up/email", {
        name: "Eve",
        email: "eve@example.org",
        password: "correct horse"
      })
      assert.deepStrictEqual([answer.status, answer.body.code], [403, "forbidden"])
      const server = Number(
        yield* Effect.promise(() => readFile(path.join(product.dataDirectory, "kanmon.pid"), "utf8"))
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => lives(server) && process.kill(server, "SIGKILL")))
      yield* product.stop("SIGTERM")
      yield* eventually(
        Effect.sync(() => lives(server)),
        (alive) => !alive
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports in one line that its port is taken", () =>
    Effect.gen(function* () {
      const server = createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const port = String((server.address() as AddressInfo).port)
      const { code, output } = yield* kanmonProcess(["serve"], { KANMON_PORT: port, KANMON_DATA_DIR: yield* temporary })
      server.close()
      assert.strictEqual(code, 1)
      assert.match(output, new RegExp(`kanmon: KANMON_PORT: .*EADDRINUSE.*${port}`))
      assert.notInclude(output, "    at ")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { setting: "KANMON_PORT", value: "99999" },
    { setting: "KANMON_REGION", value: "Mars" },
    { setting: "KANMON_REFERENCE_TARGETS", value: "nowhere" },
    { setting: "KANMON_ROLES", value: "api,king" },
    { setting: "KANMON_PAGES_DOMAIN", value: "https://pages.example/" },
    { setting: "KANMON_PAGES_HOST", value: "127.0.0.1" },
    { setting: "KANMON_RETENTION_DAYS", value: "soon" },
    { setting: "KANMON_MAX_PROJECTS", value: "lots" },
    { setting: "KANMON_DEFAULT_PLAN", value: "pro" },
    { setting: "KANMON_DEFAULT_PLAN", value: "plan_nobody_made" },
    { setting: "KANMON_ADMIN_EMAILS", value: "ada@example.org,boss" },
    { setting: "KANMON_CONFIRM_RECIPIENTS", value: "perhaps" },
    { setting: "KANMON_OIDC_ISSUER", value: "login.example.org" },
    { setting: "KANMON_OIDC_CLIENT_ID", value: "kanmon" },
    { setting: "KANMON_OIDC_ROLES", value: "staff=Example Ltd:king" },
    { setting: "KANMON_LOCAL_LOGIN", value: "off" },
    { setting: "KANMON_SMS_COUNTRIES", value: "+49,43" },
    { setting: "STRIPE_API_BASE", value: "stripe" }
  ])("says in one line that $setting is bad", ({ setting, value }) =>
    Effect.map(kanmon(["serve"], { [setting]: value }), ({ code, output }) => {
      assert.strictEqual(code, 1)
      assert.include(output, setting)
      assert.isBelow(output.trim().split("\n").length, 3, output)
    })
  )
})

/** A running server that several tests look at. The last one stops it. */
class Running extends Context.Service<Running, Product>()("@kanmon/tests/e2e/operation/Running") {
  static readonly layer = Layer.effect(
    Running,
    Effect.tap(
      make({
        withoutNats: true,
        env: { KANMON_SECRET: "a secret of the running server, long enough", KANMON_REFERENCE_TARGETS: "127.0.0.1:9" }
      }),
      ({ healthy }) => healthy
    )
  )
}

describe("a running server", () => {
  layer(Running.layer, { timeout: "10 minutes", excludeTestServices: true })((it) => {
    it.effect("keeps its data directory for itself", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const second = yield* kanmonProcess(["serve"], {
          KANMON_DATA_DIR: product.dataDirectory,
          KANMON_PORT: String(yield* freePort)
        })
        assert.strictEqual(second.code, 1)
        assert.include(second.output, "Another Kanmon")
        assert.include(second.output, "KANMON_DATA_DIR")
      })
    )

    it.effect("is offline while no reference target answers", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const ada = yield* product.signUp
        yield* ada.call("POST", "/monitors", { name: "Shop", type: "tcp", host: "127.0.0.1", port: 9, interval: 10 })
        const health = Effect.map(product.call("GET", "/health"), ({ body }) => body.connectivity as string)
        yield* eventually(health, (word) => word === "offline")
      })
    )

    it.effect("is described by doctor, with settings that differ", () =>
      Effect.gen(function* () {
        const product = yield* Running
        const env = {
          KANMON_DATA_DIR: product.dataDirectory,
          KANMON_SECRET: "a secret of the running server, long enough"
        }
        const doctor = yield* kanmon(["doctor"], { ...env, KANMON_RETENTION_DAYS: "30" })
        const words = doctor.output.replaceAll(/\s+/g, " ")
        assert.include(words, `ok server running (process ${product.pid()}, version`)
        assert.include(words, `healthy at ${product.base.replace("/api/v1", "")}`)
        assert.match(
          words,
          /!! settings the running server was started with other values of .*DATABASE_URL.*KANMON_RETENTION_DAYS/
        )
        assert.notInclude(words, "KANMON_SECRET")
        assert.strictEqual(doctor.code, 1)

        yield* product.stop()
        const after = yield* kanmon(["doctor"], env)
        assert.include(after.output, "not running from this data directory")
      })
    )
  })
})

describe("other commands", () => {
  it.live("checks a URL and prints the time of each stage", () =>
    Effect.gen(function* () {
      const { port } = yield* WebTarget.make
      const well = yield* kanmon(["check", `http://127.0.0.1:${port}/`])
      assert.strictEqual(well.code, 0, well.output)
      for (const words of ["UP", "connect", "first byte", "200"]) assert.include(well.output, words)
      const open = yield* kanmon(["check", `127.0.0.1:${port}`, "--json"])
      assert.strictEqual(JSON.parse(open.output).status, "up")
      const closed = yield* kanmon(["check", "127.0.0.1:1"])
      assert.strictEqual(closed.code, 1)
      assert.include(closed.output, "refused the connection")
    }).pipe(Effect.scoped)
  )

  it.live("prints the settings and failed connections", () =>
    Effect.gen(function* () {
      const doctor = yield* kanmon(["doctor"], {
        DATABASE_URL: "postgres://nobody:hush@127.0.0.1:1/none",
        KANMON_PLUGINS: "./no-such-plugin",
        KANMON_DATA_DIR: "/tmp/kanmon-doctor"
      })
      assert.strictEqual(doctor.code, 1)
      for (const words of [
        "checks dns, heartbeat, http, icmp, ping, tcp",
        "DATABASE_URL does not answer",
        "no-such-plugin was refused"
      ]) {
        assert.include(doctor.output.replaceAll(/\s+/g, " "), words)
      }
      assert.notInclude(doctor.output, "hush")
      // Only probes run it.
      assert.match(doctor.output, /^(?:ok {2}ping +\S+\/ping, for| {4}ping +not found:) monitors of type icmp/m)
      const apart = { NATS_URL: "nats://127.0.0.1:1", KANMON_DATA_DIR: "/tmp/kanmon-doctor" }
      const engine = yield* kanmon(["doctor"], {
        ...apart,
        DATABASE_URL: "postgres://nobody:hush@127.0.0.1:1/none",
        KANMON_ROLES: "engine"
      })
      assert.include(engine.output, "NATS_URL does not answer")
      assert.notInclude(engine.output, "monitors of type icmp")
    })
  )

  it.live("reads settings from .env in the working directory, after the environment", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      yield* Effect.promise(() => writeFile(path.join(folder, ".env"), "KANMON_PORT=3999\nKANMON_REGION=us-east\n"))
      const { output } = yield* kanmonProcess(["doctor"], { KANMON_REGION: "ap-south" }, { cwd: folder })
      assert.include(output, "http://127.0.0.1:3999")
      assert.include(output, "ap-south")
    }).pipe(Effect.scoped)
  )

  it.live("lists only their own flags", () =>
    Effect.map(kanmon(["serve", "--help"]), ({ output }) => {
      for (const flag of ["--wizard", "--log-level"]) assert.notInclude(output, flag)
      assert.include(output, "--roles")
    })
  )
})
