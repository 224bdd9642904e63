/**
 * The plugins over HTTP, for everybody who has an account or a key: what there is to be used, and why something is missing.
 * Where it lies on the operator's machine is left out; `kanmon doctor` says that.
 */
import { Catalogue, type Loaded } from "@kanmon/core/PluginHost"
import { Api } from "@kanmon/protocol/Api"
import type { PluginRecord } from "@kanmon/protocol/PluginsApi"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { mask } from "../Logging.ts"

const absolutePath = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[/\\][^\s/\\'"`:,;()]+)+[/\\]([^\s/\\'"`:,;()]+)/g

/** Leaves the last part of every path, and no secret. */
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

export const layer = HttpApiBuilder.group(
  Api,
  "plugins",
  Effect.fnUntraced(function* (handlers) {
    const { plugins } = yield* Catalogue
    const records = plugins.map(recordOf)
    return handlers.handleAll({ list: () => Effect.succeed(records) })
  })
)
