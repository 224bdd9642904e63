/** Every endpoint of the contract passes the same gate before anything reads its body: also the one that is added tomorrow. */
import { assert, layer } from "@effect/vitest"
import { servingOf } from "@kanmon/protocol/Routes"
import { Effect } from "effect"
import { raw } from "./Server.ts"
import { shared } from "./SharedServer.ts"
import { requests } from "../../support/ContractEndpoints.ts"

/** A request whose body is announced and never sent: whatever answers has not waited for it. */
const announced = (method: string, path: string, headers: string) =>
  raw(`${method} ${path} HTTP/1.1\r\nhost: kanmon.example\r\nconnection: close\r\n${headers}\r\n\r\n`)

/** The status of an answer, and the status that its body states. */
const statuses = (answer: string): readonly [string, string] => [
  /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? "none",
  String(JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? "{}").status)
]

layer(shared, { excludeTestServices: true })("the gate of every endpoint", (it) => {
  it.effect("refuses a body over the endpoint's limit, or in another encoding, before it arrives", () =>
    Effect.gen(function* () {
      assert.isAbove(requests.length, 150)
      for (const [method, path] of requests) {
        const { bodyLimit, problems, readsAnyBody } = servingOf(method, path)
        if (readsAnyBody) continue
        const tooLarge = yield* announced(method, path, `content-length: ${bodyLimit + 1}`)
        assert.deepStrictEqual(statuses(tooLarge), ["413", "413"], `${method} ${path}`)
        const encoded = yield* announced(method, path, "content-length: 9\r\ncontent-encoding: br")
        assert.deepStrictEqual(statuses(encoded), ["415", "415"], `${method} ${path}`)
        assert.include(
          encoded.toLowerCase(),
          problems === "scim" ? "application/scim+json" : "application/problem+json"
        )
      }
    })
  )

  it.effect("refuses a target or a header that is too long", () =>
    Effect.gen(function* () {
      for (const [method, path] of requests) {
        const target = yield* announced(method, `${path}?q=${"a".repeat(12_500)}`, "x-other: 1")
        assert.deepStrictEqual(statuses(target), ["414", "414"], `${method} ${path}`)
        const header = yield* announced(method, path, `accept-encoding: ${"a".repeat(300)}`)
        assert.deepStrictEqual(statuses(header), ["431", "431"], `${method} ${path}`)
      }
    })
  )
})
