/** Incidents and maintenance windows of a project. */
import { Incident, IncidentStatus } from "@kanmon/domain/Incident"
import { IncidentId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import type * as IncidentBody from "./IncidentBody.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"

const params = { incidentId: IncidentId }

export class IncidentsApi extends HttpApiGroup.make("incidents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        status: Schema.optionalKey(IncidentStatus),
        maintenance: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({
            description: "Only maintenance windows, or only what is none"
          })
        )
      },
      success: Schema.Array(Incident),
      error: Problem
    }).annotate(OpenApi.Summary, "The incidents and maintenance windows of the project, newest first"),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<IncidentBody.IncidentRequest>(),
      success: Incident.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotate(OpenApi.Summary, "Opens an incident, or schedules a maintenance window"),
    HttpApiEndpoint.get("get", "/:incidentId", { params, success: Incident, error: Problem }).annotate(
      OpenApi.Summary,
      "One incident with its timeline"
    ),
    HttpApiEndpoint.patch("update", "/:incidentId", {
      params,
      payload: Body.sent<IncidentBody.IncidentUpdate>(),
      success: Incident,
      error: Problem
    }).annotate(OpenApi.Summary, "Writes on the timeline, changes the status, the monitors or the window"),
    HttpApiEndpoint.delete("remove", "/:incidentId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes an incident; a maintenance window ends now, and its series with it"
    )
  )
  .middleware(Gate)
  .prefix("/incidents")
  .annotateMerge(OpenApi.annotations({ title: "Incidents" })) {}
