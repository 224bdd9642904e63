import { assert, describe, it } from "@effect/vitest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, require } from "@kanmon/testkit/ChannelWorld"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const settle = (address: string) => ({
  config: { homeserverUrl: `${address}/`, roomId: "!abc:example.test", accessToken: "syt_a-secret-access-token" },
  settings: {}
})

const tags = /^(strong|span|br|ul|li|b|a)$/
const sent = new Map<string, string>()

const world = http({
  settle,
  answer: (request) => {
    require(request.headers["authorization"] === "Bearer syt_a-secret-access-token", "M_MISSING_TOKEN", { status: 401 })
    const [, transaction] =
      /^\/_matrix\/client\/v3\/rooms\/!abc%3Aexample\.test\/send\/m\.room\.message\/([^/?]+)$/.exec(request.path) ?? []
    require(request.method === "PUT" && transaction !== undefined, `M_UNRECOGNIZED: ${request.path}`, { status: 404 })
    require(Buffer.byteLength(request.body) <= 60_000, "M_TOO_LARGE", { status: 413 })
    const body = json(request) as any
    require(body.msgtype === "m.text" && body.body !== "", "M_BAD_JSON")
    require(body.format === "org.matrix.custom.html", "the format is not known")
    // Anything in angle brackets must be an allowed tag.
    for (const [, name = ""] of body.formatted_body.matchAll(/<\/?([^\s>]*)[^>]*>/g))
      require(tags.test(name), `<${name}> is not allowed`)
    require(!/&(?!amp;|lt;|gt;|quot;)/.test(body.formatted_body), "an ampersand is not escaped")
    // The same transaction is the same event.
    const event = sent.get(transaction) ?? `$event${sent.size}`
    sent.set(transaction, event)
    return { status: 200, body: JSON.stringify({ event_id: event }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [403, { errcode: "M_FORBIDDEN", error: "not in room" }, "Rejected"],
  [401, { errcode: "M_UNKNOWN_TOKEN", error: "gone" }, "Rejected"],
  [401, { errcode: "M_USER_LOCKED", error: "locked", soft_logout: true }, "Unreachable"],
  [429, { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 4000 }, "Throttled 4"],
  [429, { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 4000 }, "Throttled 9", { "retry-after": "9" }]
])

describe("a message that needs no answer any more", () => {
  const policy = { allowPrivate: true }
  const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

  it.live("is replaced by one that says why, once", () =>
    Effect.gen(function* () {
      const there = yield* Targets.http(Targets.answer({ body: JSON.stringify({ event_id: "$new" }) }))
      const started = yield* Result.getOrThrow(channel.start(settle(there.url).config))
      const called = { reference: "$old", notice: notices.down, because: "<Ada> has it" }
      yield* started.callOff!(called)
      yield* started.callOff!(called)
      const [first, second] = there.requests
      assert.strictEqual(first!.url, second!.url)
      const content = JSON.parse(first!.body) as any
      assert.deepStrictEqual(content["m.relates_to"], { rel_type: "m.replace", event_id: "$old" })
      assert.isTrue(content["m.new_content"].body.endsWith("✅ <Ada> has it"))
      assert.isTrue(content["m.new_content"].formatted_body.endsWith("✅ <strong>&lt;Ada&gt; has it</strong>"))
      assert.isTrue(content.body.startsWith("* "))
    }).pipe(Effect.scoped, Effect.provide(network))
  )
})
