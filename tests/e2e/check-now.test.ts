/** Checks on demand through the product: of a saved monitor and of one that is not saved, in two regions. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import * as NatsServer from "../support/NatsServer.ts"
import { checkNow, hasStatus } from "../support/Checks.ts"
import { eventually, make, type Product } from "../support/Product.ts"
import * as ProductNats from "../support/ProductNats.ts"
import * as WebTarget from "../support/WebTarget.ts"

const root = path.resolve(import.meta.dirname, "../..")

/** A probe of another region, in a process of its own, which may not look at private addresses. */
const probeAbroad = (product: Product) =>
  Effect.gen(function* () {
    const { servers, token } = yield* ProductNats.address(product)
    return yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["apps/server/src/main.js", "serve"], {
          cwd: root,
          stdio: "ignore",
          env: {
            PATH: NatsServer.searchPath,
            NATS_URL: `nats://${token}@${servers}`,
            KANMON_ROLES: "probe",
            KANMON_REGION: "us-east",
            KANMON_DATA_DIR: path.join(product.dataDirectory, "abroad")
          }
        })
      ),
      (process) =>
        Effect.promise(
          () =>
            new Promise<void>((ended) => {
              if (process.exitCode !== null || process.signalCode !== null) return ended()
              process.once("exit", () => ended())
              process.kill("SIGKILL")
            })
        )
    )
  })

/** A web server that takes requests and never answers. */
const silentServer = Effect.gen(function* () {
  const asked = Latch.makeUnsafe(false)
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer(() => asked.openUnsafe()).listen(0, "127.0.0.1")),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  yield* Effect.promise(() => once(server, "listening"))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: asked.await }
})

describe.skipIf(NatsServer.skipped)(`checks on demand${NatsServer.note}`, () => {
  it.live("runs in every region, and returns each result", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const url = `http://127.0.0.1:${web.port}/`
      const product = yield* make({ env: { KANMON_REGIONS: "eu-west,us-east" } })
      yield* product.healthy
      const abroad = yield* probeAbroad(product)
      const ada = yield* product.signUp
      yield* eventually(product.call("GET", "/health"), ({ body }) => body.probes["us-east"] === 1)

      // Directly after creation: the probes receive the monitor during the call.
      const site = { name: "Site", type: "http", url, interval: 3600, timeout: 3, degradedThreshold: 60_000 }
      const { body: made } = yield* ada.call("POST", "/monitors", site)
      const [west, east] = yield* checkNow(ada, made.id)
      assert.deepInclude(west, { region: "eu-west", status: "up", failure: null })
      assert.containSubset(west, { facts: { statusCode: 200 } })
      assert.isNumber(west!.responseTime)
      assert.isNumber(west!.timing.connect)
      assert.deepInclude(east, { region: "us-east", status: "down" })
      assert.strictEqual(east!.failure!.code, "address_refused")

      // What is found counts like any other result: one of two regions is no majority, both are.
      yield* hasStatus(ada, made.id, "up")
      web.status = 500
      const failing = yield* checkNow(ada, made.id)
      assert.deepStrictEqual(
        failing.map(({ failure }) => failure?.code),
        ["status_mismatch", "address_refused"]
      )
      yield* hasStatus(ada, made.id, "down")

      // Settings of this very moment, not those of before.
      web.status = 200
      yield* ada.call("PATCH", `/monitors/${made.id}`, { expectedStatus: 404, regions: ["eu-west"] })
      const changed = yield* checkNow(ada, made.id)
      assert.lengthOf(changed, 1)
      assert.include(changed[0]!.failure!.message, "expected 404")

      /** Tests settings in regions whose probes are alive. */
      const test = (settings: object) =>
        eventually(
          ada.call("POST", "/monitors/test", settings),
          ({ body, status }) => status === 200 && body.regions.every(({ checkedAt }: any) => checkedAt !== null)
        )
      const trial = yield* test(site)
      assert.deepInclude(trial.body, { status: "up", failure: null, triggers: [], certificate: null })
      assert.lengthOf(trial.body.regions, 2)
      const refused = yield* test({ ...site, regions: ["us-east"] })
      assert.deepInclude(refused.body, { status: "down", triggers: ["monitor_down"] })
      assert.strictEqual(refused.body.failure.code, "address_refused")
      assert.lengthOf((yield* ada.call("GET", "/monitors")).body, 1)

      // The one region goes away; the other is there all the same.
      abroad.kill("SIGTERM")
      yield* eventually(product.call("GET", "/health"), ({ body }) => body.probes["us-east"] === undefined)
      const gone = yield* ada.call("POST", "/monitors/test", { ...site, regions: ["us-east"] })
      assert.strictEqual(gone.status, 503)
      assert.match(gone.body.detail, /us-east: No probe of this region is alive/)
      assert.isNotNull(gone.headers.get("retry-after"))
      const half = yield* ada.call("POST", "/monitors/test", site)
      assert.deepStrictEqual(
        half.body.regions.map(({ failure, region, status }: any) => [region, status, failure?.code]),
        [
          ["eu-west", "up", undefined],
          ["us-east", "unknown", "no_probe"]
        ]
      )

      // A pending check gets an error when the server stops, and does not delay the stop.
      const silent = yield* silentServer
      const waiting = yield* Effect.forkChild(
        ada.call("POST", "/monitors/test", { ...site, url: silent.url, timeout: 60 }, { "idempotency-key": "one" })
      )
      yield* silent.asked
      assert.strictEqual(yield* product.stop(), "0")
      assert.include((yield* Fiber.join(waiting)).body.detail, "about to stop")
    })
  )
})
