import { assert, it } from "@effect/vitest"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import { Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const apiKey = "00000000-0000-4000-8000-000000000000"
const settle = (address: string) => ({
  config: { apiKey, region: "us" },
  settings: { KANMON_OPSGENIE_API_BASE: address }
})

const world = http({
  settle,
  answer: (request) => {
    require(request.headers["authorization"] === `GenieKey ${apiKey}`, "the key is wrong", { status: 401 })
    const body = json(request) as any
    const invalid = { status: 422, body: JSON.stringify({ message: "Request body is not processable" }) }
    if (request.path === "/v2/alerts") {
      require(body.message.length <= 130 &&
        body.message !== "", `message has ${body.message.length} characters`, invalid)
      require(/^[A-Za-z0-9_-]{1,512}$/.test(body.alias), "alias is too long, or needs escaping", invalid)
      require(body.description.length <= 15_000, "description is too long", invalid)
      require(body.entity.length <= 512 && body.source.length <= 100, "entity or source is too long", invalid)
      require(/^P[1-5]$/.test(body.priority), "priority is invalid", invalid)
      require(body.tags.length <= 20 && body.tags.every((tag: string) => tag.length <= 50), "tags are invalid", invalid)
      require(JSON.stringify(body.details).length <= 8000, "details are too long", invalid)
    } else {
      const [, alias = ""] = /^\/v2\/alerts\/([^/?]+)\/close\?identifierType=alias$/.exec(request.path) ?? []
      require(decodeURIComponent(alias).startsWith("kanmon-"), `no such address: ${request.path}`, { status: 404 })
      lengthWithin(body.note, 25_000, "note")
    }
    const said = { result: "Request will be processed", took: 0.1, requestId: "43a29c5c-3dbf-4fa4-9c26-f4f71023e120" }
    return { status: 202, body: JSON.stringify(said) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [401, { message: "API Key is not valid" }, "Rejected"],
  [402, { message: "Your account is not allowed" }, "Rejected"],
  [422, { message: "Request body is not processable" }, "Rejected"],
  [429, { message: "You are making too many requests" }, "Throttled"]
])

it("uses the United States by default", () =>
  assert.deepStrictEqual(Result.getOrThrow(channel.normalize({ apiKey })), { apiKey, region: "us" }))
