/** Serves public status pages from the cache, at their own hosts and below `/status` of ours. */
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { contentSecurityPolicy, previewStyle, script } from "@kanmon/status-page/Assets"
import { renderMissing } from "@kanmon/status-page/Document"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as ContentCoding from "@kanmon/platform/http/ContentCoding"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { pathOf, searchOf } from "@kanmon/platform/http/RequestInfo"
import { HttpsRedirect } from "../custom-domains/index.ts"
import { PageAddresses } from "./PageAddresses.ts"
import { PageCache } from "./PageCache.ts"
import * as PageRenderings from "./PageRenderings.ts"
import { type View, viewOf } from "./PageViews.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Where a page is: `base` is its path on this host, `root` that of everything on this host. */
interface Place {
  readonly slug: string
  readonly root: string
  readonly base: string
  /** Below the page's path. */
  readonly path: string
}

const slugPattern = /^[a-z0-9-]{2,63}$/
const ofPath = /^\/status\/([^/]+)(\/.*)?$/

export class PageSite extends Context.Service<PageSite>()("@kanmon/monitoring/status-pages/PageSite", {
  make: Effect.gen(function* () {
    const addresses = yield* PageAddresses
    const cache = yield* PageCache
    const redirect = yield* HttpsRedirect.make
    const root = BaseAddress.pathOf((yield* ApiSettings).baseUrl)
    const files = new Map<string, View>([
      [script.path, yield* Effect.promise(() => viewOf("text/javascript; charset=utf-8", script.source))],
      [previewStyle.path, yield* Effect.promise(() => viewOf("text/css; charset=utf-8", previewStyle.source))]
    ])

    const show = Effect.fnUntraced(function* (
      request: Request,
      slug: string,
      rendering: PageRenderings.SiteRendering | undefined,
      missing: Effect.Effect<Response>
    ) {
      if (rendering === undefined || !slugPattern.test(slug)) return yield* missing
      const views = yield* cache.get(slug)
      if (views === undefined || rendering.has?.(views.page) === false) return yield* missing
      const tag = views.tag(rendering)
      const headers = {
        ...rendering.headers,
        ...rendering.framed?.(views.embedOrigins),
        etag: tag,
        vary: "accept-encoding",
        "cache-control": rendering.maxAge === 0 ? "public, no-cache" : `public, max-age=${rendering.maxAge}`
      }
      if (EntityTags.matches(request.headers["if-none-match"], tag))
        return HttpServerResponse.empty({ status: 304, headers })
      const view = yield* Effect.promise(() => views.view(rendering))
      return body(request, view, headers)
    })

    const page = (request: Request, { base, path, root, slug }: Place) => {
      const query = searchOf(request)
      if (path === "/embed") {
        const theme = query.get("theme")
        const scheme = theme === "light" || theme === "dark" ? theme : undefined
        return show(request, slug, PageRenderings.embed(scheme), missingPage)
      }
      if (path !== "" && path !== "/") return show(request, slug, PageRenderings.ofPath(path), missingFile)
      const part = query.get("part") === "monitors" ? "monitors" : "whole"
      const cursor = PageRenderings.readCursor(query.get("cursor")) ?? 0
      return show(request, slug, PageRenderings.document({ base, root }, cursor, part), missingPage)
    }

    /** The response to a request for the record of a page. */
    const record = (request: Request, slug: string) => {
      const cursor = PageRenderings.readCursor(searchOf(request).get("cursor"))
      return cursor === undefined
        ? ProblemResponse.toResponse(strangeCursor)
        : show(request, slug, PageRenderings.record(cursor), ProblemResponse.toResponse(notFound("status page")))
    }

    const reading = (request: Request, answer: Effect.Effect<Response>) =>
      request.method === "GET" || request.method === "HEAD" ? answer : wrongMethod

    const file = (request: Request): Effect.Effect<Response> => {
      const view = files.get(pathOf(request))
      return reading(request, view === undefined ? missingFile : Effect.succeed(body(request, view, fileHeaders)))
    }

    return {
      /** The page of the request's host; undefined at our own host. */
      slugAt: ({ headers }: Request) => addresses.slugOf(headers["host"] ?? ""),
      /** Whether there is a file of all pages at the path: their script, or the stylesheet of previews. */
      isFile: (path: string) => files.has(path),
      file,
      /** The response to a request that was sent to the host of a page. */
      answer: (request: Request, slug: string) => {
        const path = pathOf(request)
        if (files.has(path)) return file(request)
        const shown = page(request, { slug, root: "", base: "", path })
        return reading(
          request,
          Effect.flatMap(redirect(request), (away) => (away ? Effect.succeed(away) : shown))
        )
      },
      /** The response to a request for a page or one of its resources below `/status` of our own host. */
      below: (request: Request) => {
        const [, slug, path = ""] = ofPath.exec(pathOf(request)) ?? []
        if (slug === undefined) return missingFile
        return reading(request, page(request, { slug, root, base: `${root}/status/${slug}`, path }))
      },
      record
    }
  })
}) {
  static readonly layer = Layer.effect(PageSite, PageSite.make)
}

const fileHeaders = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }

const body = (request: Request, view: View, headers: Readonly<Record<string, string>>): Response => {
  const { contentType, gzip, plain } = view
  // Badges and feeds are shown by other sites.
  const shared = { ...headers, "cross-origin-resource-policy": "cross-origin" }
  return ContentCoding.negotiate(request.headers["accept-encoding"], ["gzip"]) === "gzip"
    ? HttpServerResponse.uint8Array(gzip, { contentType, headers: { ...shared, "content-encoding": "gzip" } })
    : HttpServerResponse.uint8Array(plain, { contentType, headers: shared })
}

const missingPage = Effect.sync(() =>
  HttpServerResponse.text(renderMissing(), {
    status: 404,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": contentSecurityPolicy, "cache-control": "public, max-age=5" }
  })
)

const missingFile = ProblemResponse.toResponse(notFound("address"))

const strangeCursor = new Problem({
  code: "malformed_request",
  detail: "cursor: Expected the nextCursor of an answer",
  errors: [{ path: "cursor", message: "Expected the nextCursor of an answer" }]
})

const wrongMethod = Effect.map(
  ProblemResponse.toResponse(new Problem({ code: "method_not_allowed", detail: "Status pages are read with GET" })),
  HttpServerResponse.setHeader("allow", "GET, HEAD")
)
