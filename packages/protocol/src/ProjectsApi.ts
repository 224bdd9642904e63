/** Projects and their keys. */
import { ProjectId } from "@kanmon/domain/Ids"
import { Project } from "@kanmon/domain/Project"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Gate } from "./Gate.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"

const params = { projectId: ProjectId }
const payload = Schema.Json

export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: Schema.Array(Project), error: Problem }),
    HttpApiEndpoint.post("create", "/", { payload, success: Project.pipe(HttpApiSchema.status(201)), error: Problem }),
    HttpApiEndpoint.get("get", "/:projectId", { params, success: Project, error: Problem }),
    HttpApiEndpoint.patch("rename", "/:projectId", { params, payload, success: Project, error: Problem }),
    HttpApiEndpoint.delete("remove", "/:projectId", { params, success: Deleted, error: Problem }),
    HttpApiEndpoint.post("rotateKey", "/:projectId/api-key", { params, success: Project, error: Problem })
  )
  .middleware(Gate)
  .prefix("/projects")
  .annotateMerge(OpenApi.annotations({ title: "Projects" })) {}
