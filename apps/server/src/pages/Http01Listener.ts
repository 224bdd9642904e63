/**
 * A small listener for port 80, for installations whose API is not there: answers the challenges of certificate authorities
 * and sends everybody else to HTTPS. It serves nothing itself.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { Challenges } from "@kanmon/store/certificates/Challenges"
import { Effect, Layer } from "effect"
import * as NodeServer from "../http/NodeServer.ts"
import { answerAt } from "./ChallengeRoutes.ts"
import * as HostName from "./HostName.ts"
import { destination } from "./HttpsRedirect.ts"
import { listen } from "./Listening.ts"

export interface Http01ListenerOptions {
  readonly host: string
  readonly port: number
  /** Connections at once; any number unless given. */
  readonly maxConnections?: number
  /** Where the installation itself is; its own name is redirected there when that is HTTPS. */
  readonly baseUrl: string
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const answerTo = Effect.fnUntraced(function* ({ headers, method, url = "/" }: IncomingMessage, base: URL) {
  const found = method === "GET" ? yield* answerAt(headers.host, url.replace(/\?.*$/, "")) : undefined
  if (found !== undefined) return { status: 200, body: found } satisfies Answer
  const own = base.protocol === "https:" && HostName.ofHeader(headers.host) === base.hostname
  const location = own && url.startsWith("/") ? `${base.origin}${url}` : yield* destination(headers.host, url)
  return (
    location === undefined
      ? { status: 404, body: "There is nothing here\n" }
      : { status: 308, headers: { location }, body: "" }
  ) satisfies Answer
})

export const make = Effect.fnUntraced(function* ({ baseUrl, host, maxConnections, port }: Http01ListenerOptions) {
  const context = yield* Effect.context<Challenges>()
  const base = new URL(baseUrl)
  const server = createServer(
    { ...NodeServer.bounds, keepAliveTimeout: 5_000, headersTimeout: 10_000, requestTimeout: 10_000 },
    (request, response) => {
      request.resume()
      const unavailable: Answer = { status: 503, headers: { "retry-after": "5" }, body: "Try again shortly\n" }
      const answer = answerTo(request, base).pipe(
        Effect.timeout("10 seconds"),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("A challenge could not be answered", cause), unavailable)
        )
      )
      void Effect.runPromiseWith(context)(answer).then(({ body, headers, status }: Answer) =>
        response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body)
      )
    }
  )
  if (maxConnections !== undefined) yield* NodeServer.limitConnections(server, maxConnections)
  return yield* listen(server, { host, port, setting: "KANMON_HTTP01_PORT" })
})

export const layer = (options: Http01ListenerOptions) => Layer.effectDiscard(make(options))
