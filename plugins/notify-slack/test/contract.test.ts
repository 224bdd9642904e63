import { assert, describe, it } from "@effect/vitest"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { Complaint, http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!
const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))
const path = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"

/** Anything that Slack would treat as a mention, a link or a special command. */
const control = /<[!@#]|<https?:|&(?!amp;|lt;|gt;)/

const text = (value: any, limit: number, what: string): void => {
  lengthWithin(value?.text, limit, what)
  require(["plain_text", "mrkdwn"].includes(value.type), `${what} has no text type`)
  if (value.type === "mrkdwn") require(!control.test(value.text), `${what} is not escaped: ${value.text}`)
}

const block = (value: any): void => {
  switch (value.type) {
    case "header":
      require(value.text.type === "plain_text", "a header is plain text")
      return text(value.text, 150, "the header")
    case "section":
      require("text" in value || "fields" in value, "a section needs text or fields")
      if ("text" in value) text(value.text, 3000, "the section")
      require((value.fields ?? []).length <= 10, "a section has at most ten fields")
      for (const field of value.fields ?? []) text(field, 2000, "a field")
      return
    case "actions":
      require(value.elements.length <= 25, "actions have at most 25 elements")
      for (const element of value.elements) {
        require(element.type === "button" && URL.canParse(element.url), "a button needs a URL")
        text(element.text, 75, "the button")
      }
      return
    default:
      throw new Complaint(`invalid_blocks: ${value.type}`)
  }
}

const world = http({
  settle: (address) => ({ config: { webhookUrl: `${address}${path}` } }),
  golden: ({ body, method }) => ({ method, body: JSON.parse(body) as unknown }),
  answer: (request) => {
    require(request.path === path, "no_service", { status: 404, body: "no_service" })
    const body = json(request) as any
    lengthWithin(body.text, 4000, "text")
    require(!control.test(body.text), `text is not escaped: ${body.text}`)
    require(body.attachments.length <= 100, "too_many_attachments")
    for (const attachment of body.attachments) {
      require(/^#[0-9a-f]{6}$/.test(attachment.color), "a colour is invalid")
      require(attachment.blocks.length <= 50, "invalid_blocks")
      for (const each of attachment.blocks) block(each)
    }
    return { status: 200, headers: { "content-type": "text/plain" }, body: "ok" }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

describe("the channel slack", () => {
  it.each([
    "https://hooks.slack.com/workflows/T0/A0/1/x",
    "https://hooks.slack.com/triggers/T0/1/x",
    "http://HOOKS.slack.com:443/triggers/T0/1/x",
    "https://x@hooks.slack.com/workflows/T0/1/x",
    "hooks.slack.com/services/x",
    "ftp://hooks.slack.com/x"
  ])("refuses %s", (webhookUrl) => assert.isTrue(Result.isFailure(channel.normalize({ webhookUrl }))))

  it.live.each([
    [404, "no_service", "Gone"],
    [404, "no_active_hooks", "Gone"],
    [410, "channel_is_archived", "Gone"],
    [404, "channel_not_found", "Rejected"],
    [500, "no_service", "Unreachable"]
  ] as const)("maps %i %s to %s", ([status, body, tag]) =>
    Effect.gen(function* () {
      const there = yield* Targets.http(Targets.answer({ status, body }))
      const started = yield* Result.getOrThrow(channel.start({ webhookUrl: `${there.url}${path}` }))
      const error = yield* Effect.flip(started.deliver(notices.down))
      assert.strictEqual(error.reason._tag, tag)
    }).pipe(Effect.scoped, Effect.provide(network))
  )

  it.each(["http://127.0.0.1:8065/hooks/abc", "https://chat.example/slack"])("takes %s", (webhookUrl) =>
    assert.isTrue(Result.isSuccess(channel.normalize({ webhookUrl })))
  )
})
