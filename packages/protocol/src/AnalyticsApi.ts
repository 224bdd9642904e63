/** Figures about the on-call duty of an organization. */
import { OrganizationId } from "@kanmon/domain/Ids"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OnCallAnalytics } from "./AnalyticsBody.ts"
import { rangeQuery } from "./Lists.ts"
import { Authorization, Limits, OrganizationOnly, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as AnalyticsExamples from "./internal/AnalyticsExamples.ts"
import { operation } from "./internal/Operation.ts"

export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("onCall", "/:organizationId/analytics/on-call", {
      params: { organizationId: OrganizationId },
      query: rangeQuery,
      success: OnCallAnalytics,
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "getOnCallAnalytics",
        access: "schedules.read",
        summary: "Get on-call figures",
        description:
          "Returns hours on call, pages and interrupted nights of people, times to acknowledge and to resolve alerts with an escalation, and the monitors that paged most. With `Accept: text/csv` the answer is the table of people. The default is the last 28 days; at most 400 are answered.",
        parameters: { from: "2026-11-01", to: "2026-11-30" },
        response: AnalyticsExamples.onCall,
        csv: AnalyticsExamples.csv
      })
    )
  )
  .middleware(OrganizationOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "On-call figures",
      description: "How much on-call duty costs the people of an organization, and how fast alerts are handled."
    })
  ) {}
