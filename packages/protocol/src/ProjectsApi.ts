/** Projects and their keys. */
import { ProjectId } from "@kanmon/domain/Ids"
import { Project } from "@kanmon/domain/Project"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"

const params = { projectId: ProjectId }
const payload = Body.sent<{ readonly name: string }>()

export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: Schema.Array(Project), error: Problem }).annotate(
      OpenApi.Summary,
      "Your projects, newest first"
    ),
    HttpApiEndpoint.post("create", "/", {
      payload,
      success: Project.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotate(OpenApi.Summary, "Makes a project and its API key"),
    HttpApiEndpoint.get("get", "/:projectId", { params, success: Project, error: Problem }).annotate(
      OpenApi.Summary,
      "One project, with its API key"
    ),
    HttpApiEndpoint.patch("rename", "/:projectId", { params, payload, success: Project, error: Problem }).annotate(
      OpenApi.Summary,
      "Renames a project"
    ),
    HttpApiEndpoint.delete("remove", "/:projectId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes a project and everything in it"
    ),
    HttpApiEndpoint.post("rotateKey", "/:projectId/api-key", { params, success: Project, error: Problem }).annotate(
      OpenApi.Summary,
      "Makes a new API key; the old one stops at once"
    )
  )
  .middleware(Gate)
  .prefix("/projects")
  .annotateMerge(OpenApi.annotations({ title: "Projects" })) {}
