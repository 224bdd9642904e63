/**
 * Serves the installation below the path of its public address. This is the only place that reads the path: it is removed from
 * the target of a request before any part of the installation looks at it.
 *
 * The path decides, and not a guess: without it a request is refused, because the same target would mean two things, and rules
 * of a proxy for one of them could be avoided with the other. A trusted proxy that removes the path says so in a header.
 */
import * as FormPage from "./FormPage.ts"
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ApiSettings } from "./ApiSettings.ts"
import * as ProblemResponse from "./ProblemResponse.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Set by proxies that remove a path from requests. */
const prefixHeader = "x-forwarded-prefix"

/** Whether the trusted proxy says that it has removed the path. The last value is the proxy's own. */
const isRemoved = (request: Request, path: string): boolean => {
  const removed = request.headers[prefixHeader]?.split(",").at(-1)?.trim()
  return removed === path || removed === `${path}/`
}

/** The request without the path of the installation; undefined if it is not below the path. */
export const inside = (request: Request, { baseUrl, trustedProxy }: ApiSettings["Service"]): Request | undefined => {
  const path = BaseAddress.pathOf(baseUrl)
  if (path === "" || (trustedProxy && isRemoved(request, path))) return request
  const url = BaseAddress.below(path, request.url)
  return url === undefined ? undefined : request.modify({ url })
}

/** The answer to requests outside the path: it names the address, and leads browsers there by a link. A redirect would go round in circles behind a proxy that removes the path. */
export const outside = ({ baseUrl }: ApiSettings["Service"]) => {
  const problem = new Problem({
    code: "not_found",
    detail: `This installation is served below ${baseUrl}. A reverse proxy has to pass the path on as it is, or name what it removed in X-Forwarded-Prefix`
  })
  const page = FormPage.html({
    title: "Kanmon is not at this address",
    paragraphs: [problem.detail],
    link: { href: `${baseUrl}/`, label: baseUrl }
  })
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    (headers["accept"] ?? "").includes("text/html")
      ? Effect.succeed(HttpServerResponse.text(page, { status: 404, headers: FormPage.headers }))
      : ProblemResponse.toResponse(problem)
  )
}
