/** Small machines: a heap of 256 MB with hundreds of monitors, and a fifth of a core. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ControlGroup from "../support/ControlGroup.ts"
import * as Product from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** What takes minutes. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"

const heap = { NODE_OPTIONS: "--max-old-space-size=256" }

/** 20 ms in each 100 ms. */
const fifthOfACore = ControlGroup.usable([
  { root: "/sys/fs/cgroup", files: { "cpu.max": "20000 100000" } },
  { root: "/sys/fs/cgroup/cpu", files: { "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "20000" } }
])
const note = fifthOfACore === undefined ? " (skipped: no control group for a processor can be made)" : ""

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

  it.live.skipIf(!isNightly || fifthOfACore === undefined)(
    `starts, checks and stops in order with a fifth of a core${note}`,
    () =>
      Effect.gen(function* () {
        const slow = yield* ControlGroup.group(fifthOfACore!)
        const target = yield* WebTarget.make
        const product = yield* Product.make({ ownDatabase: true })
        ControlGroup.enter(slow, product.pid())
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
