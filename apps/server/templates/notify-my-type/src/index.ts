/** Sends … */
import * as Channel from "@kanmon/core/Channel"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"

const channel = Channel.define({
  type: "my-type",
  title: "My type",
  summary: "Says in one sentence what it sends, and where.",
  config: Schema.Struct({ url: WebAddress.annotate({ description: "Address of the destination. Write-only" }) }),
  example: { url: "https://target.example.org/a-secret" },
  secrets: ["url"],
  make: (_config) =>
    Effect.succeed({
      // One attempt: HttpDelivery and NoticeText of @kanmon/core have what most channels need.
      deliver: (_notice) => Effect.die(new Error("notify-my-type is not written yet"))
    })
})

export default Plugin.define({ name: "notify-my-type", contract: 1, channels: [channel] })
