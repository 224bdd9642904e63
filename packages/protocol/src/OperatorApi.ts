/** The people of an installation, for its administrators: list, disable and enable them, and act as one of them. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { pageQuery, Search } from "./Lists.ts"
import { AdminOnly, Authorization, Limits, Problems, UserOnly } from "./Middleware.ts"
import {
  Impersonation,
  InstallationAccount,
  InstallationAccountDetails,
  InstallationOrganization
} from "./OperatorBody.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/OperatorExamples.ts"
import { operation } from "./internal/Operation.ts"

const query = (searched: string) => ({
  ...pageQuery,
  q: Schema.optionalKey(Search.annotate({ description: `Only those with this text in ${searched}` })),
  disabled: Schema.optionalKey(
    Schema.Literals(["true", "false"]).annotate({ description: "Only those that are disabled, or only the others" })
  )
})
const ofAccount = { userId: UserId }
const ofOrganization = { organizationId: OrganizationId }

export class OperatorApi extends HttpApiGroup.make("operator")
  .add(
    HttpApiEndpoint.get("listAccounts", "/installation/accounts", {
      query: query("the address, the name or the id"),
      success: Schema.Array(InstallationAccount),
      error: refuses("malformed_request")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "listInstallationAccounts",
          summary: "List the installation's accounts",
          description: "Lists the accounts of the installation, newest first; a hundred unless `limit` says otherwise.",
          parameters: { q: "example.org" },
          response: [Examples.account]
        })
      ),
    HttpApiEndpoint.get("getAccount", "/installation/accounts/:userId", {
      params: ofAccount,
      success: InstallationAccountDetails,
      error: refuses("not_found")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "getInstallationAccount",
          summary: "Get an installation's account",
          description: "Returns an account with the organizations of which it is a member.",
          response: Examples.accountDetails
        })
      ),
    HttpApiEndpoint.post("disableAccount", "/installation/accounts/:userId/disable", {
      params: ofAccount,
      success: InstallationAccount,
      error: refuses("not_found", "conflict")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "disableAccount",
          summary: "Disable an account",
          description:
            "Ends all sessions of the account, of browsers and programs, and refuses to sign it in: 403 `account_disabled`. Its organizations and their API keys keep working; disable these separately. 409 for administrators: revoke their rights first.",
          response: { ...Examples.account, sessions: 0, disabledAt: Examples.at }
        })
      ),
    HttpApiEndpoint.post("enableAccount", "/installation/accounts/:userId/enable", {
      params: ofAccount,
      success: InstallationAccount,
      error: refuses("not_found")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "enableAccount",
          summary: "Enable an account",
          description: "Lets the account sign in again. Nothing of it was deleted but its sessions.",
          response: Examples.account
        })
      ),
    HttpApiEndpoint.post("impersonate", "/installation/accounts/:userId/impersonate", {
      params: ofAccount,
      success: Impersonation,
      error: refuses("not_found", "conflict", "proof_required")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "impersonateAccount",
          summary: "Start impersonating an account",
          description:
            "Replaces the session of this browser, for at most an hour, by one of the account, which `GET /auth/get-session` shows with `impersonatedBy`. In it an administrator has at most the role editor, and cannot change or delete the account itself. Its audit log names both. Administrators cannot be impersonated.",
          response: Examples.impersonation,
          headers: { "Set-Cookie": "The session of the account, and the administrator's own to return to" }
        })
      ),
    HttpApiEndpoint.delete("stopImpersonating", "/account/impersonation", {
      success: Schema.Struct({ success: Schema.Literal(true), restored: Schema.Boolean }),
      error: refuses("conflict")
    })
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "stopImpersonating",
          summary: "Stop impersonating",
          description:
            "Ends the session in which an administrator acts as the account. `restored` says whether this browser has the administrator's own session again. 409 in any other session.",
          forImpersonators: true,
          response: { success: true, restored: true },
          headers: { "Set-Cookie": "The administrator's own session" }
        })
      ),
    HttpApiEndpoint.get("listOrganizations", "/installation/organizations", {
      query: query("the name, the id or an owner's address"),
      success: Schema.Array(InstallationOrganization),
      error: refuses("malformed_request")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "listInstallationOrganizations",
          summary: "List the installation's organizations",
          description:
            "Lists the organizations of the installation, newest first; a hundred unless `limit` says otherwise.",
          parameters: { q: "Acme" },
          response: [Examples.organization]
        })
      ),
    HttpApiEndpoint.post("disableOrganization", "/installation/organizations/:organizationId/disable", {
      params: ofOrganization,
      success: InstallationOrganization,
      error: refuses("not_found")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "disableOrganization",
          summary: "Disable an organization",
          description:
            "Pauses all its monitors, refuses its API keys and members with 403 `organization_disabled`, and takes its status pages off the net: they answer 404. Nothing is deleted.",
          response: { ...Examples.organization, disabledAt: Examples.at }
        })
      ),
    HttpApiEndpoint.post("enableOrganization", "/installation/organizations/:organizationId/enable", {
      params: ofOrganization,
      success: InstallationOrganization,
      error: refuses("not_found")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "enableOrganization",
          summary: "Enable an organization",
          description: "Brings everything back as it was: the monitors that were running run again.",
          response: Examples.organization
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Operator",
      description: "Accounts and organizations of the installation, for its administrators."
    })
  ) {}
