/** Teams: named sets of an organization's members. */
import { OrganizationId, TeamId, UserId } from "@kanmon/domain/Ids"
import { maxTeams, Team } from "@kanmon/domain/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted } from "./Lists.ts"
import {
  Authorization,
  Idempotency,
  JsonBody,
  Limits,
  OrganizationOnly,
  OrganizationOrKey,
  Problems
} from "./Middleware.ts"
import type { TeamRequest } from "./OrganizationBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"
import * as OrganizationExamples from "./internal/OrganizationExamples.ts"

const params = { organizationId: OrganizationId }
const one = { ...params, teamId: TeamId }
const member = { ...one, userId: UserId }
const payload = Body.sent<typeof TeamRequest.Encoded>("TeamRequest")
const taken = "409 `conflict` when another team of the organization has the name"

export class TeamsApi extends HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.post("create", "/:organizationId/teams", {
      params,
      payload,
      success: Team.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createTeam",
          access: "teams.write",
          summary: "Create a team",
          description: `Creates a team without members. A team gives no rights. ${taken}, or the organization has ${maxTeams} teams.`,
          request: { name: OrganizationExamples.team.name },
          response: { ...OrganizationExamples.team, memberIds: [] }
        })
      ),
    HttpApiEndpoint.patch("rename", "/:organizationId/teams/:teamId", {
      params: one,
      payload,
      success: Team,
      error: refuses("conflict", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "renameTeam",
          access: "teams.write",
          summary: "Rename a team",
          description: `Changes the name of the team. ${taken}.`,
          request: { name: "First line" },
          response: { ...OrganizationExamples.team, name: "First line" }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:organizationId/teams/:teamId", {
      params: one,
      success: Deleted,
      error: refuses("not_found", "conflict")
    }).annotateMerge(
      operation({
        id: "deleteTeam",
        access: "teams.write",
        summary: "Delete a team",
        description:
          "Deletes the team. Its members stay members of the organization. 409 `conflict` while an escalation policy names it: `detail` says which.",
        response: Examples.deleted(OrganizationExamples.team.id)
      })
    ),
    HttpApiEndpoint.put("addMember", "/:organizationId/teams/:teamId/members/:userId", {
      params: member,
      success: Team,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "addTeamMember",
        access: "teams.write",
        summary: "Add a team member",
        description: "Adds a member of the organization to the team. Nothing happens when it is in the team already.",
        response: OrganizationExamples.team
      })
    ),
    HttpApiEndpoint.delete("removeMember", "/:organizationId/teams/:teamId/members/:userId", {
      params: member,
      success: Team,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "removeTeamMember",
        access: "teams.write",
        summary: "Remove a team member",
        description: "Takes an account out of the team. It stays a member of the organization.",
        response: { ...OrganizationExamples.team, memberIds: [] }
      })
    )
  )
  .middleware(OrganizationOnly)
  .add(
    HttpApiEndpoint.get("list", "/:organizationId/teams", { params, success: Schema.Array(Team) })
      .middleware(OrganizationOrKey)
      .annotateMerge(
        operation({
          id: "listTeams",
          access: "teams.read",
          summary: "List teams",
          description: "Lists the teams of the organization by name, with their members.",
          response: [OrganizationExamples.team]
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(OpenApi.annotations({ title: "Teams", description: "Named sets of an organization's members." })) {}
