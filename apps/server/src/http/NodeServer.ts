/** Node's HTTP server as the product uses it. */
import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"

/** Longer than the proxies in front keep theirs, so that it is never us who close a connection that is about to be used. */
const keepAliveTimeout = 65_000

/**
 * Makes a server that, when it is closed, waits for answers but not for connections: neither for those on which nobody has
 * asked anything yet (browsers open such ahead of need, and Node would wait for their first request), nor for those that are
 * kept for another request after an answer that came while it closed.
 */
export const make = (): Server => {
  const server = createServer({ keepAliveTimeout })
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
