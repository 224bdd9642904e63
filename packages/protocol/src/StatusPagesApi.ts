/** The status pages of a project, as their owner keeps them. What the public sees is elsewhere. */
import { StatusPageId } from "@kanmon/domain/Ids"
import * as Domain from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"
import type * as StatusPageBody from "./StatusPageBody.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { statusPageId: StatusPageId }

/** A status page as its owner sees it. */
export const StatusPageRecord = Schema.Struct({
  ...Domain.StatusPage.fields,
  customDomainRecords: Schema.Array(Domain.CustomDomainRecord).annotate({
    description: "DNS records that `customDomain` needs; empty without one, or while the installation has no pages host"
  })
}).annotate({ identifier: "StatusPage" })
export type StatusPageRecord = typeof StatusPageRecord.Type

export class StatusPagesApi extends HttpApiGroup.make("statusPages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(StatusPageRecord),
      error: Problem
    }).annotateMerge(
      operation({
        id: "listStatusPages",
        summary: "List status pages",
        description: "Lists the status pages of the project, newest first.",
        response: [Examples.page]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<StatusPageBody.PageRequest>(),
      success: StatusPageRecord.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotateMerge(
      operation({
        id: "createStatusPage",
        summary: "Create a status page",
        description:
          "Creates a public status page. `slug` and `customDomain` are unique in the installation: 409 `conflict` names the field that is taken. Create the DNS records in `customDomainRecords` to activate a custom domain.",
        request: Examples.pageRequest,
        response: Examples.page
      })
    ),
    HttpApiEndpoint.get("get", "/:statusPageId", { params, success: StatusPageRecord, error: Problem }).annotateMerge(
      operation({
        id: "getStatusPage",
        summary: "Get a status page",
        description: "Returns one status page with the state of its custom domain.",
        response: Examples.page
      })
    ),
    HttpApiEndpoint.patch("update", "/:statusPageId", {
      params,
      payload: Body.sent<Partial<StatusPageBody.PageRequest>>(),
      success: StatusPageRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "updateStatusPage",
        summary: "Update a status page",
        description:
          "Changes the fields that are sent. `monitorIds` or `monitors` replaces all monitors of the page. A different custom domain needs its own DNS records and a new certificate; null removes it.",
        request: { customDomain: "status.acme.example" },
        response: Examples.pageWithDomain
      })
    ),
    HttpApiEndpoint.delete("remove", "/:statusPageId", { params, success: Deleted, error: Problem }).annotateMerge(
      operation({
        id: "deleteStatusPage",
        summary: "Delete a status page",
        description: "Deletes the status page. Its slug and its custom domain can be used again.",
        response: Examples.deleted(Examples.page.id)
      })
    )
  )
  .middleware(Gate)
  .prefix("/status-pages")
  .annotateMerge(
    OpenApi.annotations({
      title: "Status pages",
      description: "Public pages with the status and the uptime of chosen monitors."
    })
  ) {}
