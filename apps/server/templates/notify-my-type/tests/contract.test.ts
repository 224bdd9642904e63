/** The contract that every channel keeps. */
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import plugin from "../src/index.ts"
import world from "./world.ts"

for (const channel of plugin.channels) ChannelContract.suite(channel, world)
