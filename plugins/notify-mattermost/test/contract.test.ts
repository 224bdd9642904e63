import { assert, describe, it } from "@effect/vitest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!
const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

const path = "/hooks/abcdefghijklmnopqrstuvwxyz"
const settle = (address: string) => ({ config: { webhookUrl: `${address}${path}` }, settings: {} })

const world = http({
  settle,
  golden: ({ body, method }) => ({ method, body: JSON.parse(body) as unknown }),
  answer: (request) => {
    require(request.path === path, "an unknown hook")
    const body = json(request) as any
    const [attachment] = body.attachments
    lengthWithin(attachment.title, 1024, "the title")
    lengthWithin(attachment.fallback, 1024, "the fallback")
    require(/^#[0-9a-f]{6}$/.test(attachment.color), "the colour is invalid")
    require(URL.canParse(attachment.title_link), "the link is no URL")
    for (const { title, value } of attachment.fields) {
      lengthWithin(title, 100, "a field's title")
      lengthWithin(value, 4000, "a field's value")
    }
    const said = JSON.stringify([attachment.text, attachment.title, attachment.fields])
    require(said.length <= 16_383, "longer than a post")
    require(!/@(channel|all|here|everyone)|<!/.test(said), `somebody is mentioned: ${said}`)
    return { status: 200, headers: { "content-type": "text/plain" }, body: "ok" }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

describe("the channel mattermost", () => {
  it.live.each([
    [400, { id: "web.incoming_webhook.invalid.app_error", message: "Invalid webhook" }, "Rejected", undefined],
    [501, { message: "Incoming webhooks have been disabled" }, "Rejected", undefined],
    [429, { message: "Too many" }, "Throttled 3", { "retry-after": "3" }]
  ] as const)("takes %i %j for %s", ([status, body, tag, headers]) =>
    Effect.gen(function* () {
      const there = yield* Targets.http(Targets.answer({ status, body: JSON.stringify(body), headers: headers ?? {} }))
      const { config, settings } = settle(there.url)
      const started = yield* Result.getOrThrow(channel.start(config, settings))
      const { reason } = yield* Effect.flip(started.deliver(notices.down))
      assert.strictEqual(reason._tag === "Throttled" ? `Throttled ${reason.retryAfter}` : reason._tag, tag)
    }).pipe(Effect.scoped, Effect.provide(network))
  )
})
