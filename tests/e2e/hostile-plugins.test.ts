/** Plugins that do what they should not: the product serves, the others' checks go on, and it is said what was refused. */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { linesPerMinute } from "@kanmon/core/LogQuota"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import * as HostilePlugins from "../support/HostilePlugins.ts"
import { kanmonProcess } from "../support/Kanmon.ts"
import { eventually, make } from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const sources: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(HostilePlugins.refused).map(([name, { source }]) => [name, source])),
  ...HostilePlugins.running
}

const planted = Effect.map(
  Folder.make(Object.fromEntries(Object.entries(sources).map(([name, source]) => [`${name}.mjs`, source]))),
  (folder) => ({
    folder,
    env: {
      KANMON_PLUGINS: Object.keys(sources)
        .map((name) => path.join(folder, `${name}.mjs`))
        .join(",")
    }
  })
)

const metric = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "m").exec(text)?.[1])

// Each has a product of its own, and mostly waits.
describe.concurrent("hostile plugins", () => {
  it.live("affects only the monitors that use them", () =>
    Effect.gen(function* () {
      const { env, folder } = yield* planted
      const web = yield* WebTarget.make
      const product = yield* make({ env: { ...env, KANMON_PROBE_CONCURRENCY: "3" }, withoutNats: true })
      yield* product.healthy
      const ada = yield* product.signUp

      const { body: plugins } = yield* ada.call("GET", "/plugins")
      for (const [name, { words }] of Object.entries(HostilePlugins.refused)) {
        const found = plugins.filter(({ refused }: any) => refused.some((reason: string) => reason.includes(words)))
        assert.lengthOf(found, 1, `${name}: ${JSON.stringify(plugins.filter((one: any) => one.refused.length > 0))}`)
        assert.strictEqual(found[0].status, "refused")
      }
      assert.notInclude(JSON.stringify(plugins), folder)

      const stands = (id: string) => Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
      const create = (body: object) =>
        Effect.map(ada.call("POST", "/monitors", { name: "A monitor", interval: 10, ...body }), (made) => {
          assert.strictEqual(made.status, 201, JSON.stringify(made.body))
          return made.body.id as string
        })
      const hostile: Record<string, string> = {}
      for (const type of Object.keys(HostilePlugins.running)) hostile[type] = yield* create({ type, host: "a.example" })
      // More of them than there are places: none may keep its place for ever.
      for (let i = 0; i < 3; i++) yield* create({ type: "never-returns", host: `${i}.example` })
      const good = yield* create({ type: "http", url: `http://127.0.0.1:${web.port}/` })

      yield* eventually(stands(good), ({ status }) => status === "up")
      for (const type of ["allocates", "floods-the-log", "leaves-errors"])
        yield* eventually(stands(hostile[type]!), ({ status }) => status === "up")
      // A stage that no timeout can name costs the reason some words, and nothing else.
      yield* eventually(stands(hostile["odd-stages"]!), ({ status }) => status === "down")
      const asked = yield* ada.call("POST", `/monitors/${hostile["odd-stages"]}/check`)
      assert.strictEqual(asked.body.regions[0].failure.message, "a.example took more than 1 s")
      const metrics = Effect.map(
        product.call("GET", new URL("/metrics", product.base).href),
        ({ body }) => body as string
      )
      yield* eventually(
        metrics,
        (text) => metric(text, "kanmon_check_defects_total") >= 6 || metric(text, "kanmon_check_defects") >= 6
      )
      // A defect says nothing of the target.
      for (const type of ["throws-in-run", "never-returns", "odd-results", "odd-failures"])
        assert.strictEqual((yield* stands(hostile[type]!)).status, "pending", type)

      const seen = (yield* stands(good)).lastCheckedAt
      yield* eventually(stands(good), ({ lastCheckedAt, status }) => lastCheckedAt > seen && status === "up")
      yield* product.healthy

      const lines = product.output().split("\n")
      // Each minute has its quota.
      const minutes = lines.filter((line) => line.includes("further lines are dropped")).length
      assert.isAtMost(lines.filter((line) => line.includes("spam from")).length, linesPerMinute * (minutes + 1))
      assert.isNotEmpty(lines.filter((line) => line.includes("further lines are dropped")))
      for (const words of ["unheard rejection", "thrown in a timer"]) {
        const told = lines.find((line) => line.includes(words))
        assert.isDefined(told, words)
        assert.include(told!, `"plugin":"leaves-errors"`)
      }
      for (const words of ["unheard at import", "thrown after import"]) {
        const told = lines.find((line) => line.includes(words))
        // Its own name, or its file's as long as that is not known.
        assert.match(told ?? "nothing was told", /"plugin":"[^"]*leaves-errors-at-import/)
      }
      assert.strictEqual(yield* product.stop("SIGTERM"), "0")
    }).pipe(Effect.scoped)
  )

  it.live("appears in the output of doctor, with the reason", () =>
    Effect.gen(function* () {
      const { env, folder } = yield* planted
      const data = path.join(folder, "data")
      // Each plugin that hangs is given its time.
      const { code, output } = yield* kanmonProcess(["doctor"], { ...env, KANMON_DATA_DIR: data })
      assert.strictEqual(code, 1)
      for (const [name, { words }] of Object.entries(HostilePlugins.refused)) {
        const told = output.split("\n").find((line) => line.startsWith("!!") && line.includes(`${name}.mjs`))
        assert.include(told ?? output, words)
      }
    }).pipe(Effect.scoped)
  )
})
