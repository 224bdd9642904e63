/** Heads of requests that are larger than anything in use are refused before anything reads them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, Logs, person, raw, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

/** CPU of this thread in milliseconds; the client's small share is included. */
const cpuOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = process.threadCpuUsage()
    yield* work
    const { system, user } = process.threadCpuUsage(before)
    return (system + user) / 1_000
  })

layer(shared, live)("the head of a request", (it) => {
  it.effect("is refused when its target or a header is too long, with the name and the limit", () =>
    Effect.gen(function* () {
      const path = yield* call("GET", `/${"a.".repeat(5_000)}`)
      refused(path, 414, "uri_too_long")
      assert.include(path.body.detail, "2048")
      refused(yield* call("GET", `/monitors?q=${"a".repeat(12_500)}`), 414, "uri_too_long")
      refused(yield* call("GET", `/monitors?${"&".repeat(300)}`), 414, "uri_too_long")
      const header = yield* call("GET", "/monitors", undefined, { "accept-encoding": `a${" ".repeat(9_000)}b` })
      refused(header, 431, "headers_too_large")
      assert.include(header.body.detail, "accept-encoding")
      const ada = yield* person
      const headers = { "if-none-match": `a${" ".repeat(9_000)}b` }
      refused(yield* ada.withKey("GET", "/monitors/summaries", undefined, headers), 431, "headers_too_large")
    })
  )

  it.effect("is logged with a short path and without its headers", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", `/${"b.".repeat(5_000)}?secret`)
      const line = (yield* Logs).find(({ annotations }) => annotations.requestId === answer.headers.get("x-request-id"))
      assert.strictEqual(line!["annotations"].status, 414)
      assert.isAtMost(line!["annotations"].path.length, 2_048)
    })
  )

  it.effect("is answered for HEAD as for GET, also where there is nothing", () =>
    Effect.gen(function* () {
      const route = `/heartbeat/${"x".repeat(43)}`
      refused(yield* call("GET", route), 404, "not_found")
      const head = yield* call("HEAD", route)
      assert.deepStrictEqual([head.status, head.headers.get("allow")], [404, null])
      assert.strictEqual((yield* call("HEAD", "/monitors/mon_1")).status, 401)
    })
  )

  it.effect("costs little whatever it consists of", () =>
    Effect.gen(function* () {
      const targets = ["a.", "/", "%2e/", "a=b&", ";", "://"].map((shape) => shape.repeat(14_000 / shape.length))
      const values = [`a${" ".repeat(14_000)}b`, ",".repeat(14_000), "a;q=0,".repeat(2_300), `"${"a".repeat(14_000)}`]
      const names = [
        "accept",
        "accept-encoding",
        "accept-language",
        "authorization",
        "cookie",
        "if-none-match",
        "x-other"
      ]
      const heads = [
        ...targets.map((target) => `GET /${target} HTTP/1.1\r\nhost: x`),
        ...names.flatMap((name) =>
          values.map((value) => `GET /api/v1/monitors/summaries HTTP/1.1\r\nhost: x\r\n${name}: ${value}`)
        )
      ]
      for (const head of heads) {
        const once = cpuOf(raw(`${head}\r\nconnection: close\r\n\r\n`))
        // The quickest of three: the first one compiles, and another may share its time with the garbage collector.
        const costs = [yield* once, yield* once, yield* once]
        assert.isBelow(Math.min(...costs), 50, head.slice(0, 120))
      }
    })
  )
})
