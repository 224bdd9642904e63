import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const config = { userKey: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG", appToken: "azGDORePK8gMaC0QOYAMyEEuzJnyUi" }
const settle = (address: string) => ({ config, settings: { KANMON_PUSHOVER_API_BASE: address } })

const world = http({
  settle,
  golden: ({ body, path }) => ({
    path,
    body: { ...(JSON.parse(body) as object), token: "the token", user: "the user" }
  }),
  answer: (request) => {
    require(request.path === "/1/messages.json", `no such address: ${request.path}`, { status: 404 })
    const body = json(request) as any
    const invalid = (error: string) => ({ status: 400, body: JSON.stringify({ status: 0, errors: [error] }) })
    require(body.token === config.appToken, "application token is invalid", invalid("application token is invalid"))
    require(body.user === config.userKey, "user identifier is not valid", invalid("user identifier is not valid"))
    lengthWithin(body.message, 1024, "the message")
    lengthWithin(body.title, 250, "the title")
    require([-2, -1, 0, 1].includes(body.priority), "priority 2 needs retry and expire")
    require(Number.isInteger(body.timestamp), "the timestamp is no integer")
    // Messages of the host lead nowhere.
    const { url = "none", url_title: title = "none" } = body
    lengthWithin(url, 512, "the URL")
    lengthWithin(title, 100, "the URL's title")
    return { status: 200, body: JSON.stringify({ status: 1, request: "5042853c-402d-4a18-abcb-168734a801de" }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [400, { status: 0, user: "invalid", errors: ["user identifier is not valid"] }, "Rejected"],
  [429, { status: 0, errors: ["quota"] }, "Throttled 21600"],
  [429, { status: 0, errors: ["quota"] }, "Throttled 86400", { "x-limit-app-reset": "4102444800" }],
  [500, {}, "Unreachable"]
])
