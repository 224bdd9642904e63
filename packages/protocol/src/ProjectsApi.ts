/** Projects and their keys. */
import { ProjectId } from "@kanmon/domain/Ids"
import { Project } from "@kanmon/domain/Project"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { projectId: ProjectId }
const payload = Body.sent<{
  readonly name: string
  readonly timezone?: string
  readonly organizationId?: string
}>("NewProjectRequest")
const change = Body.sent<{ readonly name?: string; readonly timezone?: string }>("ProjectChange")

export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: Schema.Array(Project),
      error: refuses("malformed_request")
    })
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "listProjects",
          summary: "List projects",
          description:
            "Lists the projects of all organizations of the account, newest first. Callers with a role below admin see the API key masked.",
          response: [Examples.project]
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      payload,
      success: Project.pipe(HttpApiSchema.status(201)),
      error: refuses("account_limit_reached", "organization_disabled", "forbidden", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "createProject",
          summary: "Create a project",
          description:
            "Creates a project with its API key and a default alert rule for certificates and domains. The account must be an owner or admin of the organization; without `organizationId` it is the oldest such organization. 403 `account_limit_reached` when the organization has as many projects as the operator allows.",
          request: { name: "Shop" },
          response: Examples.project
        })
      ),
    HttpApiEndpoint.get("get", "/:projectId", { params, success: Project, error: refuses("not_found") })
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "getProject",
          access: "project.read",
          summary: "Get a project",
          description: "Returns one project with its API key. Callers with a role below admin see the key masked.",
          response: Examples.project
        })
      ),
    HttpApiEndpoint.patch("update", "/:projectId", {
      params,
      payload: change,
      success: Project,
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "updateProject",
          access: "project.write",
          summary: "Update a project",
          description:
            "Changes the name of the project, or the time zone in which its messages show times. Its id and its API key stay the same.",
          request: { name: "Web shop", timezone: "Europe/Berlin" },
          response: { ...Examples.project, name: "Web shop", timezone: "Europe/Berlin" }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:projectId", {
      params,
      success: Deleted,
      error: refuses("not_found", "proof_required")
    })
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "deleteProject",
          access: "project.write",
          summary: "Delete a project",
          description:
            "Deletes the project with its monitors, alerts, incidents and status pages. Its API key stops working at once. This cannot be undone. 403 `proof_required` for a session without a sign-in, or `POST /auth/prove`, within the last ten minutes.",
          response: Examples.deleted(Examples.project.id)
        })
      ),
    HttpApiEndpoint.post("rotateKey", "/:projectId/api-key", {
      params,
      success: Project,
      error: refuses("not_found", "proof_required")
    })
      .middleware(Idempotency)
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "rotateApiKey",
          access: "project.write",
          summary: "Rotate the API key",
          description:
            "Replaces the API key of the project. The old key stops working at once. 403 `proof_required` for a session without a sign-in, or `POST /auth/prove`, within the last ten minutes.",
          response: Examples.project
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/projects")
  .annotateMerge(
    OpenApi.annotations({
      title: "Projects",
      description: "A project groups monitors, alerts, incidents and status pages. Each has its own API key."
    })
  ) {}
