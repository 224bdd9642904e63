/** Names of headers on the wire: some servers, old ones and those on small devices, read them by case. */
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import * as fc from "fast-check"
import { attempt } from "./Attempt.ts"

/** The lines of the head of each request, as they arrive; answers it with `response`. */
const recorder = (response: (path: string) => string) =>
  Effect.gen(function* () {
    const heads: Array<ReadonlyArray<string>> = []
    const target = yield* Targets.tcp((socket) => {
      let received = ""
      socket.on("error", () => undefined)
      socket.on("data", (bytes) => {
        received += bytes.toString("latin1")
        const end = received.indexOf("\r\n\r\n")
        if (end < 0) return
        const lines = received.slice(0, end).split("\r\n")
        heads.push(lines)
        socket.end(response(lines[0]!.split(" ")[1]!))
      })
    })
    return { ...target, heads }
  })

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
const namesIn = (head: ReadonlyArray<string>) => head.slice(1).map((line) => line.slice(0, line.indexOf(":")))

describe("the names of headers", () => {
  it.live("are sent as the user wrote them, with the values, and others as they are usually written", () =>
    Effect.gen(function* () {
      const target = yield* recorder(() => fine)
      const headers = { "X-Api-KEY": "k1", soapACTION: "urn:Get", "x-lower": "L", "ETag-ID": "e" }
      assert.strictEqual((yield* attempt(target.port, { headers })).status, "up")
      const [head = []] = target.heads
      for (const line of ["X-Api-KEY: k1", "soapACTION: urn:Get", "x-lower: L", "ETag-ID: e"])
        assert.include(head, line)
      assert.include(head, `Host: 127.0.0.1:${target.port}`)
      assert.include(head, "Accept: */*")
      assert.includeMembers(namesIn(head), ["Host", "Connection", "User-Agent", "Accept"])
    }).pipe(Effect.scoped)
  )

  it.live.each<readonly [Readonly<Record<string, unknown>>, string]>([
    [{ headers: { "USER-agent": "mine" } }, "USER-agent: mine"],
    [{ headers: { hOST: "shop.example" } }, "hOST: shop.example"],
    [{ headers: { accept: "text/html" } }, "accept: text/html"],
    [
      { method: "POST", body: { a: 1 }, headers: { "content-TYPE": "application/vnd.api+json" } },
      "content-TYPE: application/vnd.api+json"
    ],
    [{ headers: { AUTHORIZATION: "Bearer t" } }, "AUTHORIZATION: Bearer t"]
  ])("stand once, also where they replace our own: %j", ([settings, line]) =>
    Effect.gen(function* () {
      const target = yield* recorder(() => fine)
      assert.strictEqual((yield* attempt(target.port, settings)).status, "up")
      const [head = []] = target.heads
      assert.include(head, line)
      const lower = namesIn(head).map((name) => name.toLowerCase())
      assert.strictEqual(new Set(lower).size, lower.length, lower.join())
    }).pipe(Effect.scoped)
  )

  it.live("are the same after a redirect of the same server, and after a challenge", () =>
    Effect.gen(function* () {
      const target = yield* recorder((path) =>
        path === "/" ? "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n" : fine
      )
      const headers = { "X-Api-KEY": "k1", hOST: "shop.example" }
      assert.strictEqual(
        (yield* attempt(target.port, { headers: { "X-Api-KEY": "k1" }, followRedirects: true })).status,
        "up"
      )
      assert.lengthOf(target.heads, 2)
      for (const head of target.heads) assert.include(head, "X-Api-KEY: k1")
      const asking = yield* recorder(
        () =>
          'HTTP/1.1 401 No\r\nwww-AUTHENTICATE: Digest realm="r", nonce="n", qop="auth"\r\nContent-Length: 0\r\n\r\n'
      )
      yield* attempt(asking.port, { authentication: "digest", username: "ada", password: "p", headers })
      assert.lengthOf(asking.heads, 2)
      for (const head of asking.heads) assert.includeMembers([...head], ["X-Api-KEY: k1", "hOST: shop.example"])
      assert.include(namesIn(asking.heads[1]!), "Authorization")
    }).pipe(Effect.scoped)
  )

  it.live("have any spelling", () =>
    Effect.gen(function* () {
      const target = yield* recorder(() => fine)
      const name = fc.stringMatching(/^[xX]-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(name, { selector: (text) => text.toLowerCase(), maxLength: 10 }),
            async (names) => {
              const headers = Object.fromEntries(names.map((one, index) => [one, String(index)]))
              target.heads.length = 0
              assert.strictEqual((await Effect.runPromise(attempt(target.port, { headers }))).status, "up")
              assert.includeMembers(
                [...target.heads[0]!],
                names.map((one, index) => `${one}: ${index}`)
              )
            }
          ),
          { numRuns: 30 }
        )
      )
    }).pipe(Effect.scoped)
  )
})
