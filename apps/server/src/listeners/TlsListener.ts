/**
 * Serves custom domains over TLS. SNI selects the certificate; requests go to the handlers of the plain HTTP server. A name
 * without a certificate fails the handshake; a request for another name than that of the handshake is answered with 421.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { TLSSocket } from "node:tls"
import { Effect, Layer } from "effect"
import * as NodeServer from "./NodeServer.ts"
import * as RequestBounds from "@kanmon/platform/http/RequestBounds"
import { HostName, ServedCertificates, oldestTls } from "@kanmon/monitoring/custom-domains"
import { listen } from "./Listening.ts"

export interface TlsListenerOptions {
  readonly host: string
  readonly port: number
  /** Maximum number of connections; default: unlimited. */
  readonly maxConnections?: number
  /** The server that provides the handlers. */
  readonly plain: HttpServer
}

/** One year, without subdomains, because these belong to the customer. */
const strictTransport = "max-age=31536000"
const forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]
const handshakeMillis = 10_000

export const make = Effect.fnUntraced(function* ({ host, maxConnections, plain, port }: TlsListenerOptions) {
  const served = yield* ServedCertificates
  const context = yield* Effect.context<never>()
  const server = createServer({
    minVersion: oldestTls,
    handshakeTimeout: handshakeMillis,
    ...NodeServer.bounds,
    SNICallback: (servername, answer) => {
      const name = HostName.ofHeader(servername)
      // Without a context, the handshake continues with that of the server, which has no certificate, and fails.
      Effect.runPromiseWith(context)(name === undefined ? Effect.undefined : served.contextOf(name)).then(
        (found) => answer(null, found),
        (cause: Error) => answer(cause)
      )
    }
  })

  /** Whether the request is for the name of the handshake. */
  const isForThisName = (request: IncomingMessage): boolean =>
    HostName.ofHeader(request.headers.host) === HostName.ofHeader((request.socket as TLSSocket).servername || undefined)

  const forward = (event: "request" | "checkContinue") => (request: IncomingMessage, response: ServerResponse) => {
    if (NodeServer.refuseOversized(request, response)) return
    if (!isForThisName(request)) {
      response.writeHead(421, { "content-type": "text/plain" }).end("This connection is for another name\n")
      return
    }
    // There is no proxy in front of this listener, so these headers come from the client.
    for (const name of forwarded) delete request.headers[name]
    response.setHeader("strict-transport-security", strictTransport)
    if (!plain.emit(event, request, response) && !plain.emit("request", request, response))
      response.writeHead(503, { "retry-after": "5" }).end()
  }
  server.on("request", forward("request"))
  server.on("checkContinue", forward("checkContinue"))
  server.on("upgrade", (request: IncomingMessage, socket: TLSSocket, head: Buffer) => {
    const isOversized = RequestBounds.refusal({ url: request.url ?? "/", headers: request.headers }) !== undefined
    if (isOversized || !isForThisName(request) || !plain.emit("upgrade", request, socket, head)) socket.destroy()
  })
  if (maxConnections !== undefined) yield* NodeServer.limitConnections(server, maxConnections)
  return yield* listen(server, { host, port, setting: "KANMON_TLS_PORT" })
})

export const layer = (options: TlsListenerOptions) =>
  Layer.effectDiscard(
    Effect.tap(make(options), (port) =>
      Effect.logInfo("Custom domains are served over TLS").pipe(Effect.annotateLogs({ port }))
    )
  )
