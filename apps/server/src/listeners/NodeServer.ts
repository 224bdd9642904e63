/** The HTTP server of Node with the product's limits. */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http"
import type { Server as NetServer, Socket } from "node:net"
import { JoinedChunks } from "./JoinedChunks.ts"
import * as SlowReaders from "./SlowReaders.ts"
import * as RequestBounds from "@kanmon/platform/http/RequestBounds"
import { Effect, type Scope } from "effect"

/**
 * Limits for all listeners, in milliseconds and bytes, against clients that send slowly or nothing. Some equal Node's
 * defaults; they are set explicitly so that a new version of Node does not change them.
 */
export const bounds = {
  /** Longer than that of usual proxies, so that the server does not close a connection that a proxy is about to reuse. */
  keepAliveTimeout: 65_000,
  /** Clients leave a connection at the time that they were told: a busy machine closes it later still, not under a request. */
  keepAliveTimeoutBuffer: 15_000,
  /** From the connection, or the first byte of a request, to the end of its headers. */
  headersTimeout: 20_000,
  /** To the end of its body. A fallback: handlers respond sooner (see RequestTimeout). */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
  IncomingMessage: JoinedChunks
} as const satisfies ServerOptions

/**
 * Makes a server whose `close` waits for responses but not for idle connections. Node itself waits for connections
 * without a first request, which browsers open in advance, and for those that become idle while the server closes.
 * `patience` applies to slowly reading clients.
 */
export const make = (options: ServerOptions = bounds, patience = SlowReaders.usual): Server => {
  const server = createServer(options)
  const unused = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    unused.add(socket)
    socket.once("close", () => unused.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    unused.delete(socket)
    // Node leaves a request that no listener answers open for ever; before the application is there, these are the only ones.
    if (server.listenerCount("request") === ownListeners)
      response
        .writeHead(503, { "content-type": "text/plain", "retry-after": "1" })
        .end("Kanmon is starting or stopping\n")
    response.once("close", () => void (server.listening || server.closeIdleConnections()))
  })
  const close = server.close.bind(server)
  server.close = (closed) => {
    close(closed)
    for (const socket of unused) socket.destroy()
    return server
  }
  SlowReaders.disconnect(server, patience)
  const ownListeners = server.listenerCount("request")
  return server
}

/**
 * Answers a request with a target or headers above the limits, and returns whether it did. For listeners without the
 * pipeline.
 */
export const refuseOversized = (request: IncomingMessage, response: ServerResponse): boolean => {
  const problem = RequestBounds.refusal({ url: request.url ?? "/", headers: request.headers })
  if (problem === undefined) return false
  response.writeHead(problem.status, { "content-type": "text/plain" }).end(`${problem.detail}\n`)
  return true
}

/** Refuses connections above a limit, and logs how many once a minute. */
export const limitConnections = (server: NetServer, limit: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.suspend(() => {
    let refused = 0
    server.maxConnections = limit
    server.on("drop", () => refused++)
    const report = Effect.suspend(() => {
      if (refused === 0) return Effect.void
      const warning = Effect.annotateLogs(
        Effect.logWarning("Connections were refused: KANMON_MAX_CONNECTIONS are open"),
        {
          refused,
          limit
        }
      )
      refused = 0
      return warning
    })
    return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 minute"), report))))
  })
