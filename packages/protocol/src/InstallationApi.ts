/** Endpoints of the installation: information, API documents and metrics. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import { ByMediaType, operation } from "./internal/Operation.ts"

const notModified = HttpApiSchema.Empty(304)
const caching = {
  "Cache-Control": "Five minutes",
  ETag: "Send it back as `If-None-Match` to get 304 while nothing has changed"
}

/** Where the documents are, below the API's address. */
export const documentPaths = {
  openapi: "/openapi.json",
  asyncapi: "/asyncapi.json",
  fileSchema: "/kanmon.schema.json",
  docs: "/docs"
} as const

/** The response at the installation's root URL. */
export const Welcome = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  api: Schema.String,
  docs: Schema.String,
  asyncapi: Schema.String,
  health: Schema.String
})

const document = <const Id extends string, const Path extends `/${string}`>(
  id: Id,
  path: Path,
  summary: string,
  description: string,
  response: Schema.JsonObject
) =>
  HttpApiEndpoint.get(id, path, { success: [Schema.JsonObject, notModified] }).annotateMerge(
    operation({ id, summary, description, response, headers: caching })
  )

/** The documents, below the API's address. */
export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    document(
      "getOpenApiDocument",
      documentPaths.openapi,
      "Get the OpenAPI document",
      "Returns this document. It describes the types of monitors and channels that the installation has loaded.",
      { openapi: "3.1.0" }
    ),
    document(
      "getAsyncApiDocument",
      documentPaths.asyncapi,
      "Get the AsyncAPI document",
      "Returns the description of the events and of the streams that carry them.",
      { asyncapi: "3.0.0" }
    ),
    document(
      "getFileSchema",
      documentPaths.fileSchema,
      "Get the file schema",
      "Returns the JSON Schema of the files that `kanmon apply` reads, for editors.",
      { $schema: "https://json-schema.org/draft/2020-12/schema" }
    ),
    HttpApiEndpoint.get("showDocumentation", documentPaths.docs, {
      success: [
        Schema.String.annotate({ description: "The page" }).pipe(HttpApiSchema.asText({ contentType: "text/html" })),
        notModified
      ]
    }).annotateMerge(
      operation({
        id: "showDocumentation",
        summary: "Show the documentation",
        description: "Shows this document as a page on which operations can be tried.",
        response: "<!doctype html><title>Kanmon</title>",
        headers: caching
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Installation",
      description: "Facts about the installation, its documents and its metrics."
    })
  ) {}

const dashboard = Schema.String.annotate({ description: "The dashboard" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)

/** Routes outside the versioned API. */
export class InstallationApi extends HttpApiGroup.make("installation")
  .add(
    HttpApiEndpoint.get("welcome", "/", { success: [Welcome, dashboard] }).annotateMerge(
      operation({
        id: "getInstallation",
        summary: "Get the installation",
        description:
          "Returns the version of the installation and the addresses of its API, documents and health check. A browser, which prefers `text/html`, gets the dashboard.",
        response: new ByMediaType({
          "application/json": {
            name: "Kanmon",
            version: "0.1.0",
            api: "https://kanmon.example/api/v1",
            docs: "https://kanmon.example/api/v1/docs",
            asyncapi: "https://kanmon.example/api/v1/asyncapi.json",
            health: "https://kanmon.example/api/v1/health"
          },
          "text/html": "<!doctype html><title>Kanmon</title>"
        }),
        headers: { Vary: "Accept" }
      })
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.annotate({ description: "Metrics in the text format of Prometheus" }).pipe(
        HttpApiSchema.asText({ contentType: "text/plain" })
      )
    })
      .annotateMerge(
        operation({
          id: "getMetrics",
          summary: "Get metrics",
          description: "Returns the metrics of this process in the text format of Prometheus.",
          response: "# TYPE kanmon_checks_total counter\n"
        })
      )
      .annotate(Declared, { isPolled: true }),
    HttpApiEndpoint.get("challenge", "/.well-known/acme-challenge/:token", {
      params: { token: boundedText(1024) },
      success: Schema.String.annotate({ description: "The key authorization" }).pipe(HttpApiSchema.asText()),
      error: refuses("not_found", "internal_error", "unavailable")
    })
      .annotateMerge(
        operation({
          id: "getAcmeChallenge",
          summary: "Get an ACME challenge",
          description:
            "Answers the HTTP-01 challenge of a certificate authority for the custom domain that the request names as its host.",
          response: "LoqXcYV8.9jg46WB3rR"
        })
      )
      .annotate(Declared, { reach: "anyHost" })
  )
  .annotateMerge(OpenApi.annotations({ title: "Installation" })) {}
