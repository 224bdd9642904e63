/** Organizations and their members. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { maxOwnedOrganizations, Member, Organization } from "@kanmon/domain/Organization"
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
  Problems,
  UserOnly
} from "./Middleware.ts"
import type { MemberRequest, OrganizationRequest } from "./OrganizationBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"
import * as OrganizationExamples from "./internal/OrganizationExamples.ts"

const params = { organizationId: OrganizationId }
const one = { ...params, userId: UserId }
const payload = Body.sent<typeof OrganizationRequest.Encoded>("OrganizationRequest")

export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(Organization) })
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "listOrganizations",
          summary: "List organizations",
          description: "Lists the organizations of which the account is a member, oldest first, with its role in each.",
          response: [OrganizationExamples.organization]
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      payload,
      success: Organization.pipe(HttpApiSchema.status(201)),
      error: refuses("account_limit_reached", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "createOrganization",
          summary: "Create an organization",
          description: `Creates an organization with a first project. The account becomes its owner. 403 \`account_limit_reached\` when the account owns ${maxOwnedOrganizations} organizations.`,
          request: { name: "Acme" },
          response: { ...OrganizationExamples.organization, members: 1 }
        })
      ),
    HttpApiEndpoint.get("get", "/:organizationId", { params, success: Organization, error: refuses("not_found") })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "getOrganization",
          access: "organization.read",
          summary: "Get an organization",
          description: "Returns one organization with the caller's role in it.",
          response: OrganizationExamples.organization
        })
      ),
    HttpApiEndpoint.patch("rename", "/:organizationId", {
      params,
      payload,
      success: Organization,
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "renameOrganization",
          access: "organization.write",
          summary: "Rename an organization",
          description: "Changes the name of the organization, which invitations and invoices show.",
          request: { name: "Acme Inc." },
          response: { ...OrganizationExamples.organization, name: "Acme Inc." }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:organizationId", {
      params,
      success: Deleted,
      error: refuses("conflict", "not_found", "proof_required")
    })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "deleteOrganization",
          access: "organization.delete",
          summary: "Delete an organization",
          description:
            "Deletes the organization with all its projects, members and teams. This cannot be undone. 409 `conflict` while it pays for a subscription: cancel it first. 403 `proof_required` unless the person signed in, or gave the password again, within the last ten minutes.",
          response: Examples.deleted(OrganizationExamples.organization.id)
        })
      ),
    HttpApiEndpoint.get("listMembers", "/:organizationId/members", { params, success: Schema.Array(Member) })
      .middleware(OrganizationOrKey)
      .annotateMerge(
        operation({
          id: "listMembers",
          access: "members.read",
          summary: "List members",
          description:
            "Lists the members of the organization by name, with their roles, and whether pages reach them. How somebody is reached, and where, is seen by that person alone.",
          response: [OrganizationExamples.member]
        })
      ),
    HttpApiEndpoint.patch("changeMember", "/:organizationId/members/:userId", {
      params: one,
      payload: Body.sent<typeof MemberRequest.Encoded>("MemberRequest"),
      success: Member,
      error: refuses("conflict", "forbidden", "not_found", "plan_limit_reached", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "changeMember",
          access: "members.write",
          summary: "Change a member's role",
          description:
            "Gives a member another role in the organization; it takes effect immediately, also in open event streams. A caller cannot give or remove a role above their own, so only owners appoint and remove owners. The roles admin and owner need a recent sign-in: 403 `proof_required`. 409 `conflict` when the organization would have no owner. 402 `plan_limit_reached` when a viewer gets another role and the plan includes no more members.",
          request: { role: "editor" },
          response: OrganizationExamples.member
        })
      ),
    HttpApiEndpoint.delete("removeMember", "/:organizationId/members/:userId", {
      params: one,
      success: Deleted,
      error: refuses("conflict", "forbidden", "not_found")
    })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "removeMember",
          access: "members.leave",
          forImpersonators: false,
          summary: "Remove a member",
          description:
            "Ends a membership with all roles in projects and teams. The account loses access at once, in open event streams too; nothing that it made is deleted. Every member may leave; to remove others takes the role admin, and to remove owners the role owner. 409 `conflict` for the last owner.",
          response: Examples.deleted(OrganizationExamples.member.userId)
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Organizations",
      description: "An organization owns projects and the subscription, and has members with roles."
    })
  ) {}
