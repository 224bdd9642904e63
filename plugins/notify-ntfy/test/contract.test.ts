import { assert, describe, it } from "@effect/vitest"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, require } from "@kanmon/testkit/ChannelWorld"
import { Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

/** As ntfy's server does: JSON at the root alone, limits in bytes. */
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
    require(URL.canParse(String(body["click"])), "click is no URL")
    require(/^[-_A-Za-z0-9]{1,64}$/.test(String(body["sequence_id"])), "the sequence id is invalid")
    return { status: 200, body: JSON.stringify({ id: "hwQ2YpKdmg", event: "message", topic: body["topic"] }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

describe("the channel ntfy", () => {
  it("publishes to the public server unless told otherwise", () =>
    assert.deepStrictEqual(Result.getOrThrow(channel.normalize({ topic: "t" })), {
      topic: "t",
      serverUrl: "https://ntfy.sh"
    }))

  it.each([
    [{ topic: "a b" }, "topic"],
    [{ topic: "" }, "topic"],
    [{ topic: "t", serverUrl: "ntfy.sh" }, "serverUrl"],
    [{ topic: "t", serverUrl: "https://me:secret@ntfy.example" }, "serverUrl"]
  ])("refuses %j", (config, path) => {
    const result = channel.normalize(config)
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.errors.map((row) => row.path) : [], [path])
  })
})
