/** The contract of every channel, and the meaning of Rocket.Chat's responses. */
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import plugin from "../src/index.ts"
import world, { settle } from "./world.ts"

const channel = plugin.channels[0]!

ChannelContract.suite(channel, world)

ChannelContract.answers(channel, settle, [
  [200, { success: false, error: "Invalid channel" }, "Rejected"],
  [400, { success: false, error: "Invalid integration id or token" }, "Rejected"],
  [429, { success: false, error: "Too many requests" }, "Throttled 3", { "retry-after": "3" }],
  [502, "<html>bad gateway</html>", "Unreachable"]
])
