/** How this installation is. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Health } from "./HealthBody.ts"
import { Declared } from "./Serving.ts"
import * as Examples from "./internal/InstallationExamples.ts"
import { operation } from "./internal/Operation.ts"

export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("check", "/health", {
      success: [Health, Health.pipe(HttpApiSchema.status(503))]
    }).annotateMerge(
      operation({
        id: "checkHealth",
        summary: "Check service health",
        description:
          "Reports what this process depends on: 200, or 503 with the same body. For monitoring; a load balancer asks `/health/live`.",
        response: Examples.health
      })
    ),
    HttpApiEndpoint.get("live", "/health/live", {
      success: Schema.Struct({ status: Schema.Literal("ok") })
    }).annotateMerge(
      operation({
        id: "checkLiveness",
        summary: "Check liveness",
        description: "Answers 200 while this process can answer. It asks no dependency.",
        response: { status: "ok" }
      })
    )
  )
  // Orchestrators and load balancers ask without knowing the path of the installation.
  .annotateEndpoints(Declared, { isPolled: true, reach: "anyPath" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Health",
      description: "The state of the service itself, for load balancers and monitoring."
    })
  ) {}
