/** The test file that `PluginContract` runs: the contract of every kind that the plugin provides. */
import type { Plugin } from "@kanmon/core/Plugin"
import { sourceOf } from "@kanmon/core/PluginSource"
import { inject } from "vitest"
import * as AuthContract from "../AuthContract.ts"
import * as ChannelAnywhere from "../ChannelAnywhere.ts"
import * as ChannelContract from "../ChannelContract.ts"
import type { World } from "../ChannelWorld.ts"
import * as CheckContract from "../CheckContract.ts"

interface Worlds {
  readonly default: World | Readonly<Record<string, World>>
}

const { default: plugin } = (await sourceOf(inject("kanmonPlugin"), "/").load()) as { readonly default: Plugin }
const described = inject("kanmonWorld")
const worlds = described === "" ? undefined : ((await import(/* @vite-ignore */ described)) as Worlds).default

const isWorld = (worlds: Worlds["default"]): worlds is World => "start" in worlds

for (const auth of plugin.auths) AuthContract.suite(auth)
for (const check of plugin.checks) CheckContract.suite(check)
for (const channel of plugin.channels) {
  const own = worlds === undefined || isWorld(worlds) ? worlds : worlds[channel.type]
  ChannelContract.suite(channel, own ?? ChannelAnywhere.world(channel))
}
