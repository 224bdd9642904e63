import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, require } from "@kanmon/testkit/ChannelWorld"
import { Webhook } from "standardwebhooks"
import plugin from "../src/index.ts"

const secret = `whsec_${Buffer.from("a key of twenty-four bytes").toString("base64")}`

const world = http({
  settle: (address) => ({
    config: {
      url: `${address}/hooks/kanmon?token=in-the-query`,
      method: "POST",
      headers: { authorization: "Bearer a-token-of-yours" },
      secret
    }
  }),
  answer: (request) => {
    const body = json(request)
    require(request.headers["authorization"] === "Bearer a-token-of-yours", "the configured header is missing", {
      status: 401
    })
    new Webhook(secret).verify(request.body, request.headers)
    require(request.headers["webhook-id"] === body["id"], "webhook-id is not the notice's id")
    for (const key of ["event", "monitor", "timestamp", "details", "project", "rule", "reason", "regions", "links"])
      require(key in body, `${key} is missing`)
    return { status: 204 }
  }
})

ChannelContract.suite(plugin.channels[0]!, world, { golden: new URL("./golden", import.meta.url) })
