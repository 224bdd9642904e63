/** Small machines: a heap of 256 MB with hundreds of monitors, and a fifth of a core. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as Product from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** What takes minutes. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"

const heap = { NODE_OPTIONS: "--max-old-space-size=256" }

/** A control group, for a process and the children that it starts from then on. */
const group = "/sys/fs/cgroup/cpu"
const hasGroup = (): boolean => {
  try {
    fs.accessSync(path.join(group, "cpu.cfs_quota_us"))
    const tried = fs.mkdtempSync(path.join(group, "kanmon-"))
    fs.rmdirSync(tried)
    return true
  } catch {
    return false
  }
}

const fifthOfACore: Effect.Effect<(pid: number) => void, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = fs.mkdtempSync(path.join(group, "kanmon-"))
      fs.writeFileSync(path.join(made, "cpu.cfs_period_us"), "100000")
      fs.writeFileSync(path.join(made, "cpu.cfs_quota_us"), "20000")
      return made
    }),
    (made) =>
      Effect.sync(() => {
        for (const pid of fs.readFileSync(path.join(made, "cgroup.procs"), "utf8").split("\n"))
          if (pid !== "") fs.writeFileSync(path.join(group, "cgroup.procs"), pid)
        fs.rmdirSync(made)
      })
  ),
  (made) => (pid) => fs.writeFileSync(path.join(made, "cgroup.procs"), String(pid))
)

describe("a small machine", () => {
  it.live("watches 200 monitors, lists them and reads an upload with a heap of 256 MB", () =>
    Effect.gen(function* () {
      const target = yield* WebTarget.make
      const product = yield* Product.make({ env: heap })
      yield* product.healthy
      const ada = yield* product.signUp
      const monitors = Array.from({ length: 200 }, (_, nth) => ({
        name: `Monitor ${nth}`,
        type: "http",
        url: `http://127.0.0.1:${target.port}/${nth}`,
        interval: 60,
        description: "a text that takes room ".repeat(170)
      }))
      for (let from = 0; from < monitors.length; from += 50) {
        const made = yield* ada.call("POST", "/monitors/batch", { monitors: monitors.slice(from, from + 50) })
        assert.isBelow(made.status, 300, JSON.stringify(made.body).slice(0, 300))
      }
      yield* Product.eventually(ada.call("GET", "/overview"), ({ body }) => JSON.stringify(body).includes('"up":200'))
      // Many large lists at once, and an upload of a megabyte that is no file of Uptime Kuma.
      const lists = Array.from({ length: 40 }, () => ada.call("GET", "/monitors?limit=100"))
      for (const { status } of yield* Effect.all(lists, { concurrency: 20 })) assert.oneOf(status, [200, 429, 503])
      const upload = yield* Effect.promise(() =>
        fetch(`${product.base}/imports/uptime-kuma`, {
          method: "POST",
          headers: { "content-type": "application/vnd.sqlite3", "x-api-key": ada.key },
          body: Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(1 << 20, 7)])
        })
      )
      assert.isBelow(upload.status, 500)
      const { body: health } = yield* product.call("GET", "/health")
      assert.deepStrictEqual(health.stalls, [])
      assert.strictEqual(yield* product.stop(), "0")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!isNightly || !hasGroup())("starts, checks and stops in order with a fifth of a core", () =>
    Effect.gen(function* () {
      const slow = yield* fifthOfACore
      const target = yield* WebTarget.make
      const product = yield* Product.make({ ownDatabase: true })
      slow(product.pid())
      yield* product.healthy
      const ada = yield* product.signUp
      const web = { name: "Shop", type: "http", url: `http://127.0.0.1:${target.port}/`, interval: 10 }
      const { body: shop } = yield* ada.call("POST", "/monitors", web)
      const status = Effect.map(ada.call("GET", `/monitors/${shop.id}`), ({ body }) => body.status as string)
      yield* Product.eventually(status, (now) => now === "up")
      target.status = 500
      yield* Product.eventually(status, (now) => now === "down")
      const { body: health } = yield* product.call("GET", "/health")
      assert.deepStrictEqual(health.stalls, [])
      assert.oneOf(yield* product.stop(), ["0", "1"])
    }).pipe(Effect.scoped)
  )
})
