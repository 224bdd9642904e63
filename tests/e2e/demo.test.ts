/** The demo: one command starts an installation with data. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cookieOf } from "../support/Cookies.ts"
import { eventually, make, type Product } from "../support/Product.ts"

/** The processes that have something to do with a directory. */
const processesOf = (directory: string) =>
  Effect.promise(async () =>
    (await promisify(execFile)("ps", ["-eo", "args"])).stdout.split("\n").filter((line) => line.includes(directory))
  )

/** What the greeting tells under a heading, the last time it was printed. */
const told = (product: Product, heading: string): string | undefined =>
  product
    .output()
    .split("\n")
    .flatMap((line) => (line.trim().startsWith(heading) ? [line.trim().slice(heading.length).trim()] : []))
    .at(-1)

const greeted = (product: Product, times: number) =>
  eventually(
    Effect.sync(() => product.output()),
    (output) => output.split("API key").length > times
  )

interface Stand {
  readonly name: string
  readonly status: string
  readonly lastCheckedAt: string
}

/** The status of the monitors, after all were checked since `since`. */
const stands = (product: Product, since: number) =>
  Effect.map(
    eventually(
      Effect.map(
        product.call("GET", "/monitors", undefined, { "x-api-key": told(product, "API key")! }),
        ({ body }) => body as ReadonlyArray<Stand>
      ),
      (monitors) => monitors.every(({ lastCheckedAt }) => Date.parse(lastCheckedAt) > since)
    ),
    (monitors) => new Map(monitors.map(({ name, status }) => [name, status]))
  )

describe("the demo", () => {
  it.live("shows a live page, starts a second time, and does not touch the real installation", () =>
    Effect.gen(function* () {
      const began = Date.now()
      const product = yield* make({
        args: ["--demo"],
        // None of it is for the demonstration.
        env: {
          DATABASE_URL: "postgres://nobody@127.0.0.1:1/real",
          NATS_URL: "nats://127.0.0.1:1",
          KANMON_ALLOW_PRIVATE_TARGETS: "false",
          KANMON_SIGNUP: "closed"
        }
      })
      yield* greeted(product, 1)
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(product.dataDirectory)), ["demo"])

      const address = told(product, "status page")!
      assert.match(address, /\/status\/demo-shop$/)
      const page = yield* product.call("GET", address)
      assert.strictEqual(page.status, 200)
      for (const words of [
        "Storefront",
        "Checkout",
        "Behind the scenes",
        "Product search",
        "Card payments are failing"
      ])
        assert.include(page.body, words)
      for (const title of ["Checkout unavailable", "Warehouse moves to new servers", "Weekly database maintenance"])
        assert.include(page.body, title)

      const found = yield* stands(product, began)
      assert.strictEqual(found.size, 12)
      for (const name of ["Web shop", "Cart", "Database", "Name service", "Stock import"])
        assert.strictEqual(found.get(name), "up", name)
      assert.strictEqual(found.get("Card payments"), "down")
      assert.strictEqual(found.get("Product search"), "degraded")

      const link = told(product, "dashboard")!.split(" ")[0]!
      const open = () => Effect.promise(() => fetch(link, { redirect: "manual" }))
      const first = yield* open()
      assert.strictEqual(first.headers.get("location"), `${new URL(product.base).origin}/`)
      const cookie = cookieOf(first)
      const session = yield* product.call("GET", "/auth/get-session", undefined, { cookie })
      assert.strictEqual(session.body.user.email, told(product, "account")!.split(",")[0])
      assert.isTrue(session.body.user.emailVerified)
      assert.notInclude(product.output(), "could not be sent")
      const second = yield* open()
      assert.strictEqual(second.headers.get("location"), `${new URL(product.base).origin}/sign-in`)
      assert.deepStrictEqual(second.headers.getSetCookie(), [])

      const withKey = { "x-api-key": told(product, "API key")! }
      yield* eventually(
        product.call("GET", "/alerts?state=acknowledged", undefined, withKey),
        ({ body }) => body.length === 1
      )
      assert.strictEqual(found.get("Warehouse"), "maintenance")

      // Another alert pages the person on call, who has not answered.
      const paging = yield* eventually(
        product.call("GET", "/alerts?state=open", undefined, withKey),
        ({ body }) => body.length === 1 && body[0].escalation !== null
      )
      assert.strictEqual(paging.body[0].trigger, "monitor_degraded")
      const asPerson = { cookie, "kanmon-project": paging.body[0].projectId as string }
      const [organization] = (yield* product.call("GET", "/organizations", undefined, asPerson)).body
      const [schedule] = (yield* product.call(
        "GET",
        `/organizations/${organization.id}/schedules`,
        undefined,
        asPerson
      )).body
      assert.deepStrictEqual(
        schedule.layers.map(({ name }: { readonly name: string }) => name),
        ["Weeks", "Nights"]
      )
      // Everybody is reached by more than e-mail, which the demo does not send.
      assert.deepStrictEqual(schedule.warnings, [])
      yield* eventually(product.call("GET", `/alerts/${paging.body[0].id}/timeline`, undefined, asPerson), ({ body }) =>
        JSON.stringify(body).includes('"delivered"')
      )

      const summary = yield* product.call("GET", "/public/status-pages/demo-shop")
      const monitors = summary.body.monitors as ReadonlyArray<{
        readonly name: string
        readonly days: ReadonlyArray<{ readonly uptime: number | null }>
        readonly responseTimes: ReadonlyArray<number | null>
      }>
      const shown = (name: string) => monitors.find((monitor) => monitor.name === name)!
      const days = (name: string) => shown(name).days.filter(({ uptime }) => uptime !== null).length
      assert.strictEqual(days("Web shop"), 90)
      assert.isAtLeast(days("Recommendations"), 20)
      assert.isAtMost(days("Recommendations"), 22)
      // The newest hour may not be closed yet.
      assert.isTrue(
        shown("Cart")
          .responseTimes.slice(0, -1)
          .every((time) => time !== null)
      )

      const account = /^(\S+), password (\S+)$/.exec(told(product, "account")!)!
      const signIn = { email: account[1], password: account[2] }
      assert.strictEqual((yield* product.call("POST", "/auth/sign-in/email", signIn)).status, 200)

      assert.strictEqual(yield* product.stop("SIGINT"), "0")
      assert.deepStrictEqual(yield* processesOf(product.dataDirectory), [])

      // Somebody has an installation of their own there meanwhile.
      const secret = path.join(product.dataDirectory, "secret")
      yield* Effect.promise(() => fs.writeFile(secret, "theirs"))
      const again = Date.now()
      const [key, password] = [told(product, "API key"), account[2]]
      yield* product.start
      yield* greeted(product, 2)
      assert.deepStrictEqual([told(product, "API key"), told(product, "account")?.split(" ").at(-1)], [key, password])
      assert.strictEqual((yield* product.call("GET", address)).status, 200)
      assert.strictEqual((yield* stands(product, again)).get("Web shop"), "up")
      assert.strictEqual(yield* product.stop("SIGTERM"), "0")
      assert.deepStrictEqual((yield* Effect.promise(() => fs.readdir(product.dataDirectory))).sort(), [
        "demo",
        "secret"
      ])
      assert.strictEqual(yield* Effect.promise(() => fs.readFile(secret, "utf8")), "theirs")
    }).pipe(Effect.scoped)
  )

  it.live("is created again if it is broken or incomplete", () =>
    Effect.gen(function* () {
      const product = yield* make({ args: ["--demo"], ownDatabase: true, withoutNats: true })
      const home = path.join(product.dataDirectory, "demo")
      yield* greeted(product, 1)
      const first = told(product, "API key")
      yield* product.stop("SIGTERM")

      // Its database no longer starts.
      yield* Effect.promise(() => fs.rm(path.join(home, "postgres/data/global"), { recursive: true }))
      yield* product.start
      yield* greeted(product, 2)
      const second = told(product, "API key")
      assert.notStrictEqual(second, first)

      // It was killed before it was complete: its servers still run, and nothing says whose they are.
      yield* product.stop("SIGKILL")
      yield* Effect.promise(() => fs.rm(path.join(home, "demo.json")))
      yield* product.start
      yield* greeted(product, 3)
      assert.notStrictEqual(told(product, "API key"), second)
      assert.strictEqual((yield* product.call("GET", told(product, "status page")!)).status, 200)
      yield* product.stop("SIGTERM")
      assert.deepStrictEqual(yield* processesOf(product.dataDirectory), [])
    }).pipe(Effect.scoped)
  )
})
