/** Invitations to organizations. Inviters see them by organization, invited people by the token of the mail. */
import { patternText } from "@kanmon/domain/BoundedText"
import { InvitationId, OrganizationId } from "@kanmon/domain/Ids"
import { Invitation, invitationDays, InvitationOffer, maxInvitations, Organization } from "@kanmon/domain/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted } from "./Lists.ts"
import {
  AddressLimits,
  Authorization,
  Idempotency,
  JsonBody,
  Limits,
  OrganizationOnly,
  Problems,
  UserOnly
} from "./Middleware.ts"
import type { InvitationRequest } from "./OrganizationBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"
import * as OrganizationExamples from "./internal/OrganizationExamples.ts"

const params = { organizationId: OrganizationId }
const one = { ...params, invitationId: InvitationId }
const byToken = {
  token: patternText(100, /^[0-9A-Za-z]{1,100}$/, "Expected the token of an invitation").annotate({
    description: "The token from the link in the mail"
  })
}
const mailed =
  "Where no mail is set up, it is printed on the server's console. 502 `delivery_failed` when the mail server refuses it; the invitation is kept and can be sent again"

export class InvitationsApi extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/:organizationId/invitations", { params, success: Schema.Array(Invitation) })
      .annotateMerge(
        operation({
          id: "listInvitations",
          access: "members.write",
          summary: "List invitations",
          description: "Lists the open invitations of the organization, newest first, expired ones included.",
          response: [OrganizationExamples.invitation]
        })
      )
      .middleware(OrganizationOnly),
    HttpApiEndpoint.post("create", "/:organizationId/invitations", {
      params,
      payload: Body.sent<typeof InvitationRequest.Encoded>("InvitationRequest"),
      success: Invitation.pipe(HttpApiSchema.status(201)),
      error: refuses(
        "conflict",
        "delivery_failed",
        "forbidden",
        "plan_limit_reached",
        "proof_required",
        "rate_limited",
        "validation_failed"
      )
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "createInvitation",
          access: "members.write",
          summary: "Invite a member",
          description: `Sends a mail with a link that is valid for ${invitationDays} days and once. ${mailed}. 409 \`conflict\` when the address belongs to a member or is invited already, or ${maxInvitations} invitations are open. 402 \`plan_limit_reached\` when the plan includes no more members; viewers are free. 403 \`forbidden\` for a role above the caller's, and for a caller whose address is not verified.`,
          request: { email: OrganizationExamples.invitation.email, role: "editor" },
          response: OrganizationExamples.invitation
        })
      ),
    HttpApiEndpoint.delete("revoke", "/:organizationId/invitations/:invitationId", {
      params: one,
      success: Deleted,
      error: refuses("forbidden", "not_found")
    })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "revokeInvitation",
          access: "members.write",
          summary: "Revoke an invitation",
          description: "Takes the invitation back. Its link stops working at once.",
          response: Examples.deleted(OrganizationExamples.invitation.id)
        })
      ),
    HttpApiEndpoint.post("resend", "/:organizationId/invitations/:invitationId/resend", {
      params: one,
      success: Invitation,
      error: refuses("delivery_failed", "forbidden", "not_found", "plan_limit_reached", "rate_limited")
    })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "resendInvitation",
          access: "members.write",
          summary: "Resend an invitation",
          description: `Sends the mail again with a new link, which holds for ${invitationDays} days; the old one stops working. ${mailed}.`,
          response: OrganizationExamples.invitation
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({ title: "Invitations", description: "How people become members of an organization." })
  ) {}

export class OffersApi extends HttpApiGroup.make("invitationOffers")
  .add(
    HttpApiEndpoint.get("get", "/:token", {
      params: byToken,
      success: InvitationOffer,
      error: refuses("not_found")
    })
      .middleware(AddressLimits)
      .annotateMerge(
        operation({
          id: "getInvitationOffer",
          summary: "Get an invitation",
          description:
            "Returns what the invitation offers. No authentication is needed: the token was mailed to the address. 404 when it was used, revoked or has expired.",
          parameters: { token: OrganizationExamples.invitationToken },
          response: OrganizationExamples.offer
        })
      ),
    HttpApiEndpoint.post("accept", "/:token/accept", {
      params: byToken,
      success: Organization,
      error: refuses("not_found", "plan_limit_reached")
    })
      .middleware(UserOnly)
      .middleware(Limits)
      .middleware(Authorization)
      .annotateMerge(
        operation({
          id: "acceptInvitation",
          summary: "Accept an invitation",
          description:
            "Makes the account a member of the organization. Only the account with the invited address can accept; others get 403 `forbidden`. Its address counts as verified, because the token was mailed to it.",
          parameters: { token: OrganizationExamples.invitationToken },
          response: { ...OrganizationExamples.organization, role: "editor" }
        })
      ),
    HttpApiEndpoint.post("decline", "/:token/decline", {
      params: byToken,
      success: Schema.Struct({ declined: Schema.Literal(true) }),
      error: refuses("not_found")
    })
      .middleware(AddressLimits)
      .annotateMerge(
        operation({
          id: "declineInvitation",
          summary: "Decline an invitation",
          description: "Ends the invitation. No authentication is needed: the token was mailed to the address.",
          parameters: { token: OrganizationExamples.invitationToken },
          response: { declined: true }
        })
      )
  )
  .middleware(Problems)
  .prefix("/invitations")
  .annotateMerge(
    OpenApi.annotations({ title: "Invitation offers", description: "An invitation, for the person who is invited." })
  ) {}
