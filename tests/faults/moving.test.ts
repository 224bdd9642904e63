/**
 * Kills the product again and again while it moves results of closed days from rows into blocks. Each result is there exactly once,
 * and is answered as before.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import * as DebianPostgres from "../support/DebianPostgres.ts"
import * as ManyResults from "../support/ManyResults.ts"
import { make } from "../support/Product.ts"

it.live.skipIf(DebianPostgres.skipped)(`loses and doubles no result when it is killed${DebianPostgres.note}`, () =>
  Effect.gen(function* () {
    const postgres = yield* DebianPostgres.make
    const url = new URL(postgres.url("kanmon"))
    yield* postgres.tool("createdb", "-h", url.hostname, "-p", url.port, "-U", "kanmon", "kanmon")
    const product = yield* make({ env: { DATABASE_URL: String(url) } })
    yield* product.healthy
    const ada = yield* product.signUp
    const target = { name: "Shop", type: "tcp", host: "127.0.0.1", port: 9, paused: true }
    const { body } = yield* ada.call("POST", "/monitors", target)
    yield* product.stop()
    const many = yield* ManyResults.insert(String(url), body.id, 25, 3)
    yield* product.start
    const shares = Array.from({ length: 6 }, (_, index) => (index + Math.random()) / 8)
    yield* ManyResults.killWhileMoving(product, ada.key, many, shares)
  }).pipe(Effect.scoped)
)
