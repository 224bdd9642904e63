/**
 * Sends visitors of a page's own domain from HTTP to HTTPS, once the domain has a certificate. It redirects to names that are
 * served here and to no others, and leaves the paths of challenges alone.
 */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { TLSSocket } from "node:tls"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
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

const isSecure = (request: HttpServerRequest.HttpServerRequest, trustedProxy: boolean): boolean =>
  (request.source as IncomingMessage).socket instanceof TLSSocket ||
  (trustedProxy && request.headers["x-forwarded-proto"]?.split(",").at(-1)?.trim() === "https")

export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const { baseUrl, trustedProxy } = yield* ApiSettings
    const own = new URL(baseUrl).hostname
    const served = yield* ServedCertificates
    return (route) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { host } = request.headers
        // Most requests are for the installation itself, and need no look.
        if (isSecure(request, trustedProxy) || HostName.ofHeader(host) === own) return yield* route
        const location = yield* Effect.provideService(destination(host, request.url), ServedCertificates, served)
        return location === undefined ? yield* route : HttpServerResponse.redirect(location, { status: 308 })
      })
  }),
  { global: true }
)
