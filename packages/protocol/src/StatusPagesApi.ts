/** Endpoints that manage a project's status pages. Public pages are in PublicPagesApi. */
import { StatusPageId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as StatusPageBody from "./StatusPageBody.ts"
import { deleted } from "./internal/Examples.ts"
import * as Examples from "./internal/PageExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { statusPageId: StatusPageId }

export class StatusPagesApi extends HttpApiGroup.make("statusPages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(StatusPageBody.StatusPageRecord),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listStatusPages",
        access: "statusPages.read",
        summary: "List status pages",
        description: "Lists the status pages of the project, newest first.",
        response: [Examples.page]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<StatusPageBody.PageRequest>("StatusPageRequest"),
      success: StatusPageBody.StatusPageRecord.pipe(HttpApiSchema.status(201)),
      error: refuses("plan_limit_reached", "account_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createStatusPage",
          access: "statusPages.write",
          summary: "Create a status page",
          description:
            "Creates a public status page. `slug` and `customDomain` are unique in the installation: 409 `conflict` names the field that is taken. Create the DNS records in `customDomainRecords` to activate a custom domain.",
          request: Examples.pageRequest,
          response: Examples.page
        })
      ),
    HttpApiEndpoint.post("preview", "/preview", {
      query: { scheme: Schema.optionalKey(StatusPageBody.PreviewScheme) },
      payload: Body.sent<StatusPageBody.PageRequest>("StatusPageRequest"),
      success: StatusPageBody.StatusPagePreview,
      error: refuses("malformed_request", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "previewStatusPage",
          access: "statusPages.write",
          summary: "Show an unsaved status page",
          description:
            "Renders the page that the body describes as visitors would see it now, with its figures, incidents and maintenance windows. Nothing is saved, and the slug and the custom domain may be taken.",
          request: Examples.pageRequest,
          response: Examples.pagePreview
        })
      ),
    HttpApiEndpoint.get("get", "/:statusPageId", {
      params,
      success: StatusPageBody.StatusPageRecord,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getStatusPage",
        access: "statusPages.read",
        summary: "Get a status page",
        description: "Returns one status page with the state of its custom domain.",
        response: Examples.page
      })
    ),
    HttpApiEndpoint.patch("update", "/:statusPageId", {
      params,
      payload: Body.sent<StatusPageBody.PageUpdate>("StatusPageChange"),
      success: StatusPageBody.StatusPageRecord,
      error: refuses("plan_limit_reached", "not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateStatusPage",
          access: "statusPages.write",
          summary: "Update a status page",
          description:
            "Changes the fields that are sent. `monitorIds` or `monitors` replaces all monitors of the page. A different custom domain needs its own DNS records and a new certificate; null removes it.",
          request: { customDomain: "status.acme.example" },
          response: Examples.pageWithDomain
        })
      ),
    HttpApiEndpoint.delete("remove", "/:statusPageId", {
      params,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteStatusPage",
        access: "statusPages.write",
        summary: "Delete a status page",
        description: "Deletes the status page. Its slug and its custom domain can be used again.",
        response: deleted(Examples.page.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/status-pages")
  .annotateMerge(
    OpenApi.annotations({
      title: "Status pages",
      description: "Public pages with the status and the uptime of chosen monitors."
    })
  ) {}
