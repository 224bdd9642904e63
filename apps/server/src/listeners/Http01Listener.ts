/** A listener for port 80: answers the challenges of certificate authorities and redirects everything else to HTTPS. */
import { createServer, type IncomingMessage } from "node:http"
import { type Challenges, HostName, answerAt, destination } from "@kanmon/monitoring/custom-domains"
import { Effect, Layer } from "effect"
import * as NodeServer from "./NodeServer.ts"
import * as SlowReaders from "./SlowReaders.ts"
import { listen } from "./Listening.ts"

export interface Http01ListenerOptions {
  readonly host: string
  readonly port: number
  /** Maximum number of connections; default: unlimited. */
  readonly maxConnections?: number
  /** The installation's URL; if it is HTTPS, requests for its host are redirected to it. */
  readonly baseUrl: string
}

interface ChallengeResponse {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const answerTo = Effect.fnUntraced(function* ({ headers, method, url = "/" }: IncomingMessage, base: URL) {
  const found = method === "GET" ? yield* answerAt(headers.host, url.split("?", 1)[0]!) : undefined
  if (found !== undefined) return { status: 200, body: found } satisfies ChallengeResponse
  const own = base.protocol === "https:" && HostName.ofHeader(headers.host) === base.hostname
  // oxlint-disable-next-line kanmon/own-address -- the target of the request is kept as it is
  const location = own && url.startsWith("/") ? `${base.origin}${url}` : yield* destination(headers.host, url)
  return (
    location === undefined ? { status: 404, body: "Not found\n" } : { status: 308, headers: { location }, body: "" }
  ) satisfies ChallengeResponse
})

export const make = Effect.fnUntraced(function* ({ baseUrl, host, maxConnections, port }: Http01ListenerOptions) {
  const context = yield* Effect.context<Challenges>()
  const base = new URL(baseUrl)
  const server = createServer(
    { ...NodeServer.bounds, keepAliveTimeout: 5_000, headersTimeout: 10_000, requestTimeout: 10_000 },
    (request, response) => {
      request.resume()
      if (NodeServer.refuseOversized(request, response)) return
      const unavailable: ChallengeResponse = {
        status: 503,
        headers: { "retry-after": "5" },
        body: "Try again shortly\n"
      }
      const answer = answerTo(request, base).pipe(
        Effect.timeout("10 seconds"),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("A challenge could not be answered", cause), unavailable)
        )
      )
      void Effect.runPromiseWith(context)(answer).then(({ body, headers, status }: ChallengeResponse) =>
        response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body)
      )
    }
  )
  SlowReaders.disconnect(server)
  if (maxConnections !== undefined) yield* NodeServer.limitConnections(server, maxConnections)
  return yield* listen(server, { host, port, setting: "KANMON_HTTP01_PORT" })
})

export const layer = (options: Http01ListenerOptions) => Layer.effectDiscard(make(options))
