/** Roles of people in a project. */
import { ProjectId, UserId } from "@kanmon/domain/Ids"
import { ProjectMember } from "@kanmon/domain/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Authorization, JsonBody, Limits, Problems, ProjectOnly, UserOnly } from "./Middleware.ts"
import type { MemberRequest } from "./OrganizationBody.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"
import * as OrganizationExamples from "./internal/OrganizationExamples.ts"

const params = { projectId: ProjectId }
const one = { ...params, userId: UserId }

export class ProjectMembersApi extends HttpApiGroup.make("projectMembers")
  .add(
    HttpApiEndpoint.get("list", "/:projectId/members", { params, success: Schema.Array(ProjectMember) }).annotateMerge(
      operation({
        id: "listProjectMembers",
        access: "projectMembers.read",
        summary: "List project members",
        description:
          "Lists the members of the organization by name, with the role that each has in the project and where it comes from.",
        response: [OrganizationExamples.projectMember]
      })
    ),
    HttpApiEndpoint.put("raise", "/:projectId/members/:userId", {
      params: one,
      payload: Body.sent<typeof MemberRequest.Encoded>("MemberRequest"),
      success: ProjectMember,
      error: refuses("forbidden", "not_found", "plan_limit_reached", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "raiseProjectMember",
          access: "projectMembers.write",
          summary: "Raise a project role",
          description:
            "Gives a member of the organization a higher role in this project. 422 if it is not above the role in the organization. A caller cannot give or remove a role above their own.",
          request: { role: "admin" },
          response: OrganizationExamples.projectMember
        })
      ),
    HttpApiEndpoint.delete("reset", "/:projectId/members/:userId", {
      params: one,
      success: ProjectMember,
      error: refuses("forbidden", "not_found")
    }).annotateMerge(
      operation({
        id: "resetProjectMember",
        access: "projectMembers.write",
        summary: "Reset a project role",
        description: "Takes the role in this project back; the one in the organization holds again, at once.",
        response: { ...OrganizationExamples.projectMember, role: "editor", projectRole: null }
      })
    )
  )
  .middleware(UserOnly)
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/projects")
  .annotateMerge(
    OpenApi.annotations({ title: "Project members", description: "Roles that are raised for one project." })
  ) {}
