/** Probes whose machines have a wrong clock, in processes of their own, on one NATS server. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, freePort, make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

/** Has Node tell another time, by so many milliseconds. */
const clock = (ahead: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const { now } = Date; const Real = Date; globalThis.Date = class extends Real {
      constructor(...given) { if (given.length === 0) super(now() + ${ahead}); else super(...given) }
      static now() { return now() + ${ahead} }
    }`
  )}`

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
            yield* make({
              env: { NATS_URL, KANMON_METRICS_PORT: String(metrics), NODE_OPTIONS: clock(ahead) },
              args: ["--roles", "probe", "--region", region]
            })
            return controlPlane.call("GET", `http://127.0.0.1:${metrics}/api/v1/health`)
          })
        const ahead = yield* probe("eu-west", 90_000)
        const behind = yield* probe("us-east", -90_000)
        const little = yield* probe("ap-south", -7000)
        const probes = Effect.map(controlPlane.call("GET", "/health"), ({ body }) => Object.keys(body.probes).length)
        yield* eventually(probes, (count) => count === 3)

        const stateOf = (health: typeof ahead) => Effect.map(health, ({ body }) => body.clock)
        for (const [health, status, offset] of [
          [ahead, "wrong", -90_000],
          [behind, "wrong", 90_000],
          [little, "corrected", 7000]
        ] as const) {
          const found = yield* eventually(stateOf(health), (told) => told.status === status)
          assert.closeTo(found.offsetMillis, offset, 1000)
        }

        const ada = yield* controlPlane.signUp
        const begun = Date.now()
        const { body: monitor } = yield* ada.call("POST", "/monitors", {
          name: "shop",
          type: "http",
          url: `http://127.0.0.1:${target.port}/`,
          interval: 10
        })
        const record = Effect.map(ada.call("GET", `/monitors/${monitor.id}`), ({ body }) => body)
        // The only one whose word counts decides when the others had their time.
        const up = yield* eventually(record, ({ status }) => status === "up", 60)
        assert.isFalse(up.stale)
        assert.isAtMost(Math.abs(Date.parse(up.lastCheckedAt) - Date.now()), 15_000)
        const times = yield* ada.call("GET", `/monitors/${monitor.id}/response-times`)
        assert.deepStrictEqual([...new Set(times.body.map(({ region }: any) => region))], ["ap-south"])
        for (const { timestamp } of times.body) assert.isAtLeast(Date.parse(timestamp), begun - 11_000)
        const checked = yield* ada.call("POST", `/monitors/${monitor.id}/check`)
        const told = Object.fromEntries(
          checked.body.regions.map((row: any) => [row.region, row.failure?.code ?? row.status])
        )
        assert.deepStrictEqual(told, {
          "ap-south": "up",
          "eu-west": "probe_clock_wrong",
          "us-east": "probe_clock_wrong"
        })
      }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto)),
    120_000
  )
})
