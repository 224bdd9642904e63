/**
 * Sends visitors of a page's own domain from HTTP to HTTPS, once the domain has a certificate. It redirects to names that are
 * served here and to no others, and leaves the paths of challenges alone.
 */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { TLSSocket } from "node:tls"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "../http/ApiSettings.ts"
import { challengePath } from "./ChallengeRoutes.ts"
import * as HostName from "./HostName.ts"
import { ServedCertificates } from "./ServedCertificates.ts"

/** Where a plain request for `target` at a host belongs; undefined: it is right where it is. Own domains are at port 443. */
export const destination = (host: string | undefined, target: string): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const name = HostName.ofHeader(host)
    if (name === undefined || isIP(name) !== 0 || target.startsWith(challengePath)) return undefined
    const served = yield* ServedCertificates
    return (yield* served.has(name)) ? `https://${name}${target.startsWith("/") ? target : "/"}` : undefined
  })

/** Whether a request came over a TLS connection of this process. */
export const isOverTls = (request: HttpServerRequest.HttpServerRequest): boolean =>
  (request.source as IncomingMessage).socket instanceof TLSSocket

/** The redirect that a request for a page's own host is answered with; undefined: it is right where it is. */
export const make = Effect.gen(function* () {
  const { trustedProxy } = yield* ApiSettings
  const served = yield* ServedCertificates
  const isSecure = (request: HttpServerRequest.HttpServerRequest): boolean =>
    isOverTls(request) || (trustedProxy && request.headers["x-forwarded-proto"]?.split(",").at(-1)?.trim() === "https")
  return (request: HttpServerRequest.HttpServerRequest) =>
    isSecure(request)
      ? Effect.undefined
      : destination(request.headers["host"], request.url).pipe(
          Effect.provideService(ServedCertificates, served),
          Effect.map((location) =>
            location === undefined ? undefined : HttpServerResponse.redirect(location, { status: 308 })
          )
        )
})
