/** The public record of a status page in the OpenAPI document, written by hand: it is served from memory, beside the contract. */
import { PublicPage } from "@kanmon/domain/PublicPage"
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"
import { type Json, jsonSchema } from "./OpenApiMonitors.ts"

const tag = "Status pages"

export const publicPageProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  getPublicStatusPage: ["malformed_request", "not_found"]
}

const page = jsonSchema(PublicPage)

export const publicPageSchemas: Json = {
  PublicStatusPage: {
    ...page,
    properties: {
      ...(page["properties"] as Json),
      nextCursor: {
        anyOf: [{ type: "string" }, { type: "null" }],
        description: "The cursor of the next monitors; null when these were the last"
      }
    },
    required: [...(page["required"] as ReadonlyArray<string>), "nextCursor"]
  }
}

const example: typeof PublicPage.Encoded & { readonly nextCursor: string | null } = {
  name: "Acme",
  slug: "acme",
  url: "https://acme.pages.example",
  updatedAt: "2026-11-20T09:15:00.000Z",
  status: { indicator: "operational", description: "All systems operational" },
  monitors: [
    {
      id: "mon_01m7xs8mrbmd3ef5jxd1fat24r",
      name: "Shop",
      displayGroup: "Shop",
      status: "up",
      since: "2026-11-20T09:07:10.000Z",
      uptime24h: 99.65,
      uptime7d: 99.95,
      uptime30d: 99.98,
      uptime90d: 99.98,
      days: [{ date: "2026-11-20", uptime: 99.65, downtime: 300 }],
      outages: [{ startedAt: "2026-11-20T09:02:10.000Z", endedAt: "2026-11-20T09:07:10.000Z" }],
      responseTimes: [82.4, 84.1, null]
    }
  ],
  incidents: [],
  maintenances: [],
  history: [],
  nextCursor: null
}

export const publicPagePaths: Json = {
  [`${basePath}/public/status-pages/{slug}`]: {
    get: {
      tags: [tag],
      operationId: "getPublicStatusPage",
      summary: "Get a public status page",
      description:
        "Returns what a status page shows the public: monitors with 90 days of uptime, incidents and maintenance windows. No authentication is needed, and any origin may read it. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed. Times are UTC.",
      security: [],
      parameters: [
        { name: "slug", in: "path", required: true, schema: { type: "string" } },
        {
          name: "cursor",
          in: "query",
          required: false,
          description: "`nextCursor` of the previous response: monitors come in pages",
          schema: { type: "string" }
        }
      ],
      responses: {
        "200": {
          description: "The page with one part of its monitors",
          content: { "application/json": { schema: { $ref: "#/components/schemas/PublicStatusPage" }, example } }
        },
        "304": { description: "Nothing has changed" }
      }
    }
  }
}
