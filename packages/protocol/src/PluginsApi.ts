/** The plugins of this installation, and what was refused. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate } from "./Gate.ts"
import { Problem } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** One kind that a plugin offers: `type` is what monitors or channels of it name. */
const Offer = Schema.Struct({ type: Schema.String, summary: Schema.String })

export const PluginRecord = Schema.Struct({
  name: Schema.String,
  /** `bundled`: it came with Kanmon; `outside`: the operator named it in `KANMON_PLUGINS`. */
  origin: Schema.Literals(["bundled", "outside"]),
  /** `partly`: a part of it was refused, and the rest is used. */
  status: Schema.Literals(["loaded", "partly", "refused"]),
  checks: Schema.Array(Offer),
  channels: Schema.Array(Offer),
  auths: Schema.Array(Schema.String),
  /** Why it, or a part of it, is not used; one sentence each. */
  refused: Schema.Array(Schema.String)
}).annotate({ identifier: "Plugin" })
export type PluginRecord = typeof PluginRecord.Type

export class PluginsApi extends HttpApiGroup.make("plugins")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(PluginRecord), error: Problem }).annotateMerge(
      operation({
        id: "listPlugins",
        summary: "List plugins",
        description:
          "Lists the plugins of the installation in the order they were loaded, with the types they provide. `refused` gives the reasons why a plugin or a part of it is not used.",
        response: [Examples.plugin]
      })
    )
  )
  .middleware(Gate)
  .prefix("/plugins")
  .annotateMerge(
    OpenApi.annotations({
      title: "Plugins",
      description: "The plugins of the installation and the types they provide."
    })
  ) {}
