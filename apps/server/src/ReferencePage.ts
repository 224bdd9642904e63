/** The page of the API reference: one document that loads nothing, and runs no script but its own. */
import { createHash } from "node:crypto"
import { Api } from "@kanmon/protocol/Api"
import type * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import type { KeptDocument } from "@kanmon/platform/http/KeptDocument"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"

/** Every script of a page that we made, as a source of a content security policy. */
const scriptSources = (html: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let start = html.indexOf("<script>"); start >= 0;) {
    const end = html.indexOf("</script>", start)
    const script = html.slice(start + "<script>".length, end)
    found.push(`'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    start = html.indexOf("<script>", end)
  }
  return found
}

/** The policy of a page: its own inline scripts by their hashes, so that text in the page cannot become a script. */
const policyOf = (html: string): string =>
  [
    "default-src 'self' data: blob:",
    `script-src ${scriptSources(html).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** Renders the document of this installation as a page. */
export const make = (document: OpenApiDocument.Document, path: `/${string}`, headers: KeptDocument["headers"]) =>
  Effect.gen(function* () {
    // The static contract has no check kinds; the page shows the same document as openapi.json.
    const described = Api.annotate(OpenApi.Transform, () => document)
    const page = HttpApiScalar.layer(described, { path, scalar: { withDefaultFonts: false } })
    const rendered = yield* Effect.flatten(HttpRouter.toHttpEffect(page))
    const text = yield* Effect.promise(() => HttpServerResponse.toWeb(rendered).text())
    return {
      text,
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, "content-security-policy": policyOf(text) }
    } satisfies KeptDocument
  }).pipe(
    Effect.scoped,
    // A router of its own, and not that which the request came through.
    Effect.provideServiceEffect(Layer.CurrentMemoMap, Layer.makeMemoMap),
    Effect.orDie
  )
