/** The same with Effect: `KANMON_URL=… KANMON_KEY=km_… node watch-effect.ts https://example.org` */
import * as Client from "@kanmon/protocol/Client"
import { Console, Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"

const url = process.argv[2] ?? "https://example.org"

const program = Effect.gen(function* () {
  const client = yield* Client.make({ baseUrl: process.env["KANMON_URL"]!, apiKey: process.env["KANMON_KEY"]! })
  const creating = client.monitors.create({ payload: { name: "Example", type: "http", url, interval: 60 } })
  const monitor = yield* Client.withIdempotencyKey(`watch-${url}`)(creating)
  yield* Console.log(`${monitor.id} watches ${url}`)
  yield* Client.every(client.monitors.list, { status: "down" }).pipe(
    Stream.runForEach(({ lastCheckedAt, name }) => Console.log(`${name} is down, checked last at ${lastCheckedAt}`))
  )
})

await Effect.runPromise(
  program.pipe(
    Effect.catchTag("KanmonError", ({ message }) => Console.error(message)),
    Effect.provide(FetchHttpClient.layer)
  )
)
