/**
 * A container of 256 MB, as Compose and Kubernetes limit it: every process of the product is in one control group from its first page on,
 * with PostgreSQL elsewhere. The kernel kills none of them, and the product does not replace itself.
 */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ControlGroup from "../support/ControlGroup.ts"
import * as Folder from "../support/Folder.ts"
import * as Product from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const usable = ControlGroup.memory(256 * 1024 * 1024)
const note = usable === undefined ? " (skipped: no control group for memory can be made)" : ""

/** Preloaded, enters the group before anything else is loaded. Processes that follow are in it from their start. */
const entering = (made: string): string =>
  `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(ControlGroup.membersFile(made))}, String(process.pid))\n`

/** Takes a minute. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"

describe.skipIf(usable === undefined || !isNightly)(`a container of 256 MB${note}`, () => {
  it.live("watches 300 monitors, alerts and answers within the limit", () =>
    Effect.gen(function* () {
      const made = yield* ControlGroup.group(usable!)
      const folder = yield* Folder.make({ "enter.mjs": entering(made) })
      const target = yield* WebTarget.make
      const product = yield* Product.make({
        env: { NODE_OPTIONS: `--import=${path.join(folder, "enter.mjs")}` }
      })
      yield* product.healthy
      const pid = product.pid()
      assert.include(ControlGroup.members(made), pid)
      const ada = yield* product.signUp
      const monitors = Array.from({ length: 300 }, (_, nth) => ({
        name: `Monitor ${nth}`,
        type: "http",
        url: `http://127.0.0.1:${target.port}/${nth}`,
        interval: 20,
        bodyContains: "well"
      }))
      for (let from = 0; from < monitors.length; from += 50) {
        const { body, status } = yield* ada.call("POST", "/monitors/batch", {
          monitors: monitors.slice(from, from + 50)
        })
        assert.isBelow(status, 300, JSON.stringify(body).slice(0, 300))
      }
      const all = (status: string) =>
        Product.eventually(ada.call("GET", "/overview"), ({ body }) => JSON.stringify(body).includes(`"${status}":300`))
      yield* all("up")
      target.status = 500
      yield* all("down")
      const lists = Array.from({ length: 30 }, () => ada.call("GET", "/monitors?limit=100"))
      for (const { status } of yield* Effect.all(lists, { concurrency: 10 })) assert.oneOf(status, [200, 429, 503])
      target.status = 200
      yield* all("up")
      assert.strictEqual(usable!.kills(made), 0)
      const { body: health } = yield* product.call("GET", "/health")
      assert.deepStrictEqual(health.stalls, [])
      assert.strictEqual(product.pid(), pid)
      assert.strictEqual(yield* product.stop(), "0")
    }).pipe(Effect.scoped)
  )
})
