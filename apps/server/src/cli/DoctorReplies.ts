/** Whether people can answer pages from their devices: providers have to reach the public address of the installation. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { isPublicAddress } from "@kanmon/core/PublicAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect } from "effect"
import * as PluginSettings from "../PluginSettings.ts"
import { Settings } from "../Settings.ts"

/** A line of the doctor for each provider that the operator has set up. */
export const inspectReplies = Effect.gen(function* () {
  const { baseUrl } = yield* Settings
  const { channels } = yield* Catalogue
  const answerable = [...channels].filter(([, { replies }]) => replies !== undefined)
  const operator = yield* Effect.orElseSucceed(PluginSettings.read(answerable), () => new Map<string, object>())
  const providers = new Set(
    answerable.flatMap(([type, { isSetUp, replies }]) =>
      isSetUp?.(operator.get(type) ?? {}) === true ? [replies!.provider] : []
    )
  )
  return [...providers].map((provider) =>
    isPublicAddress(baseUrl)
      ? (["ok", "answers", `${provider} hands them over at ${baseUrl}${basePath}/replies/${provider}`] as const)
      : ([
          "!!",
          "answers",
          `calls ask for no key and texts have no code: ${provider} cannot reach ${baseUrl} (KANMON_BASE_URL) from the internet`
        ] as const)
  )
})
