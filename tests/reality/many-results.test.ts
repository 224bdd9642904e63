/**
 * An installation of the release before, with many results as rows: they move in the background while it watches, also when it is
 * killed on the way, and are answered as before.
 */
import { gunzipSync } from "node:zlib"
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DebianPostgres from "../support/DebianPostgres.ts"
import * as ManyResults from "../support/ManyResults.ts"
import * as Product from "../support/Product.ts"
import type { Made } from "./fixtures/Records.ts"
import { secret, shifted } from "./fixtures/Release.ts"
import * as Surroundings from "./fixtures/Surroundings.ts"

const release = "526d244"
/** Five million results take half an hour; some take a minute. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"
const [monitors, days] = isNightly ? [40, 87] : [30, 2]

const unpacked = (name: string): string =>
  gunzipSync(readFileSync(path.join(import.meta.dirname, "fixtures", name))).toString("utf8")

describe.skipIf(DebianPostgres.skipped)(`an earlier release with many results${DebianPostgres.note}`, () => {
  it.live(
    "is upgraded while it watches, and loses and doubles none when it is killed",
    () =>
      Effect.gen(function* () {
        const { madeAt, made } = JSON.parse(unpacked(`${release}.json.gz`)) as {
          readonly madeAt: number
          readonly made: Made
        }
        const postgres = yield* DebianPostgres.make
        const url = new URL(postgres.url("kanmon"))
        const server = ["-h", url.hostname, "-p", url.port, "-U", "kanmon"]
        yield* postgres.tool("createdb", ...server, "kanmon")
        yield* DebianPostgres.restore(String(url), shifted(unpacked(`${release}.sql.gz`), madeAt, Date.now()))
        const many = yield* ManyResults.insert(String(url), made.down, monitors!, days!)
        const product = yield* Product.make({
          host: "localhost",
          env: { ...Surroundings.settings, DATABASE_URL: String(url), KANMON_SECRET: secret }
        })
        yield* product.healthy
        const asKey = { "x-api-key": made.apiKey }
        const target = { name: "Watched", type: "tcp", host: "127.0.0.1", port: 9, interval: 10 }
        const { body: watched } = yield* product.call("POST", "/monitors", target, asKey)
        yield* ManyResults.killWhileMoving(product, made.apiKey, many, [Math.random() / 3, (1 + Math.random()) / 3])
        // It was checked meanwhile, and goes on.
        yield* Product.eventually(
          product.call("GET", `/monitors/${watched.id}/checks`, undefined, asKey),
          ({ body }) => body.length > 2
        )
      }).pipe(Effect.scoped),
    7_200_000
  )
})
