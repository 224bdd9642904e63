/** The contract of an installation with the plugins that come with Kanmon. */
import { load } from "@kanmon/core/PluginHost"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { Effect } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import * as Contract from "./Contract.ts"

export const objections: Contract.Objections = Contract.make(
  OpenApiDocument.make(await Effect.runPromise(load(bundled)), "http://kanmon.example", "1")
)
