/**
 * Serves the dashboard: its assets, and its document at every address that a browser opens. Requests for the API, status pages
 * and challenges of certificate authorities do not reach it.
 */
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as ContentCoding from "@kanmon/platform/http/ContentCoding"
import * as EntityTags from "@kanmon/platform/http/EntityTags"
import { pathOf } from "@kanmon/platform/http/RequestInfo"
import { type DashboardFile, type DashboardFiles, type Encoding, read } from "./DashboardFiles.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The response for each encoding that a client may accept, made once. */
type Responses = Readonly<Record<Encoding | "identity", Response>>

const responsesOf = ({ contentType, packed, plain }: DashboardFile, headers: Record<string, string>): Responses => {
  const identity = HttpServerResponse.uint8Array(plain, { contentType, headers })
  const encoded = (encoding: Encoding) => {
    const bytes = packed[encoding]
    return bytes === undefined
      ? identity
      : HttpServerResponse.uint8Array(bytes, { contentType, headers: { ...headers, "content-encoding": encoding } })
  }
  const gzip = encoded("gzip")
  return { identity, gzip, br: packed.br === undefined ? gzip : encoded("br") }
}

const encodingFor = (request: Request): Encoding | "identity" =>
  ContentCoding.negotiate(request.headers["accept-encoding"]) ?? "identity"

/** Whether the request is a browser's navigation: it names HTML, and prefers it to JSON. */
const wantsDocument = (request: Request): boolean => {
  const accepted = request.headers["accept"] ?? ""
  const html = ContentCoding.qualityOf(accepted, "text/html") ?? 0
  return html > 0 && html >= (ContentCoding.qualityOf(accepted, "application/json") ?? 0)
}

/** Addresses of files: a name with a dot, and everything below `assets/`. */
const isFile = (path: string): boolean => /^\/assets(\/|$)/.test(path) || path.includes(".", path.lastIndexOf("/"))

const immutable = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }

const unbuilt = HttpServerResponse.text(
  "<!doctype html><title>Kanmon</title><p>The dashboard is not built. Run <code>npm run build</code> and restart Kanmon. The API works without it.</p>\n",
  { status: 503, contentType: "text/html; charset=utf-8" }
)

export class DashboardSite extends Context.Service<DashboardSite>()("@kanmon/server/dashboard/DashboardSite", {
  make: (folder: string) =>
    Effect.gen(function* () {
      const root = BaseAddress.pathOf((yield* ApiSettings).baseUrl)
      const files = yield* Effect.sync(() => read(folder, root))
      if (files === undefined)
        yield* Effect.logWarning("The dashboard is not built: run `npm run build`").pipe(
          Effect.annotateLogs({ folder })
        )
      return {
        /** The response to a request for the dashboard; undefined for other requests. */
        answer: files === undefined ? withoutFiles : answersWith(files),
        /** Whether the request is for a file of the build. */
        isAsset: (request: Request) => files?.assets.has(pathOf(request)) === true
      }
    })
}) {
  /** Reads the build from a folder, once. Without a build, browsers get a page that says so. */
  static readonly layer = (folder: string) => Layer.effect(DashboardSite, DashboardSite.make(folder))
}

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

const withoutFiles = (request: Request) =>
  isRead(request) && wantsDocument(request) && !isFile(pathOf(request)) ? Effect.succeed(unbuilt) : undefined

const answersWith = ({ assets, contentSecurityPolicy, document, tag }: DashboardFiles) => {
  const answers = new Map([...assets].map(([path, file]) => [path, responsesOf(file, immutable)]))
  const documentHeaders = {
    "cache-control": "no-cache",
    "content-security-policy": contentSecurityPolicy,
    etag: tag,
    vary: "accept, accept-encoding"
  }
  const documents = responsesOf(document, documentHeaders)
  const unchanged = HttpServerResponse.empty({ status: 304, headers: documentHeaders })
  return (request: Request) => {
    if (!isRead(request)) return undefined
    const path = pathOf(request)
    const asset = answers.get(path)
    if (asset !== undefined) return Effect.succeed(asset[encodingFor(request)])
    if (!wantsDocument(request) || isFile(path)) return undefined
    const known = EntityTags.matches(request.headers["if-none-match"], tag)
    return Effect.succeed(known ? unchanged : documents[encodingFor(request)])
  }
}
