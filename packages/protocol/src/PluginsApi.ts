/** The plugins of this installation, and the refused ones. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Limits, Problems } from "./Middleware.ts"
import { ChannelTypeRecord, CheckTypeRecord, PluginRecord } from "./PluginBody.ts"
import * as Examples from "./internal/InstallationExamples.ts"
import { operation } from "./internal/Operation.ts"

export class PluginsApi extends HttpApiGroup.make("plugins")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(PluginRecord) }).annotateMerge(
      operation({
        id: "listPlugins",
        summary: "List plugins",
        description:
          "Lists the plugins of the installation in the order they were loaded, with the types they provide. `refused` gives the reasons why a plugin or a part of it is not used.",
        response: [Examples.plugin]
      })
    ),
    HttpApiEndpoint.get("checkTypes", "/check-types", { success: Schema.Array(CheckTypeRecord) }).annotateMerge(
      operation({
        id: "listCheckTypes",
        summary: "List monitor types",
        description:
          "Lists the types of monitors that the installation has loaded, with the JSON Schema of each. A form that is rendered from these schemas also works for the types of third-party plugins.",
        response: [Examples.checkType]
      })
    ),
    HttpApiEndpoint.get("channelTypes", "/channel-types", {
      success: Schema.Array(ChannelTypeRecord)
    }).annotateMerge(
      operation({
        id: "listChannelTypes",
        summary: "List channel types",
        description:
          "Lists the types of notification channels that the installation has loaded, with the JSON Schema of each. A form that is rendered from these schemas also works for the types of third-party plugins. `ready` is false while the operator has not set what the type needs.",
        response: [Examples.channelType]
      })
    )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/plugins")
  .annotateMerge(
    OpenApi.annotations({
      title: "Plugins",
      description: "The plugins of the installation and the types they provide."
    })
  ) {}
