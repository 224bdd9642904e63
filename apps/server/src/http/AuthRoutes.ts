/** Serves the routes that auth plugins bring along, below the API's base path. */
import { basePath } from "@kanmon/protocol/Api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "./ApiSettings.ts"
import { Authenticator } from "./Authenticator.ts"
import * as Origin from "./Origin.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { RateLimits } from "./RateLimits.ts"
import { clientIp, isRead, pathOf, RequestId } from "./RequestInfo.ts"

const ipHeader = "x-kanmon-client-ip"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { auths } = yield* Authenticator
    const limits = yield* RateLimits
    const settings = yield* ApiSettings
    for (const { routes } of auths) {
      if (routes === undefined) continue
      yield* router.add(
        "*",
        `${basePath}${routes.path}/*`,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const ip = yield* Effect.provideService(clientIp, ApiSettings, settings)
          const body = isRead(request.method) ? undefined : yield* Effect.orDie(request.text)
          const used = yield* Effect.result(
            /sign-(in|up)/.test(pathOf(request))
              ? limits.use("signIns", `${ip}:${emailIn(body)}`)
              : limits.use("reads", ip)
          )
          if (used._tag === "Failure") {
            return HttpServerResponse.setHeaders(
              yield* ProblemResponse.toResponse(used.failure.problem),
              used.failure.headers
            )
          }
          const foreign = Origin.objection(request, settings.baseUrl)
          if (foreign !== undefined) return yield* ProblemResponse.toResponse(foreign)
          const headers = new Headers(request.headers as Record<string, string>)
          // Whatever the caller wrote there: the plugin believes this header.
          headers.set(ipHeader, ip)
          headers.delete("content-length")
          // Where the request comes from has been judged, for all routes alike.
          headers.set("origin", new URL(settings.baseUrl).origin)
          for (const name of [...headers.keys()]) if (name.startsWith("sec-fetch-")) headers.delete(name)
          const answer = yield* routes.handle(
            new Request(new URL(request.url, settings.baseUrl), {
              method: request.method,
              headers,
              ...(body === undefined ? {} : { body })
            })
          )
          const response = answer.ok ? HttpServerResponse.fromWeb(answer) : yield* withRequestId(answer)
          return HttpServerResponse.setHeaders(response, used.success)
        })
      )
    }
  })
)

/** A plugin's problem, under the request's id. */
const withRequestId = (answer: Response) =>
  Effect.gen(function* () {
    const requestId = yield* RequestId
    const details = (yield* Effect.promise(() => answer.json())) as Record<string, unknown>
    return HttpServerResponse.jsonUnsafe(
      { ...details, requestId },
      { status: answer.status, headers: { "content-type": "application/problem+json" } }
    )
  })

/** The e-mail address that somebody tries to sign in with; attempts are counted by it. */
const emailIn = (body: string | undefined): string =>
  /"email"\s*:\s*"([^"]{1,320})"/.exec(body ?? "")?.[1]?.toLowerCase() ?? ""
