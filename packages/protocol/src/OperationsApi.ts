/** Long work on many monitors: started by one request, done by the server. */
import { OperationId } from "@kanmon/domain/Ids"
import { Operation } from "@kanmon/domain/Operation"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { maxOperationIds, type OperationRequest } from "./MonitorBulkBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/OperationExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { operationId: OperationId }

export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: Schema.Array(Operation),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listOperations",
        access: "monitors.read",
        summary: "List operations",
        description: "Lists the operations of the project, newest first. They are kept for 30 days after their end.",
        response: [Examples.operation]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<OperationRequest>("OperationRequest"),
      success: Operation.pipe(HttpApiSchema.status(201)),
      error: refuses("validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "startOperation",
          access: "monitors.write",
          summary: "Start an operation",
          description: `Changes or deletes many monitors in batches, and returns at once. The monitors are those that fit \`filter\` at this moment, or up to ${maxOperationIds} \`ids\`. A monitor that is refused is left as it is, and the others go on. The work continues after a restart of the server; \`operation.changed\` events and \`GET /operations/{operationId}\` say how far it is.`,
          maxValues: maxOperationIds + 1000,
          request: { action: "update", filter: { group: "Shop" }, set: { interval: 60 } },
          response: Examples.operation
        })
      ),
    HttpApiEndpoint.get("get", "/:operationId", {
      params,
      success: Operation,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getOperation",
        access: "monitors.read",
        summary: "Get an operation",
        description: "Returns how far an operation is, or how it ended, with the first monitors that were refused.",
        response: Examples.operation
      })
    ),
    HttpApiEndpoint.post("stop", "/:operationId/stop", {
      params,
      success: Operation,
      error: refuses("not_found")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "stopOperation",
          access: "monitors.write",
          summary: "Stop an operation",
          description:
            "Ends an operation after the batch that is under way. What is done stays done. An operation that has ended is returned as it is.",
          response: Examples.stopped
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/operations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Operations",
      description: "Long work on many monitors, which the server does in batches and reports on."
    })
  ) {}
