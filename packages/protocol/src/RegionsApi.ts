/** The regions that monitors can be checked from. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AdminOnly, Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { RegionRecord, RegionState } from "./RegionBody.ts"
import * as Examples from "./internal/CheckExamples.ts"
import { operation } from "./internal/Operation.ts"

export class RegionsApi extends HttpApiGroup.make("regions")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(RegionRecord) })
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "listRegions",
          access: "monitors.read",
          summary: "List regions",
          description:
            "Lists the regions that monitors can be checked from, by name. A region stays in the list while its probes are away, and monitors keep it; while `alive` is false nothing is checked from there.",
          response: [Examples.region, { region: "us-east", alive: false }]
        })
      ),
    HttpApiEndpoint.get("probes", "/probes", { success: Schema.Array(RegionState) })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "listProbes",
          summary: "List probes",
          description:
            "Lists the regions of the installation with their probes, by name, and how many monitors depend on each. Every announced probe is asked for its state; one that does not answer within a second has `answers: false`. For admins of the installation; others get 403 `forbidden`.",
          response: [Examples.regionState]
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/regions")
  .annotateMerge(OpenApi.annotations({ title: "Regions", description: "Where monitors can be checked from." })) {}
