/** Sends … */
import { definePlugin, definePromiseChannel } from "@kanmon/core/PromisePlugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Schema } from "effect"

const channel = definePromiseChannel({
  type: "my-type",
  summary: "Says in one sentence what it sends, and where.",
  config: Schema.Struct({ url: WebAddress.annotate({ description: "Address of the destination. Write-only" }) }),
  example: { url: "https://target.example.org/a-secret" },
  secrets: ["url"],
  // One attempt: `delivery` has the network and the signal to stop, NoticeText of @kanmon/core has the words.
  deliver: async (_notice, _config, _delivery) => {
    throw new Error("notify-my-type is not written yet")
  }
})

export default definePlugin({ name: "notify-my-type", contract: 1, channels: [channel] })
