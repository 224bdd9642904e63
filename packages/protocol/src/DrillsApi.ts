/** Drills: alerts for practice. */
import { Drill, DrillReport } from "@kanmon/domain/Drill"
import { DrillId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import type { DrillRequest } from "./DrillBody.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/DrillExamples.ts"
import { deleted } from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { drillId: DrillId }

export class DrillsApi extends HttpApiGroup.make("drills")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: Schema.Array(Drill),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listDrills",
        access: "alertRules.read",
        summary: "List drills",
        description:
          "Lists the drills of the project, newest first: those that are scheduled, run, or have ended. The newest 200 that have ended are kept.",
        response: [Examples.drill]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<DrillRequest>("DrillRequest"),
      success: Drill.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createDrill",
          access: "alertRules.write",
          summary: "Create a drill",
          description:
            "Starts a drill, or schedules one: an alert for practice runs through the policy, with the people, contact methods, delays and answers of a real one. Every message begins with DRILL. Nothing of it is on status pages, in uptime, in lists of alerts or in figures, and no other rule tells of it. It ends when it is acknowledged or when the policy is exhausted. A project has at most 50 drills that run or are scheduled; 409 while a drill of the same target runs.",
          request: Examples.drillRequest,
          response: Examples.drill
        })
      ),
    HttpApiEndpoint.get("get", "/:drillId", {
      params,
      success: DrillReport,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getDrill",
        access: "alertRules.read",
        summary: "Get the drill's report",
        description:
          "Returns a drill with its report, also while it runs: who was reached after how long and by what, and what failed.",
        response: Examples.drillReport
      })
    ),
    HttpApiEndpoint.delete("remove", "/:drillId", {
      params,
      success: Deleted,
      error: refuses("not_found", "conflict")
    }).annotateMerge(
      operation({
        id: "deleteDrill",
        access: "alertRules.write",
        summary: "Delete a drill",
        description:
          "Takes a scheduled drill off the schedule, and ends its repetition. A drill that runs is stopped: pages that are not sent yet are dropped, those who were paged are told, and its report stays. 409 when it has ended.",
        response: deleted(Examples.drill.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/drills")
  .annotateMerge(
    OpenApi.annotations({
      title: "Drills",
      description: "Alerts for practice, which prove that on-call works before it is needed."
    })
  ) {}
