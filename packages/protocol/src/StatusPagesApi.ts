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
    }).annotate(OpenApi.Summary, "The status pages of the project, newest first"),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<StatusPageBody.PageRequest>(),
      success: StatusPageRecord.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotate(OpenApi.Summary, "Creates a status page"),
    HttpApiEndpoint.get("get", "/:statusPageId", { params, success: StatusPageRecord, error: Problem }).annotate(
      OpenApi.Summary,
      "One status page"
    ),
    HttpApiEndpoint.patch("update", "/:statusPageId", {
      params,
      payload: Body.sent<Partial<StatusPageBody.PageRequest>>(),
      success: StatusPageRecord,
      error: Problem
    }).annotate(OpenApi.Summary, "Changes a status page; another custom domain is set up anew"),
    HttpApiEndpoint.delete("remove", "/:statusPageId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes a status page; its names are free again"
    )
  )
  .middleware(Gate)
  .prefix("/status-pages")
  .annotateMerge(OpenApi.annotations({ title: "Status pages" })) {}
