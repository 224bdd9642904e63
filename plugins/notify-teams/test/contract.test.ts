import { assert, it } from "@effect/vitest"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import { Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const path =
  "/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=a-secret-signature"
const settle = (address: string) => ({ config: { webhookUrl: `${address}${path}` }, settings: {} })

const world = http({
  settle,
  golden: ({ body, method }) => ({ method, body: JSON.parse(body) as unknown }),
  answer: (request) => {
    require(request.path === path, "DirectApiAuthorizationRequired: the signature is wrong", { status: 401 })
    require(Buffer.byteLength(request.body) <= 20_000, `the card has ${Buffer.byteLength(request.body)} bytes`)
    const body = json(request) as any
    require(body.type === "message" && body.attachments.length === 1, "TriggerInputSchemaMismatch")
    const { content, contentType } = body.attachments[0]
    require(contentType === "application/vnd.microsoft.card.adaptive", "this is no adaptive card")
    require(content.type === "AdaptiveCard" && content.version === "1.4", "the version is not known")
    for (const block of content.body) {
      if (block.type === "TextBlock") lengthWithin(block.text, 10_000, "a text")
      else {
        require(block.type === "FactSet" && block.facts.length > 0, `${block.type} is not known`)
        for (const { title, value } of block.facts) {
          lengthWithin(title, 100, "a title")
          lengthWithin(value, 4000, "a value")
        }
      }
    }
    for (const action of content.actions) require(URL.canParse(action.url), "the link is no URL")
    return { status: 202 }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [400, { error: { code: "TriggerInputSchemaMismatch", message: "no" } }, "Rejected"],
  [401, { error: { code: "DirectApiAuthorizationRequired", message: "no" } }, "Rejected"],
  [429, {}, "Throttled"]
])

it("rejects a retired connector, and says what to do", () => {
  const result = channel.normalize({ webhookUrl: "https://example.webhook.office.com/webhookb2/x" })
  assert.include(Result.isFailure(result) ? result.failure.message : "", "create a workflow")
})
