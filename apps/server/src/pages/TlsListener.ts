/**
 * Serves pages' own domains over TLS: the certificate by the name of the handshake, then whatever the plain port serves.
 * Names without a certificate end in the handshake, and a request for another name than the connection's is sent back.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { TLSSocket } from "node:tls"
import { Effect, Layer } from "effect"
import * as NodeServer from "../http/NodeServer.ts"
import * as HostName from "./HostName.ts"
import { listen } from "./Listening.ts"
import { oldestTls, ServedCertificates } from "./ServedCertificates.ts"

export interface TlsListenerOptions {
  readonly host: string
  readonly port: number
  /** Connections at once; any number unless given. */
  readonly maxConnections?: number
  /** The server whose handlers answer. */
  readonly plain: HttpServer
}

/** A year, for this very name alone: what lies beside or below it is not ours. */
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
      // Without a context of its own the handshake goes on with the server's, which has no certificate, and so ends.
      Effect.runPromiseWith(context)(name === undefined ? Effect.undefined : served.contextOf(name)).then(
        (found) => answer(null, found),
        (cause: Error) => answer(cause)
      )
    }
  })

  /** Whether the request is for the name that the certificate was shown for. */
  const isMeant = (request: IncomingMessage): boolean =>
    HostName.ofHeader(request.headers.host) === HostName.ofHeader((request.socket as TLSSocket).servername || undefined)

  const forward = (event: "request" | "checkContinue") => (request: IncomingMessage, response: ServerResponse) => {
    if (!isMeant(request)) {
      response.writeHead(421, { "content-type": "text/plain" }).end("This connection is for another name\n")
      return
    }
    // No proxy has seen these requests, so nobody vouches for what they say of one.
    for (const name of forwarded) delete request.headers[name]
    response.setHeader("strict-transport-security", strictTransport)
    if (!plain.emit(event, request, response) && !plain.emit("request", request, response))
      response.writeHead(503, { "retry-after": "5" }).end()
  }
  server.on("request", forward("request"))
  server.on("checkContinue", forward("checkContinue"))
  server.on("upgrade", (request: IncomingMessage, socket: TLSSocket, head: Buffer) => {
    if (!isMeant(request) || !plain.emit("upgrade", request, socket, head)) socket.destroy()
  })
  if (maxConnections !== undefined) yield* NodeServer.limitConnections(server, maxConnections)
  return yield* listen(server, { host, port, setting: "KANMON_TLS_PORT" })
})

export const layer = (options: TlsListenerOptions) =>
  Layer.effectDiscard(
    Effect.tap(make(options), (port) =>
      Effect.logInfo("Own domains are served over TLS").pipe(Effect.annotateLogs({ port }))
    )
  )
