/** The log of an ordinary start, some use and a stop: each line tells an operator something, and nothing is an error. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually, make } from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

interface Line {
  readonly level: string
  readonly message: unknown
  readonly annotations: Readonly<Record<string, unknown>>
}

const linesOf = (output: string): ReadonlyArray<Line> =>
  output.split("\n").flatMap((text): ReadonlyArray<Line> => (text.startsWith("{") ? [JSON.parse(text)] : []))

/** Lines of a machine that is too busy to do anything in time, and of a checkout without the dashboard. */
const ofTestMachine = /does not answer in time|answers again|dashboard is not built/

it.live("has no warning, no error and no line of an asset", () =>
  Effect.gen(function* () {
    const target = yield* WebTarget.make
    const product = yield* make({ env: { KANMON_ALLOW_PRIVATE_TARGETS: "true" } })
    yield* product.healthy
    const ada = yield* product.signUp
    const site = product.base.replace("/api/v1", "")
    const document = yield* Effect.promise(async () => (await fetch(site, { headers: { accept: "text/html" } })).text())
    const assets = [...document.matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)].map(([, asset]) => asset!)
    for (const asset of assets) yield* Effect.promise(async () => void (await (await fetch(`${site}${asset}`)).text()))
    const { id } = (yield* ada.call("POST", "/monitors", {
      name: "Shop",
      type: "http",
      url: `http://127.0.0.1:${target.port}/`,
      interval: 10
    })).body
    yield* eventually(ada.call("GET", `/monitors/${id}`), ({ body }) => body.status === "up")
    yield* product.stop("SIGINT")
    const lines = linesOf(product.output()).filter(({ message }) => !ofTestMachine.test(String(message)))
    assert.isAbove(lines.length, 3, product.output())
    assert.deepStrictEqual(
      lines.filter(({ level }) => !["INFO", "DEBUG"].includes(level.toUpperCase())),
      []
    )
    const paths = lines.flatMap(({ annotations }) =>
      typeof annotations["path"] === "string" ? [annotations["path"]] : []
    )
    assert.include(paths, "/api/v1/monitors", "requests to the API are logged")
    assert.deepStrictEqual(
      paths.filter((path) => assets.includes(path) || path.includes("/assets/")),
      []
    )
  }).pipe(Effect.scoped)
)

it.live("says that the embedded database starts, before anything else, and that a stop begins and ends", () =>
  Effect.gen(function* () {
    const product = yield* make({ ownDatabase: true })
    yield* product.healthy
    assert.strictEqual(yield* product.stop("SIGTERM"), "0")
    const messages = linesOf(product.output()).map(({ message }) => String(message))
    assert.strictEqual(messages[0], "Starting PostgreSQL (first start)")
    assert.includeMembers(messages, ["Stopping"])
    assert.strictEqual(messages.at(-1), "Stopped")
    // For a program that reads lines of JSON, each line is one, those of the start as well.
    const text = product.output().trim().split("\n")
    assert.deepStrictEqual(
      text.filter((line) => !line.startsWith("{")),
      []
    )
    assert.include(text.join("\n"), "setup code")
  }).pipe(Effect.scoped)
)
