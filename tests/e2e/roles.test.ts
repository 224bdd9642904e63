/** An installation whose parts are processes of their own, which meet on a database and a NATS server. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { kanmon, kanmonProcess } from "../support/Kanmon.ts"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, freePort, make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

const shared = Effect.gen(function* () {
  const database = yield* TestDatabase.create
  const nats = Context.get(yield* Layer.build(Nats.Nats.layer), Nats.Nats)
  return {
    DATABASE_URL: Redacted.value(database),
    NATS_URL: Redacted.value(nats.url).replace("//", `//${Redacted.value(nats.token)}@`),
    KANMON_SECRET: "the same secret for all of the processes"
  }
})

describe("roles in separate processes", () => {
  it.live.skipIf(NatsServer.skipped)(
    `checks from the probe's region, and reports the health of each${NatsServer.note}`,
    () =>
      Effect.gen(function* () {
        const env = yield* shared
        const { port: target } = yield* WebTarget.make
        const metrics = yield* freePort
        const controlPlane = yield* make({ env, args: ["--roles", "api,engine"] })
        yield* controlPlane.healthy
        const stranger = yield* kanmonProcess(["serve", "--roles", "engine"], { ...env, KANMON_SECRET: "another" })
        assert.include(stranger.output, "kanmon: KANMON_SECRET: This database was made with another secret.")

        const { DATABASE_URL: _, ...withoutDatabase } = env
        const probe = yield* make({
          env: { ...withoutDatabase, KANMON_METRICS_PORT: String(metrics) },
          args: ["--roles", "probe", "--region", "us-east"]
        })
        const ada = yield* controlPlane.signUp
        const created = yield* ada.call("POST", "/monitors", {
          name: "shop",
          type: "http",
          url: `http://127.0.0.1:${target}/`,
          interval: 10
        })
        assert.strictEqual(created.status, 201)
        yield* eventually(
          Effect.map(ada.call("GET", `/monitors/${created.body.id}`), ({ body }) => body.status),
          (status) => status === "up"
        )
        const times = yield* ada.call("GET", `/monitors/${created.body.id}/response-times`)
        assert.strictEqual(times.body[0].region, "us-east")

        const own = (path: string) => controlPlane.call("GET", `http://127.0.0.1:${metrics}${path}`)
        const health = (yield* own("/api/v1/health")).body
        assert.deepInclude(health, { status: "ok", database: "none", bus: "ok", scheduler: "ok" })
        assert.include((yield* own("/metrics")).body, "kanmon_")
        assert.strictEqual((yield* own("/api/v1/health/live")).status, 200)
        assert.strictEqual((yield* own("/elsewhere")).status, 404)
        assert.include(probe.output(), "(probe in us-east)")
      }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.live.each([
    {
      roles: "probe",
      line: "kanmon: NATS_URL: A separate probe needs the NATS server of the installation."
    },
    {
      roles: "engine",
      line: "kanmon: DATABASE_URL: Without the api in the same process, the engine needs the database"
    },
    { roles: "king", line: "kanmon: KANMON_ROLES" }
  ])("are refused in one line when they cannot meet: $roles", ({ line, roles }) =>
    Effect.map(kanmon(["serve", "--roles", roles]), ({ code, output }) => {
      assert.strictEqual(code, 1)
      assert.include(output, line)
      assert.isBelow(output.trim().split("\n").length, 3, output)
    })
  )
})
