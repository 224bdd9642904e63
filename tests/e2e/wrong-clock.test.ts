/** A probe whose clock is 90 seconds ahead, in a distributed installation: results stay correct, and operators are warned. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Installation from "../support/Installation.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually } from "../support/Product.ts"
import { RoledNats } from "../support/RoledNats.ts"
import * as WebTarget from "../support/WebTarget.ts"

const ahead = {
  NODE_OPTIONS: `--import=${new URL("../support/WrongClock.ts", import.meta.url).href}`,
  WRONG_CLOCK_MILLIS: "90000"
}

describe.skipIf(NatsServer.skipped)(`a probe whose clock is wrong${NatsServer.note}`, () => {
  it.live(
    "does not vote, sets no dates, and is reported",
    () =>
      Effect.gen(function* () {
        const { apis, probes } = yield* Installation.start({ probeEnv: { "ap-south": ahead } })
        const [api] = apis
        const ada = yield* api.signUp
        const shop = yield* WebTarget.make
        const web = { type: "http", url: `http://127.0.0.1:${shop.port}/`, interval: 10, timeout: 5 }
        const create = (body: object) =>
          Effect.map(ada.call("POST", "/monitors", { ...web, ...body }), ({ body }) => body)
        const look = (id: string) => Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
        const everywhere = yield* create({ name: "Everywhere" })
        const there = yield* create({ name: "There", regions: ["ap-south"] })

        yield* eventually(look(everywhere.id), ({ status }) => status === "up")
        const checked = yield* ada.call("POST", `/monitors/${everywhere.id}/check`)
        assert.strictEqual(checked.body.regions.find(({ region }: any) => region === "ap-south").status, "unknown")
        assert.strictEqual((yield* look(there.id)).status, "pending")

        shop.status = 500
        const before = Date.now()
        yield* ada.call("POST", `/monitors/${everywhere.id}/check`)
        const down = yield* eventually(look(everywhere.id), ({ status }) => status === "down")
        assert.isBelow(Date.parse(down.lastCheckedAt), Date.now() + 1000)
        assert.isAtLeast(Date.parse(down.lastCheckedAt), before - 10_000)
        shop.status = 200
        yield* ada.call("POST", `/monitors/${everywhere.id}/check`)
        yield* eventually(look(everywhere.id), ({ status }) => status === "up")

        const [wrong] = probes["ap-south"]
        const { body } = yield* wrong!.health
        assert.match(JSON.stringify(body), /clock/i)
        assert.match(wrong!.output(), /clock/i)
      }).pipe(
        Effect.scoped,
        Effect.provide(RoledNats.layer([...Installation.regions])),
        Effect.provide(SecureRandom.layerWebCrypto)
      ),
    120_000
  )
})
