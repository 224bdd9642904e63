import { assert, describe, it } from "@effect/vitest"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, require } from "@kanmon/testkit/ChannelWorld"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!
const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

/** Like ntfy's server: JSON at the root only, limits in bytes. */
const world = http({
  settle: (address) => ({ config: { topic: "my-alerts", serverUrl: address } }),
  answer: (request) => {
    require(request.method === "POST" && request.path === "/", "JSON is published at the root")
    const body = json(request)
    const invalid = (code: number, error: string) => ({ status: 400, body: JSON.stringify({ code, http: 400, error }) })
    require(/^[-_A-Za-z0-9]{1,64}$/.test(String(body["topic"])), "the topic is invalid", invalid(
      40009,
      "topic invalid"
    ))
    require(typeof body["message"] === "string" && body["message"] !== "", "the message is empty")
    require(Buffer.byteLength(String(body["message"])) <= 4096, "the message is longer than 4096 bytes")
    require(typeof body["title"] === "string" && body["title"] !== "", "the title is empty")
    require([1, 2, 3, 4, 5].includes(Number(body["priority"])), "the priority is invalid", invalid(
      40007,
      "priority invalid"
    ))
    require(Array.isArray(body["tags"]) && Buffer.byteLength(body["tags"].join(",")) <= 512, "too many tags")
    const { click = "https://kanmon.example", sequence_id: sequence = "none" } = body
    require(URL.canParse(String(click)), "click is no URL")
    require(/^[-_A-Za-z0-9]{1,64}$/.test(String(sequence)), "the sequence id is invalid")
    return { status: 200, body: JSON.stringify({ id: "hwQ2YpKdmg", event: "message", topic: body["topic"] }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

describe("the channel ntfy", () => {
  it("publishes to the public server by default", () =>
    assert.deepStrictEqual(Result.getOrThrow(channel.normalize({ topic: "t" })), {
      topic: "t",
      serverUrl: "https://ntfy.sh"
    }))

  it.each([
    [{ topic: "a b" }, "topic"],
    [{ topic: "" }, "topic"],
    [{ topic: "t", serverUrl: "ntfy.sh" }, "serverUrl"],
    [{ topic: "t", serverUrl: "https://me:secret@ntfy.example" }, "serverUrl"],
    [{ topic: "t", serverUrl: "HTTPS://me:secret@ntfy.example" }, "serverUrl"],
    [{ topic: "t", serverUrl: "https:me:secret@ntfy.example" }, "serverUrl"],
    [{ topic: "t", serverUrl: "https:///me:secret@ntfy.example" }, "serverUrl"],
    [{ topic: "t", serverUrl: " https://ntfy.example" }, "serverUrl"],
    [{ topic: "t", serverUrl: "https://ntfy.example/?auth=abc" }, "serverUrl"],
    [{ topic: "t", username: "ada" }, "password"],
    [{ topic: "t", password: "secret" }, "username"],
    [{ topic: "t", username: "a:b", password: "secret" }, "username"],
    [{ topic: "t", username: "ada", password: "secret", token: "tk_0123456789" }, "token"],
    [{ topic: "t", token: "tk_\r\nx: y" }, "token"]
  ])("refuses %j", (config, path) => {
    const result = channel.normalize(config)
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.errors.map((row) => row.path) : [], [path])
  })

  it.live.each([
    [{ token: "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2" }, "Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"],
    // "adä:pass:word" in UTF-8 (RFC 7617).
    [{ username: "adä", password: "pass:word" }, "Basic YWTDpDpwYXNzOndvcmQ="]
  ] as const)("signs in with %j, which no answer can show", ([credentials, authorization]) =>
    Effect.gen(function* () {
      const body = JSON.stringify({
        code: 40301,
        http: 403,
        error: `forbidden: ${authorization} ${Object.values(credentials).join()}`
      })
      const there = yield* Targets.http(Targets.answer({ status: 403, body }))
      const started = yield* Result.getOrThrow(channel.start({ topic: "t", serverUrl: there.url, ...credentials }))
      const { reason } = yield* Effect.flip(started.deliver(notices.down))
      assert.strictEqual(there.requests[0]!.headers["authorization"], authorization)
      for (const secret of [authorization.split(" ")[1]!, "pass:word", "tk_Ag"])
        assert.notInclude(reason.detail, secret)
      assert.strictEqual(reason._tag, "Rejected")
    }).pipe(Effect.scoped, Effect.provide(network))
  )

  it.live.each([
    [42_908, 6 * 3600],
    // Without a delay the host retries with backoff.
    [42_901, undefined]
  ] as const)("waits for the delay of error %i: %s seconds", ([code, seconds]) =>
    Effect.gen(function* () {
      const body = JSON.stringify({ code, http: 429, error: "limit reached" })
      const there = yield* Targets.http(Targets.answer({ status: 429, body }))
      const started = yield* Result.getOrThrow(channel.start({ topic: "t", serverUrl: `${there.url}/push` }))
      const { reason } = yield* Effect.flip(started.deliver(notices.down))
      assert.deepInclude(reason, { _tag: "Throttled", detail: "HTTP 429: limit reached" })
      assert.strictEqual(reason._tag === "Throttled" ? reason.retryAfter : 0, seconds)
      assert.strictEqual(there.requests[0]!.url, "/push/")
    }).pipe(Effect.scoped, Effect.provide(network))
  )
})
