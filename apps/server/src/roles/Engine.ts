/** The engine: evaluates observations, sends notifications and runs the recurring jobs. */
import { Engine } from "@kanmon/monitoring"
import { Effect, Layer, Option } from "effect"
import * as CustomDomains from "../CustomDomains.ts"
import { DataDirectory } from "../DataDirectory.ts"
import { Settings } from "../Settings.ts"
import { instanceId } from "./Shared.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, groupAlerts, rdapBootstrapUrl, retentionDays } = yield* Settings
    const customDomains = yield* CustomDomains.read
    const { path } = yield* DataDirectory
    return Engine.layer({
      retentionDays,
      baseUrl,
      groupAlerts,
      rdapBootstrapUrl: Option.getOrUndefined(rdapBootstrapUrl),
      id: instanceId(path, "engine"),
      ...customDomains
    })
  })
)
