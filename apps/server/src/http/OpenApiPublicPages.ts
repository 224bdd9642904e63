/** The public record of a status page in the OpenAPI document, written by hand: it is served from memory, beside the contract. */
import { PublicPage } from "@kanmon/domain/PublicPage"
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"
import { type Json, jsonSchema } from "./OpenApiMonitors.ts"

const tag = "Status pages"

export const publicPageProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  "statusPages.public": ["malformed_request", "not_found"]
}

const page = jsonSchema(PublicPage)

export const publicPageSchemas: Json = {
  PublicStatusPage: {
    ...page,
    properties: {
      ...(page["properties"] as Json),
      nextCursor: {
        anyOf: [{ type: "string" }, { type: "null" }],
        description: "Where the monitors go on; null when these were the last"
      }
    },
    required: [...(page["required"] as ReadonlyArray<string>), "nextCursor"]
  }
}

export const publicPagePaths: Json = {
  [`${basePath}/public/status-pages/{slug}`]: {
    get: {
      tags: [tag],
      operationId: "statusPages.public",
      summary: "What a status page shows the public",
      description:
        "For anybody, from anywhere. Send the `ETag` back as `If-None-Match` to be told 304 as long as there is nothing new. Times are UTC.",
      security: [],
      parameters: [
        { name: "slug", in: "path", required: true, schema: { type: "string" } },
        {
          name: "cursor",
          in: "query",
          required: false,
          description: "`nextCursor` of the answer before: monitors come in parts",
          schema: { type: "string" }
        }
      ],
      responses: {
        "200": {
          description: "The page with one part of its monitors",
          content: { "application/json": { schema: { $ref: "#/components/schemas/PublicStatusPage" } } }
        },
        "304": { description: "Nothing has changed" }
      }
    }
  }
}
