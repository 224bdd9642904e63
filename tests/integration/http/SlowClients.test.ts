/** Clients that send a request slowly get 408; they are not logged as an outage of a dependency. */
import { assert, layer } from "@effect/vitest"
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { Effect, Fiber } from "effect"
import { HeldTimeout } from "./HeldTimeout.ts"
import { layerOverWire as server, Logs, person, raw, refused, shop, Wire } from "./Server.ts"

const request = (key: string, head: string, body: string) =>
  `POST /api/v1/monitors HTTP/1.1\r\nhost: kanmon.example\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${head}\r\n\r\n${body}`

/** Lets the limit of the one request pass when the server waits for nothing but its body. */
const passed = Effect.gen(function* () {
  const { pass, running } = yield* HeldTimeout
  const wire = yield* Wire
  const isWaiting = Effect.zipWith(
    running,
    Effect.andThen(delivered, Effect.sync(wire.isIdle)),
    (count, isIdle) => count > 0 && isIdle
  )
  yield* eventually(isWaiting, (value) => value)
  yield* pass
})

layer(server({ holdsTimeout: true }), { excludeTestServices: true })("a request that is sent slowly", (it) => {
  it.effect.each([
    ["announced", "content-length: 500", '{"name":'],
    ["chunked", "transfer-encoding: chunked", '8\r\n{"name":\r\n'],
    ["not begun", "content-length: 500", ""]
  ] as const)("is answered 408 and its connection closed, without a word of an outage (%s)", ([_, head, body]) =>
    Effect.gen(function* () {
      const ada = yield* person
      const logs = yield* Logs
      const before = logs.length
      const sending = yield* Effect.forkChild(raw(request(ada.key, head, body)))
      yield* passed
      const text = yield* Fiber.join(sending)
      assert.match(text, /^HTTP\/1\.1 408 /)
      assert.match(text, /\r\nconnection: close\r\n/i)
      const problem = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4))
      assert.deepInclude(problem, {
        status: 408,
        code: "request_timeout",
        type: "urn:kanmon:problem:request_timeout"
      })
      assert.deepStrictEqual(
        logs.slice(before).map(({ level, message }) => [level, message]),
        [["INFO", "Request"]]
      )
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [])
    })
  )

  it.effect("still reports a database that does not answer", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const wire = yield* Wire
      yield* wire.stall
      const asking = yield* Effect.forkChild(ada.withKey("POST", "/monitors", shop))
      const { pass, running } = yield* HeldTimeout
      yield* eventually(running, (count) => count > 0 && !wire.isIdle())
      yield* pass
      refused(yield* Effect.ensuring(Fiber.join(asking), wire.mend), 503, "unavailable")
    })
  )
})
