import { assert, it } from "@effect/vitest"
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

const key = "0123456789abcdef0123456789abcdef"
const settle = (address: string) => ({
  config: { integrationKey: key },
  settings: { KANMON_PAGERDUTY_API_BASE: `${address}/` }
})

const world = http({
  settle,
  golden: ({ body, path }) => ({ path, body: { ...(JSON.parse(body) as object), routing_key: "the key" } }),
  answer: (request) => {
    require(request.path === "/v2/enqueue", `no such address: ${request.path}`, { status: 404 })
    require(Buffer.byteLength(request.body) <= 512_000, "the event is too large", { status: 413 })
    const body = json(request) as any
    const invalid = (error: string) => ({
      status: 400,
      body: JSON.stringify({ status: "invalid event", message: "Event object is invalid", errors: [error] })
    })
    require(body.routing_key.length === 32, "the length of routing_key is incorrect", invalid("routing_key"))
    lengthWithin(body.dedup_key, 255, "dedup_key")
    require(["trigger", "resolve"].includes(body.event_action), "event_action is invalid")
    if (body.event_action === "trigger") {
      lengthWithin(body.payload.summary, 1024, "payload.summary")
      lengthWithin(body.payload.source, 255, "payload.source")
      require(["critical", "error", "warning", "info"].includes(body.payload.severity), "payload.severity is invalid")
      require(!Number.isNaN(Date.parse(body.payload.timestamp)), "payload.timestamp is invalid")
      for (const { href } of body.links) require(URL.canParse(href), "a link is no URL")
    }
    const said = { status: "success", message: "Event processed", dedup_key: body.dedup_key }
    return { status: 202, body: JSON.stringify(said) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [400, { status: "invalid event", message: "Event object is invalid", errors: ["routing_key"] }, "Rejected"],
  [429, {}, "Throttled"],
  [413, {}, "Rejected"]
])

it.live("resolves what it opened, by one key, and gives a test its own", () =>
  Effect.gen(function* () {
    const there = yield* Targets.http(Targets.answer({ status: 202, body: "{}" }))
    const { config, settings } = settle(there.url)
    const started = yield* Result.getOrThrow(channel.start(config, settings))
    for (const notice of [notices.down, notices.reminder, notices.up, notices.test]) yield* started.deliver(notice)
    const events = there.requests.map(({ body }) => JSON.parse(body) as Record<string, string>)
    assert.deepStrictEqual(
      events.map(({ event_action: action }) => action),
      ["trigger", "trigger", "resolve", "trigger"]
    )
    const keys = events.map(({ dedup_key: own }) => own)
    assert.deepStrictEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]])
    assert.notStrictEqual(keys[3], keys[0])
  }).pipe(Effect.scoped, Effect.provide(network))
)
