/**
 * Real servers on loopback for tests of checks and channels, well-behaved and hostile. Each lives as long as its scope and
 * counts its connections, so that a test can detect one that was left open.
 */
import { eventually } from "./Eventually.ts"
import * as nodeHttp from "node:http"
import * as nodeHttps from "node:https"
import * as net from "node:net"
import type { TlsOptions } from "node:tls"
import { Effect, type Scope } from "effect"

export type LoopbackAddress = "127.0.0.1" | "::1"

export interface Target {
  readonly host: LoopbackAddress
  readonly port: number
  /** Connections so far. */
  readonly accepted: () => number
  /** Open connections. */
  readonly open: () => number
}

export interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: nodeHttp.IncomingHttpHeaders
  readonly body: string
}

export interface HttpTarget extends Target {
  /** Without a trailing slash. */
  readonly url: string
  readonly requests: ReadonlyArray<Recorded>
}

export type Behaviour = (request: nodeHttp.IncomingMessage, response: nodeHttp.ServerResponse) => void

const listening = (
  server: net.Server,
  host: LoopbackAddress = "127.0.0.1",
  port = 0
): Effect.Effect<Target, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<net.Socket>()
    let accepted = 0
    server.on("connection", (socket: net.Socket) => {
      accepted++
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
      // These servers are for peers that disconnect, so errors are expected.
      socket.on("error", () => undefined)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.once("error", (error) => resume(Effect.die(error)))
        server.listen(port, host, () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = server.address() as net.AddressInfo
    return { host, port: address.port, accepted: () => accepted, open: () => sockets.size }
  })

/** A TCP server; without a behaviour it accepts and stays silent. */
export const tcp = (
  onConnection: (socket: net.Socket) => void = (socket) => void socket.resume()
): Effect.Effect<Target, never, Scope.Scope> => listening(net.createServer(onConnection))

/** A port without a listener. */
export const refusing: Effect.Effect<number> = Effect.map(Effect.scoped(tcp()), ({ port }) => port)

/** An HTTP server, or an HTTPS server with a certificate. */
export const http = (
  behaviour: Behaviour,
  tls?: TlsOptions,
  host: LoopbackAddress = "127.0.0.1"
): Effect.Effect<HttpTarget, never, Scope.Scope> =>
  Effect.map(
    Effect.suspend(() => {
      const requests: Array<Recorded> = []
      const record: Behaviour = (request, response) => {
        const chunks: Array<Buffer> = []
        request.on("error", () => undefined)
        response.on("error", () => undefined)
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { headers, method = "", url = "" } = request
          requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
          behaviour(request, response)
        })
      }
      const server = tls === undefined ? nodeHttp.createServer(record) : nodeHttps.createServer(tls, record)
      server.on("tlsClientError", () => undefined)
      server.on("clientError", (_error, socket) => socket.destroy())
      return Effect.map(listening(server, host), (target) => ({ ...target, requests }))
    }),
    (target) => ({
      ...target,
      url: `${tls === undefined ? "http" : "https"}://${host === "::1" ? "[::1]" : host}:${target.port}`
    })
  )

/** Waits until the target's last connection is closed. */
export const closed = (target: Pick<Target, "open">): Effect.Effect<void> =>
  Effect.asVoid(eventually(Effect.sync(target.open), (connections) => connections === 0))

/** Answers immediately. */
export const answer =
  (options: {
    readonly status?: number
    readonly headers?: nodeHttp.OutgoingHttpHeaders
    readonly body?: string
  }): Behaviour =>
  (_request, response) => {
    response.writeHead(options.status ?? 200, options.headers ?? { "content-type": "text/plain" })
    response.end(options.body ?? "")
  }

/** Accepts the request and never answers. */
export const hang: Behaviour = () => undefined

/** Sends one byte a second, indefinitely. */
export const drip: Behaviour = (_request, response) => {
  response.writeHead(200)
  response.write("x")
  const timer = setInterval(() => response.write("x"), 1000)
  response.on("close", () => clearInterval(timer))
}

/** Sends an endless body as fast as it is read. */
export const endless: Behaviour = (_request, response) => {
  const chunk = "all work and no play\n".repeat(3000)
  response.writeHead(200)
  const pump = (): void => {
    while (!response.destroyed && response.write(chunk));
    response.once("drain", pump)
  }
  pump()
}

/** Redirects to a location that may depend on the request. */
export const redirect =
  (location: string | ((request: nodeHttp.IncomingMessage) => string), status = 302): Behaviour =>
  (request, response) => {
    response.writeHead(status, { location: typeof location === "string" ? location : location(request) })
    response.end("moved")
  }

/** Redirects to itself, each time under another path. */
export const redirectLoop: Behaviour = redirect(({ url = "/" }) => `/next${url.length}${url.slice(0, 200)}`)

/** Announces more than it sends, then closes. */
export const closeMidBody: Behaviour = (_request, response) => {
  response.writeHead(200, { "content-length": 1000 })
  response.write("only this", () => response.socket?.destroy())
}

/** Breaks the connection after reading the request; a plain one with a reset. */
export const reset: Behaviour = ({ socket }) =>
  void ("encrypted" in socket ? socket.destroy() : socket.resetAndDestroy())

/** Answers any input with these bytes, like a server that does not speak HTTP, and closes. */
export const raw = (bytes: string | Buffer): Effect.Effect<Target, never, Scope.Scope> =>
  tcp((socket) => void socket.once("data", () => socket.end(bytes)))

/** A response with endless headers. */
export const endlessHeaders: Effect.Effect<Target, never, Scope.Scope> = tcp((socket) => {
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\n")
    const pump = (): void => {
      while (!socket.destroyed && socket.write(`x-filler: ${"x".repeat(4000)}\r\n`));
      socket.once("drain", pump)
    }
    pump()
  })
})
