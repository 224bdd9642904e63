import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const path = "/api/webhooks/1234567890/abcdefghijklmnopqrstuvwxyz"
const settle = (address: string) => ({ config: { webhookUrl: `${address}${path}?thread_id=42` }, settings: {} })

const world = http({
  settle,
  golden: ({ body, method }) => ({ method, body: JSON.parse(body) as unknown }),
  answer: (request) => {
    require(request.path === `${path}?thread_id=42&wait=true`, `the wrong address: ${request.path}`)
    const body = json(request) as any
    require(body.allowed_mentions.parse.length === 0, "somebody may be mentioned")
    require(body.embeds.length <= 10, "too many embeds")
    let sum = 0
    for (const embed of body.embeds) {
      lengthWithin(embed.title, 256, "the title")
      if ("description" in embed) lengthWithin(embed.description, 4096, "the description")
      require(Number.isInteger(embed.color), "the colour is no integer")
      require(URL.canParse(embed.url), "the link is no URL")
      require(embed.fields.length <= 25, "too many fields")
      sum += embed.title.length + (embed.description ?? "").length
      for (const { name, value } of embed.fields) {
        lengthWithin(name, 256, "a field's name")
        lengthWithin(value, 1024, "a field's value")
        sum += name.length + value.length
      }
    }
    require(sum <= 6000, `all texts together have ${sum} characters`)
    return { status: 200, body: JSON.stringify({ id: "1300000000000000000" }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [404, { message: "Unknown Webhook", code: 10015 }, "Gone"],
  [401, { message: "Invalid Webhook Token", code: 50027 }, "Gone"],
  [400, { message: "Invalid Form Body", code: 50035 }, "Rejected"],
  [429, { message: "You are being rate limited.", retry_after: 2.5, global: false }, "Throttled 2.5"],
  [429, { message: "You are being rate limited.", retry_after: 2500 }, "Throttled 3", { "retry-after": "3" }]
])
