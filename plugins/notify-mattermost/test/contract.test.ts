import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

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

ChannelContract.answers(channel, settle, [
  [400, { id: "web.incoming_webhook.invalid.app_error", message: "Invalid webhook" }, "Rejected"],
  [501, { message: "Incoming webhooks have been disabled" }, "Rejected"],
  [429, { message: "Too many" }, "Throttled 3", { "retry-after": "3" }]
])
