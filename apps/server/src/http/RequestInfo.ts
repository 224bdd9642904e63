/** What every part of the HTTP side wants to know of a request. */
import { HttpServerRequest } from "effect/http"
import { Context, Effect, Option } from "effect"
import { ApiSettings } from "./ApiSettings.ts"

/** The id under which a request is logged and answered. */
export const RequestId = Context.Reference<string>("@kanmon/server/RequestId", { defaultValue: () => "none" })

/** The caller's address: the socket's, or what the trusted proxy says. */
export const clientIp: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest | ApiSettings> = Effect.gen(
  function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { trustedProxy } = yield* ApiSettings
    // The proxy in front appends the address it saw: the last one is the only one it vouches for.
    const forwarded = trustedProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
    return forwarded ?? Option.getOrElse(request.remoteAddress, () => "unknown")
  }
)

/** The path without the query. */
export const pathOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const end = request.url.indexOf("?")
  return end < 0 ? request.url : request.url.slice(0, end)
}

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"
