/**
 * Serves the installation below the path of its public address. This is the only place that reads the path: it is removed from
 * the target of a request before anything else looks at it.
 *
 * The path decides, and not a guess: without it a request is refused, because the same target would mean two things, and rules
 * of a proxy for one of them could be avoided with the other. A trusted proxy that removes the path says so in a header.
 */
import * as FormPage from "./FormPage.ts"
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ApiSettings } from "./ApiSettings.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { pathOf } from "./RequestInfo.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What orchestrators and load balancers ask for without knowing the path. */
const healthPaths = new Set([`${basePath}/health`, `${basePath}/health/live`])

/** Set by proxies that remove a path from requests. */
const prefixHeader = "x-forwarded-prefix"

/** Whether the trusted proxy says that it has removed the path. The last value is the proxy's own. */
const isRemoved = (request: Request, path: string): boolean => {
  const removed = request.headers[prefixHeader]?.split(",").at(-1)?.trim()
  return removed === path || removed === `${path}/`
}

/**
 * Wraps the whole app. `outside` answers requests that are not below the path, apart from questions for the health of the
 * service; `isRooted` recognizes requests that are never below it, such as those to the hosts of status pages.
 */
export const wrap = <E, R, E2, R2>(
  app: Effect.Effect<Response, E, R>,
  outside: Effect.Effect<Response, E2, R2>,
  isRooted: (request: Request) => boolean,
  { baseUrl, trustedProxy }: ApiSettings["Service"]
): Effect.Effect<Response, E | E2, R | R2 | HttpServerRequest.HttpServerRequest> => {
  const path = BaseAddress.pathOf(baseUrl)
  if (path === "") return app
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (isRooted(request) || (trustedProxy && isRemoved(request, path))) return yield* app
    const url = BaseAddress.below(path, request.url)
    if (url === undefined) return yield* healthPaths.has(pathOf(request)) ? app : outside
    return yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
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
