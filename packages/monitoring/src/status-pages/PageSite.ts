/**
 * Serves public status pages from the cache. The page of a request is found by host or by path; other requests are left to
 * the rest of the server.
 */
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { contentSecurityPolicy, previewStyle, script } from "@kanmon/status-page/Assets"
import { renderMissing } from "@kanmon/status-page/Document"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as ContentCoding from "@kanmon/platform/http/ContentCoding"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { pathOf } from "@kanmon/platform/http/RequestInfo"
import { HttpsRedirect, challengePath } from "../custom-domains/index.ts"
import { PageAddresses } from "./PageAddresses.ts"
import { PageCache } from "./PageCache.ts"
import * as PageRenderings from "./PageRenderings.ts"
import { type View, viewOf } from "./PageViews.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The target of a request. */
type Target =
  /** The script of every page, or the stylesheet of previews. */
  | { readonly _tag: "Asset"; readonly path: string }
  /** `base`: the page's path on this host, which precedes `path`; `root`: that of everything on this host. */
  | {
      readonly _tag: "Page"
      readonly slug: string
      readonly root: string
      readonly base: string
      readonly path: string
    }
  | { readonly _tag: "Record"; readonly slug: string }

const slugPattern = /^[a-z0-9-]{2,63}$/
const ofPath = /^\/status\/([^/]+)(\/.*)?$/
const ofRecord = new RegExp(`^${basePath}/public/status-pages/([^/]+)$`)

export class PageSite extends Context.Service<
  PageSite,
  {
    /** The response to a request for a status page; undefined for other requests. */
    readonly answer: (request: Request) => Effect.Effect<Response> | undefined
    /** Whether the request is for a status page. */
    readonly serves: (request: Request) => boolean
    /** Whether the request was sent to the host of a page. */
    readonly owns: (request: Request) => boolean
  }
>()("@kanmon/monitoring/status-pages/PageSite") {
  static readonly layer = Layer.effect(
    PageSite,
    Effect.gen(function* () {
      const addresses = yield* PageAddresses
      const cache = yield* PageCache
      const redirect = yield* HttpsRedirect.make
      const root = BaseAddress.pathOf((yield* ApiSettings).baseUrl)
      const assets = new Map<string, View>([
        [script.path, yield* Effect.promise(() => viewOf("text/javascript; charset=utf-8", script.source))],
        [previewStyle.path, yield* Effect.promise(() => viewOf("text/css; charset=utf-8", previewStyle.source))]
      ])

      const targetOf = (request: Request): Target | undefined => {
        const path = pathOf(request)
        if (path.startsWith(challengePath)) return undefined
        if (assets.has(path)) return { _tag: "Asset", path }
        const slug = addresses.slugOf(request.headers["host"] ?? "")
        if (slug !== undefined) return { _tag: "Page", slug, root: "", base: "", path }
        const [, below, rest = ""] = ofPath.exec(path) ?? []
        if (below !== undefined) return { _tag: "Page", slug: below, root, base: `${root}/status/${below}`, path: rest }
        const [, recorded] = ofRecord.exec(path) ?? []
        return recorded === undefined ? undefined : { _tag: "Record", slug: recorded }
      }

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

      const page = (request: Request, { base, path, root, slug }: Target & { readonly _tag: "Page" }) => {
        const query = new URL(request.url, "http://localhost").searchParams
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

      const record = (request: Request, slug: string) => {
        const cursor = PageRenderings.readCursor(new URL(request.url, "http://localhost").searchParams.get("cursor"))
        return cursor === undefined
          ? ProblemResponse.toResponse(strangeCursor)
          : show(request, slug, PageRenderings.record(cursor), ProblemResponse.toResponse(notFound("status page")))
      }

      return PageSite.of({
        owns: (request) => addresses.slugOf(request.headers["host"] ?? "") !== undefined,
        serves: (request) => targetOf(request) !== undefined,
        answer: (request) => {
          const target = targetOf(request)
          // TLS connections of this process have certificates of pages' hosts, so nothing else is served over them.
          if (target === undefined) return HttpsRedirect.isOverTls(request) ? misdirected : undefined
          if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod
          if (target._tag === "Asset") return Effect.succeed(body(request, assets.get(target.path)!, assetHeaders))
          if (target._tag === "Record") return record(request, target.slug)
          const shown = page(request, target)
          return target.base === ""
            ? Effect.flatMap(redirect(request), (away) => (away ? Effect.succeed(away) : shown))
            : shown
        }
      })
    })
  )
}

const assetHeaders = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }

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

const misdirected = Effect.succeed(
  HttpServerResponse.text("There is no status page of this name here\n", { status: 421, contentType: "text/plain" })
)

const wrongMethod = Effect.map(
  ProblemResponse.toResponse(new Problem({ code: "method_not_allowed", detail: "Status pages are read with GET" })),
  HttpServerResponse.setHeader("allow", "GET, HEAD")
)
