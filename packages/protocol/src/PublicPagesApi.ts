/** The public side of a status page: the page, its record, feeds, badges, and files in the format of Statuspage. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { PublicStatusPage } from "./PublicPageBody.ts"
import { Declared } from "./Serving.ts"
import * as Statuspage from "./Statuspage.ts"
import * as Examples from "./internal/PublicPageExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { slug: boundedText(100).annotate({ description: "The slug of the status page" }) }
const error = refuses("not_found")
const notModified = HttpApiSchema.Empty(304)

const text = (contentType: string, description: string) =>
  Schema.String.annotate({ description }).pipe(HttpApiSchema.asText({ contentType }))

const validators = {
  ETag: "Send it back as `If-None-Match` to get 304 while nothing has changed",
  "Access-Control-Allow-Origin": "`*`: any website may read it"
}

const cursor = Schema.optionalKey(
  boundedText(100).annotate({ description: "`nextCursor` of the previous response: monitors come in pages" })
)

/** The page's record, below the API's address. */
export class PublicRecordsApi extends HttpApiGroup.make("publicRecords")
  .add(
    HttpApiEndpoint.get("record", "/:slug", {
      params,
      query: { cursor },
      success: [PublicStatusPage, notModified],
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "getPublicStatusPage",
        summary: "Get a public status page",
        description:
          "Returns what a status page shows the public: monitors with 90 days of uptime, incidents and maintenance windows. No authentication is needed, and any origin may read it. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed. Times are UTC.",
        response: Examples.record,
        headers: validators
      })
    )
  )
  .annotateEndpoints(Declared, { isPolled: true })
  .middleware(Problems)
  .prefix("/public/status-pages")
  .annotateMerge(OpenApi.annotations({ title: "Status pages" })) {}

const Badge = Schema.Literals([
  "status.svg",
  "uptime.svg",
  "uptime-24h.svg",
  "uptime-7d.svg",
  "uptime-30d.svg",
  "uptime-90d.svg"
]).annotate({ description: "The status, or the uptime of a period (30 days unless it says otherwise)" })

const elsewhere = "On the page's own host the path begins after `/status/{slug}`."

const badge = text("image/svg+xml", "The badge")

const feed = (id: string, name: "Atom" | "RSS" | "JSON", path: `/${string}`, contentType: string, response: string) =>
  HttpApiEndpoint.get(id, path, { params, success: [text(contentType, "The feed"), notModified], error }).annotateMerge(
    operation({
      id,
      summary: `Get the ${name} feed`,
      description: `Returns the incidents and maintenance windows of the page as a feed, newest first. ${elsewhere}`,
      response,
      headers: validators
    })
  )

const statuspageFile = <S extends Schema.Top>(
  id: string,
  noun: string,
  path: `/${string}`,
  success: S,
  response: S["Encoded"] & Schema.Json
) =>
  HttpApiEndpoint.get(id, path, { params, success: [success, notModified], error }).annotateMerge(
    operation({
      id,
      summary: `Get ${noun}`,
      description: `Returns what the page shows in the shape of Atlassian Statuspage's public API (v2), for tools that are made for it. ${elsewhere}`,
      response,
      headers: validators
    })
  )

/** The page itself and its files. */
export class PublicPagesApi extends HttpApiGroup.make("publicPages")
  .add(
    HttpApiEndpoint.get("showStatusPage", "/", {
      params,
      query: {
        cursor: Schema.optionalKey(boundedText(100).annotate({ description: "Where the monitors to show begin" })),
        part: Schema.optionalKey(
          Schema.Literal("monitors").annotate({ description: "`monitors`: only the list of monitors" })
        )
      },
      success: [text("text/html", "The page"), notModified],
      error
    }).annotateMerge(
      operation({
        id: "showStatusPage",
        summary: "Show a status page",
        description: `Shows the status page as HTML. ${elsewhere}`,
        response: "<!doctype html><title>Acme status</title>",
        headers: { ETag: validators.ETag },
        errorPages: true
      })
    ),
    HttpApiEndpoint.get("showEmbeddedStatus", "/embed", {
      params,
      query: {
        theme: Schema.optionalKey(
          boundedText(100).annotate({ description: "`light` or `dark`; otherwise the colours of the reader's system" })
        )
      },
      success: [text("text/html", "The compact form"), notModified],
      error
    }).annotateMerge(
      operation({
        id: "showEmbeddedStatus",
        summary: "Show an embedded page",
        description: `Shows the state of the page as a sentence, what is wrong, and a link to the page, as HTML for a frame in another site. Sites that the page names in \`embedOrigins\` can frame it, and nothing else of the page. It sets no cookie and needs no script. ${elsewhere}`,
        response: "<!doctype html><title>All systems operational</title>",
        headers: { ETag: validators.ETag },
        errorPages: true
      })
    ),
    feed("getAtomFeed", "Atom", "/feed.atom", "application/atom+xml", Examples.atom),
    feed("getRssFeed", "RSS", "/feed.rss", "application/rss+xml", Examples.rss),
    feed("getJsonFeed", "JSON", "/feed.json", "application/feed+json", Examples.jsonFeed),
    HttpApiEndpoint.get("getPageBadge", "/badge/:badge", {
      params: { ...params, badge: Badge },
      success: [badge, notModified],
      error
    }).annotateMerge(
      operation({
        id: "getPageBadge",
        summary: "Get a page's badge",
        description: `Returns an SVG image with the status or the uptime of the whole page. ${elsewhere}`,
        response: Examples.svg,
        headers: validators
      })
    ),
    HttpApiEndpoint.get("getMonitorBadge", "/badge/:monitorId/:badge", {
      params: { ...params, monitorId: boundedText(100), badge: Badge },
      success: [badge, notModified],
      error
    }).annotateMerge(
      operation({
        id: "getMonitorBadge",
        summary: "Get a monitor's badge",
        description: `Returns an SVG image with the status or the uptime of one monitor of the page. ${elsewhere}`,
        response: Examples.svg,
        headers: validators
      })
    ),
    statuspageFile("getStatuspageSummary", "the summary", "/api/v2/summary.json", Statuspage.Summary, Examples.summary),
    statuspageFile(
      "getStatuspageStatus",
      "the overall status",
      "/api/v2/status.json",
      Statuspage.Status,
      Examples.status
    ),
    statuspageFile(
      "getStatuspageComponents",
      "the components",
      "/api/v2/components.json",
      Statuspage.Components,
      Examples.components
    ),
    statuspageFile(
      "getStatuspageIncidents",
      "the incidents",
      "/api/v2/incidents.json",
      Statuspage.Incidents,
      Examples.incidents
    ),
    statuspageFile(
      "getUnresolvedIncidents",
      "the unresolved incidents",
      "/api/v2/incidents/unresolved.json",
      Statuspage.Incidents,
      Examples.incidents
    ),
    statuspageFile(
      "getScheduledMaintenances",
      "the maintenance windows",
      "/api/v2/scheduled-maintenances.json",
      Statuspage.Maintenances,
      Examples.maintenances
    ),
    statuspageFile(
      "getUpcomingMaintenances",
      "upcoming maintenance windows",
      "/api/v2/scheduled-maintenances/upcoming.json",
      Statuspage.Maintenances,
      Examples.maintenances
    ),
    statuspageFile(
      "getActiveMaintenances",
      "active maintenance windows",
      "/api/v2/scheduled-maintenances/active.json",
      Statuspage.Maintenances,
      Examples.maintenances
    )
  )
  .annotateEndpoints(Declared, { isPolled: true })
  .middleware(Problems)
  .prefix("/status/:slug")
  .annotateMerge(
    OpenApi.annotations({
      title: "Public pages",
      description: "Status pages as the public reads them: HTML, feeds, badges and Statuspage-compatible JSON."
    })
  ) {}
