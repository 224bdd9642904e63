/**
 * Redirects visitors of a custom domain from HTTP to HTTPS, once the domain has a certificate. It redirects only to names
 * that are served here, and never on the paths of challenges.
 */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { TLSSocket } from "node:tls"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { challengePath } from "./ChallengeAnswers.ts"
import * as HostName from "./HostName.ts"
import { ServedCertificates } from "./ServedCertificates.ts"

/** The HTTPS address for a plain request for `target` at a host; undefined when it is not redirected. The port is 443. */
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

/** The redirect of a request for a custom domain; undefined when it is not redirected. */
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
