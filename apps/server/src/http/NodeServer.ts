/** Node's HTTP server as the product uses it. */
import { createServer, type Server, type ServerOptions } from "node:http"
import type { Server as NetServer, Socket } from "node:net"
import { Effect, type Scope } from "effect"

/**
 * For every listener, in milliseconds and bytes: a client that sends slowly, or nothing, keeps a connection for as long as
 * this and no longer. Written out although some are Node's own, so that a new Node changes none of them.
 */
export const bounds = {
  /** Longer than the proxies in front keep theirs, so that it is never us who close a connection that is about to be used. */
  keepAliveTimeout: 65_000,
  /** From the connection, or the first byte of a request, to the end of its headers. */
  headersTimeout: 20_000,
  /** To the end of its body. Handlers answer sooner (see Patience): this is the net below. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384
} as const satisfies ServerOptions

/**
 * Makes a server that, when it is closed, waits for answers but not for connections: neither for those on which nobody has
 * asked anything yet (browsers open such ahead of need, and Node would wait for their first request), nor for those that are
 * kept for another request after an answer that came while it closed.
 */
export const make = (options: ServerOptions = bounds): Server => {
  const server = createServer(options)
  const silent = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    silent.add(socket)
    socket.once("close", () => silent.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    silent.delete(socket)
    response.once("close", () => void (server.listening || server.closeIdleConnections()))
  })
  const close = server.close.bind(server)
  server.close = (closed) => {
    close(closed)
    for (const socket of silent) socket.destroy()
    return server
  }
  return server
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
