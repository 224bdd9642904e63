/**
 * Endpoint that lists the plugins and the reasons for refused ones, for every account and key. Paths on the server are
 * removed; `kanmon doctor` shows them.
 */
import type { Check } from "@kanmon/core/Check"
import { Catalogue, type Loaded } from "@kanmon/core/PluginHost"
import { Api } from "@kanmon/protocol/Api"
import { ofCheck } from "@kanmon/protocol/MonitorSchemas"
import type { CheckTypeRecord, PluginRecord } from "@kanmon/protocol/PluginBody"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { mask } from "../platform/LogMask.ts"

const absolutePath = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[/\\][^\s/\\'"`:,;()]+)+[/\\]([^\s/\\'"`:,;()]+)/g

/** Masks secrets and shortens paths to their last segment. */
export const withoutPlaces = (text: string): string => mask(text.replaceAll(absolutePath, "…/$1"))

export const recordOf = ({ auths, channels, checks, name, refused, source }: Loaded): PluginRecord => {
  const offers = checks.length + channels.length + auths.length
  return {
    name: name ?? withoutPlaces(source.name),
    origin: source.outside === true ? "outside" : "bundled",
    status: refused.length === 0 ? "loaded" : offers > 0 ? "partly" : "refused",
    checks: checks.map(({ summary, type }) => ({ type, summary })),
    channels: channels.map(({ summary, type }) => ({ type, summary })),
    auths: auths.map((auth) => auth.name),
    refused: refused.map(withoutPlaces)
  }
}

const toJson = Schema.decodeUnknownSync(Schema.JsonObject)

const checkTypeOf = (check: Check): CheckTypeRecord => ({
  type: check.type,
  summary: check.summary,
  passive: check.passive !== undefined,
  schema: toJson(ofCheck(check).request)
})

export const layer = HttpApiBuilder.group(
  Api,
  "plugins",
  Effect.fnUntraced(function* (handlers) {
    const { checks, plugins } = yield* Catalogue
    const records = plugins.map(recordOf)
    const types = [...checks.values()].map(checkTypeOf)
    return handlers.handleAll({ list: () => Effect.succeed(records), checkTypes: () => Effect.succeed(types) })
  })
)
