/** Changes of several records of a project in one transaction, for configuration files. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChangesRequest, ChangesResult, maxBytes, maxChanges, maxValues } from "./ChangesBody.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import * as Examples from "./internal/ChangeExamples.ts"
import { operation } from "./internal/Operation.ts"

export class ChangesApi extends HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.post("apply", "/", {
      payload: ChangesRequest,
      success: ChangesResult,
      error: refuses(
        "forbidden",
        "plan_limit_reached",
        "account_limit_reached",
        "conflict",
        "not_found",
        "precondition_failed",
        "validation_failed",
        "unavailable"
      )
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "changeRecords",
          access: "monitors.read",
          maxValues,
          summary: "Change records together",
          description: `Creates, updates and deletes up to ${maxChanges} monitors, channels, maintenance windows, alert rules and status pages of the project, and on-call schedules and escalation policies of its organization, in one transaction: all changes are made, or none. With \`dryRun\` the server judges them with the same code, plan limits and references included, and makes none. A body is that of the operation for a single record; where it takes the ID of a monitor, channel or schedule, \`new:\` and a key stand for the record that an earlier change creates with that key. Errors name the change and its field, such as \`changes[3].body.url\`; deleting a record that does not exist has no effect. A dry run needs the role viewer, and takes stored secrets that the caller reads masked to be those that it sends; without \`dryRun\` the role editor is needed. Schedules and policies need the same roles in the organization, with a session or an API key of the organization. With \`ifUpdatedAt\` an update or a deletion is refused when somebody has changed the record since it was read.`,
          request: Examples.changes,
          response: Examples.changesResult
        })
      )
  )
  .annotateEndpoints(Declared, { bodyLimit: maxBytes, timeout: "3 minutes" })
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/changes")
  .annotateMerge(
    OpenApi.annotations({
      title: "Changes",
      description: "Changes of several records together, for configuration files."
    })
  ) {}
