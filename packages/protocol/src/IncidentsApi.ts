/** Incidents and maintenance windows of a project. */
import { Incident, IncidentStatus } from "@kanmon/domain/Incident"
import { IncidentId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import type * as IncidentBody from "./IncidentBody.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { deleted } from "./internal/Examples.ts"
import * as Examples from "./internal/PageExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { incidentId: IncidentId }

export class IncidentsApi extends HttpApiGroup.make("incidents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        ...keyQuery,
        keyed: Schema.optionalKey(
          Schema.Literal("true").annotate({ description: "Only maintenance windows that configuration files manage" })
        ),
        status: Schema.optionalKey(IncidentStatus),
        maintenance: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({
            description: "`true`: only maintenance windows; `false`: only incidents"
          })
        )
      },
      success: Schema.Array(Incident),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listIncidents",
        access: "incidents.read",
        summary: "List incidents",
        description: "Lists the incidents and maintenance windows of the project, newest first.",
        response: [Examples.incident]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<IncidentBody.IncidentRequest>("IncidentRequest"),
      success: Incident.pipe(HttpApiSchema.status(201)),
      error: refuses("account_limit_reached", "conflict", "validation_failed", "unavailable")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createIncident",
          access: "incidents.write",
          summary: "Create an incident",
          description:
            "Opens an incident with a first timeline entry, or schedules a maintenance window with `maintenance`, `scheduledStart` and `scheduledEnd`. During a maintenance window checks continue, no alerts are sent and the time does not count as downtime.",
          request: Examples.incidentRequest,
          response: Examples.incident
        })
      ),
    HttpApiEndpoint.get("get", "/:incidentId", {
      params,
      success: Incident,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getIncident",
        access: "incidents.read",
        summary: "Get an incident",
        description: "Returns one incident or maintenance window with its timeline.",
        response: Examples.incident
      })
    ),
    HttpApiEndpoint.patch("update", "/:incidentId", {
      params,
      payload: Body.sent<IncidentBody.IncidentUpdate>("IncidentChange"),
      success: Incident,
      error: refuses("account_limit_reached", "conflict", "not_found", "validation_failed", "unavailable")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateIncident",
          access: "incidents.write",
          summary: "Update an incident",
          description:
            "Changes the fields that are sent. A message or a changed status adds an entry to the timeline; every change of status is allowed. Resolving a maintenance window ends it at once.",
          request: Examples.incidentChange,
          response: Examples.resolvedIncident
        })
      ),
    HttpApiEndpoint.delete("remove", "/:incidentId", {
      params,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteIncident",
        access: "incidents.write",
        summary: "Delete an incident",
        description: "Deletes the incident. A maintenance window ends at once and its series with it.",
        response: deleted(Examples.incident.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/incidents")
  .annotateMerge(
    OpenApi.annotations({ title: "Incidents", description: "Incidents with their timelines, and maintenance windows." })
  ) {}
