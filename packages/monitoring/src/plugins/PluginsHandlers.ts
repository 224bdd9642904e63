/**
 * Endpoint that lists the plugins and the reasons for refused ones, for every account and key. Paths on the server are
 * removed; `kanmon doctor` shows them.
 */
import type { Channel } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { Check } from "@kanmon/core/Check"
import { Catalogue, type Loaded } from "@kanmon/core/PluginHost"
import { Api } from "@kanmon/protocol/Api"
import { ofChannel } from "@kanmon/protocol/ChannelSchemas"
import { ofCheck } from "@kanmon/protocol/MonitorSchemas"
import type { ChannelTypeRecord, CheckTypeRecord, PluginRecord } from "@kanmon/protocol/PluginBody"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { withoutPlaces } from "@kanmon/platform/WithoutPlaces"

export const recordOf = ({ auths, channels, checks, name, refused, source }: Loaded): PluginRecord => {
  const offers = checks.length + channels.length + auths.length
  return {
    name: name ?? withoutPlaces(source.name),
    origin: source.outside === true ? "outside" : "bundled",
    status: refused.length === 0 ? "loaded" : offers > 0 ? "partly" : "refused",
    checks: checks.map(({ summary, title, type }) => ({ type, title, summary })),
    channels: channels.map(({ summary, title, type }) => ({ type, title, summary })),
    auths: auths.map((auth) => auth.name),
    refused: refused.map(withoutPlaces)
  }
}

const toJson = Schema.decodeUnknownSync(Schema.JsonObject)

const checkTypeOf = (check: Check): CheckTypeRecord => ({
  type: check.type,
  title: check.title,
  summary: check.summary,
  passive: check.passive !== undefined,
  schema: toJson(ofCheck(check).request)
})

const channelTypeOf = (channel: Channel, ready: boolean): ChannelTypeRecord => ({
  type: channel.type,
  title: channel.title,
  summary: channel.summary,
  ready,
  reachesPerson: channel.reachesPerson === true,
  schema: toJson(ofChannel(channel))
})

export const layer = HttpApiBuilder.group(
  Api,
  "plugins",
  Effect.fnUntraced(function* (handlers) {
    const { channels, checks, plugins } = yield* Catalogue
    const { isSetUp } = yield* ChannelRunner
    const records = plugins.map(recordOf)
    // Their schemas are made when they are first asked for, not at every start.
    const types = yield* Effect.cached(Effect.sync(() => [...checks.values()].map(checkTypeOf)))
    const channelTypes = yield* Effect.cached(
      Effect.sync(() => [...channels.values()].map((channel) => channelTypeOf(channel, isSetUp(channel.type))))
    )
    return handlers.handleAll({
      list: () => Effect.succeed(records),
      checkTypes: () => types,
      channelTypes: () => channelTypes
    })
  })
)
