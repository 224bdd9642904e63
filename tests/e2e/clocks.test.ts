/** Probes whose machines have a wrong clock, in processes of their own, on one NATS server. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { hasStatus } from "../support/Checks.ts"
import { eventually, freePort, make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** Has Node tell another time, by so many milliseconds. */
const clock = (ahead: number): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${new URL("../support/WrongClock.ts", import.meta.url).href}`,
  WRONG_CLOCK_MILLIS: String(ahead)
})

describe("probes with a wrong clock", () => {
  it.live.skipIf(NatsServer.skipped)(
    `corrects small offsets, and excludes probes with large ones from the vote${NatsServer.note}`,
    () =>
      Effect.gen(function* () {
        const database = yield* TestDatabase.create
        const nats = Context.get(yield* Layer.build(Nats.Nats.layer), Nats.Nats)
        const NATS_URL = Redacted.value(nats.url).replace("//", `//${Redacted.value(nats.token)}@`)
        const target = yield* WebTarget.make
        const controlPlane = yield* make({
          env: {
            DATABASE_URL: Redacted.value(database),
            NATS_URL,
            KANMON_SECRET: "a secret that all the processes share"
          },
          args: ["--roles", "api,engine"]
        })
        yield* controlPlane.healthy
        const probe = (region: string, ahead: number) =>
          Effect.gen(function* () {
            const metrics = yield* freePort
            const product = yield* make({
              env: { NATS_URL, KANMON_METRICS_PORT: String(metrics), ...clock(ahead) },
              args: ["--roles", "probe", "--region", region]
            })
            const health = controlPlane.call("GET", `http://127.0.0.1:${metrics}/api/v1/health`)
            // The bus knows of a probe before it listens for those who ask how it is.
            return { product, health, listening: eventually(Effect.exit(health), Exit.isSuccess) }
          })
        const ahead = yield* probe("eu-west", 90_000)
        const behind = yield* probe("us-east", -90_000)
        const little = yield* probe("ap-south", -7000)
        const probes = Effect.map(controlPlane.call("GET", "/health"), ({ body }) => Object.keys(body.probes).length)
        yield* eventually(probes, (count) => count === 3)

        for (const { listening } of [ahead, behind, little]) yield* listening

        // How exactly it is measured depends on how busy the machine is.
        for (const [{ health }, status, from, to] of [
          [ahead, "wrong", -120_000, -60_000],
          [behind, "wrong", 60_000, 120_000],
          [little, "corrected", 2000, 12_000]
        ] as const) {
          const { body } = yield* eventually(health, (now) => now.body.clock.status === status)
          assert.isAtLeast(body.clock.offsetMillis, from)
          assert.isAtMost(body.clock.offsetMillis, to)
        }
        for (const { product } of [ahead, behind]) assert.match(product.output(), /clock/i)

        const ada = yield* controlPlane.signUp
        const began = Date.now()
        /** No wrong clock set this date: they are a minute and a half away. */
        const isOfOurTime = (date: string) => {
          assert.isAtLeast(Date.parse(date), began - 45_000)
          assert.isAtMost(Date.parse(date), Date.now() + 45_000)
        }
        const web = { name: "shop", type: "http", url: `http://127.0.0.1:${target.port}/`, interval: 10 }
        const { body: monitor } = yield* ada.call("POST", "/monitors", web)
        const { body: there } = yield* ada.call("POST", "/monitors", { ...web, regions: ["eu-west"] })
        // The only one whose word counts decides when the others had their time.
        const up = yield* hasStatus(ada, monitor.id, "up")
        assert.isFalse(up.stale)
        isOfOurTime(up.lastCheckedAt)
        const times = yield* ada.call("GET", `/monitors/${monitor.id}/response-times`)
        assert.deepStrictEqual([...new Set(times.body.map(({ region }: any) => region))], ["ap-south"])
        for (const { timestamp } of times.body) isOfOurTime(timestamp)

        const check = (id: string) =>
          Effect.map(ada.call("POST", `/monitors/${id}/check`), ({ body }) =>
            Object.fromEntries(body.regions.map((row: any) => [row.region, row.failure?.code ?? row.status]))
          )
        const wrong = { "eu-west": "probe_clock_wrong", "us-east": "probe_clock_wrong" }
        assert.deepStrictEqual(yield* check(monitor.id), { ...wrong, "ap-south": "up" })
        target.status = 500
        assert.deepStrictEqual(yield* check(monitor.id), { ...wrong, "ap-south": "status_mismatch" })
        isOfOurTime((yield* hasStatus(ada, monitor.id, "down")).lastCheckedAt)
        target.status = 200
        yield* check(monitor.id)
        yield* hasStatus(ada, monitor.id, "up")

        // A region of wrong clocks alone has no vote.
        const alone = yield* ada.call("POST", `/monitors/${there.id}/check`)
        assert.strictEqual(alone.status, 200)
        assert.strictEqual(alone.body.regions[0].status, "unknown")
        assert.strictEqual((yield* ada.call("GET", `/monitors/${there.id}`)).body.status, "pending")
      }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
