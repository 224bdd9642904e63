/** The audit log: every change with its actor, time and origin. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { auditActions, AuditEntry, auditRetentionDays } from "@kanmon/domain/AuditEntry"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { pageQuery, Search } from "./Lists.ts"
import { AdminOnly, Authorization, Limits, OrganizationOnly, Problems, ProjectOnly, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const query = {
  ...pageQuery,
  from: Schema.optionalKey(
    boundedText(100).annotate({ description: "First day, or time, inclusive. Default: as long as entries are kept" })
  ),
  to: Schema.optionalKey(boundedText(100).annotate({ description: "Last day, or time, inclusive. Default: now" })),
  actor: Schema.optionalKey(
    Search.annotate({ description: "Only changes by this account or API key, by its id, or by this kind of actor" })
  ),
  action: Schema.optionalKey(
    Search.annotate({ description: "Only this action, such as `monitor.updated`; `monitor.*` for all of monitors" })
  ),
  target: Schema.optionalKey(Search.annotate({ description: "Only changes of the record with this id" }))
}

/** The filters of the lists. */
export interface AuditQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly from?: string
  readonly to?: string
  readonly actor?: string
  readonly action?: string
  readonly target?: string
}

const parameters = { from: "2026-11-01", to: "2026-11-20", actor: "person", action: "monitor.*" }
const csv =
  "id,at,actorKind,actorId,actorName,action,targetKind,targetId,targetName,projectId,address,before,after,onBehalfOfId,onBehalfOfName\r\n" +
  'aud_01kxy,2026-11-20T08:30:00.000Z,person,usr_01kxy,ada@example.org,monitor.updated,monitor,mon_01kxy,Shop,prj_01kxy,203.0.113.7,"{""interval"":60}","{""interval"":30}",,\r\n'

const kept = `Entries are kept for ${auditRetentionDays} days and cannot be changed. Secrets are masked, and long values cut. With \`Accept: text/csv\` the answer is a table for spreadsheets, in the same pages.`

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query,
      success: Schema.Array(AuditEntry),
      error: refuses("malformed_request")
    })
      .middleware(ProjectOnly)
      .annotateMerge(
        operation({
          id: "listAuditLog",
          access: "audit.read",
          summary: "List the audit log",
          description: `Lists the changes in the project, newest first, with the actor and the fields before and after. ${kept} Actions: ${Object.keys(
            auditActions
          )
            .map((action) => `\`${action}\``)
            .join(", ")}.`,
          parameters,
          response: [Examples.auditEntry],
          csv
        })
      ),
    HttpApiEndpoint.get("ofAccount", "/account", {
      query,
      success: Schema.Array(AuditEntry),
      error: refuses("malformed_request")
    })
      .middleware(UserOnly)
      .annotateMerge(
        operation({
          id: "listAccountAuditLog",
          summary: "List the account's audit log",
          description: `Lists the changes of the account, and of all organizations that it owns with their projects, newest first. ${kept}`,
          parameters,
          response: [Examples.auditEntry],
          csv
        })
      ),
    HttpApiEndpoint.get("ofOrganization", "/organization", {
      query,
      success: Schema.Array(AuditEntry),
      error: refuses("malformed_request")
    })
      .middleware(OrganizationOnly)
      .annotateMerge(
        operation({
          id: "listOrganizationAuditLog",
          access: "organizationAudit.read",
          summary: "List the organization's audit log",
          description: `Lists the changes of the organization, its members and its subscription, and in all projects that it owns or owned, newest first. ${kept}`,
          parameters,
          response: [Examples.auditEntry],
          csv
        })
      ),
    HttpApiEndpoint.get("ofInstallation", "/installation", {
      query,
      success: Schema.Array(AuditEntry),
      error: refuses("malformed_request")
    })
      .middleware(AdminOnly)
      .annotateMerge(
        operation({
          id: "listInstallationAuditLog",
          summary: "List the installation's audit log",
          description: `Lists the changes that belong to no project, newest first: accounts, administrators, organizations, plans and subscriptions. ${kept}`,
          parameters,
          response: [{ ...Examples.auditEntry, ...Examples.planChange }],
          csv
        })
      )
  )
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/audit-log")
  .annotateMerge(
    OpenApi.annotations({ title: "Audit log", description: "Every change with its actor, time and origin." })
  ) {}
