/**
 * The local targets of the demo's monitors: an HTTP server with a path for each component, a TCP port, and a DNS server with
 * one name. They run in this process, on loopback, until the scope closes.
 */
import { createSocket } from "node:dgram"
import { createServer as createWebServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer, type Server } from "node:net"
import { Clock, Data, Effect, type Scope } from "effect"
import * as History from "./History.ts"
import { flakyFails, hostname, type Component, components, type Ports } from "./Shop.ts"
import { phonesPath } from "./Team.ts"

/** Another program uses a port that was free when the demo was created. */
export class TargetPortTaken extends Data.TaggedError("TargetPortTaken")<{ readonly message: string }> {}

/** Starts the targets on the given ports, or on free ones. */
export const start = (ports?: Ports): Effect.Effect<Ports, TargetPortTaken, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const web = createWebServer((request, response) => serve(request, response, clock.currentTimeMillisUnsafe()))
    return {
      http: yield* listen(web, ports?.http),
      tcp: yield* listen(
        createServer((socket) => socket.on("error", () => socket.destroy()).end()),
        ports?.tcp
      ),
      dns: yield* listenForNames(ports?.dns)
    }
  })

const byPath = new Map<string, Component>(components.map((component) => [`/${component.key}`, component]))

const serve = (request: IncomingMessage, response: ServerResponse, now: number): void => {
  const component = byPath.get(request.url ?? "")
  if (component === undefined) return answer(response, request.url === phonesPath ? 200 : 404)
  const failing = component.behaviour === "broken" || (component.behaviour === "flaky" && flakyFails(now))
  const found = failing ? "down" : component.behaviour === "slow" ? "degraded" : "up"
  setTimeout(() => answer(response, failing ? 503 : 200), History.responseTime(component, now, found))
}

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ demonstration: true, status }))
}

const taken = (cause: Error): TargetPortTaken =>
  new TargetPortTaken({ message: `A local target of the demo cannot listen: ${cause.message}` })

const listen = (server: Server, port = 0): Effect.Effect<number, TargetPortTaken, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number, TargetPortTaken>((resume) => {
      server.once("error", (error) => resume(Effect.fail(taken(error))))
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
      })
    }),
    () =>
      Effect.sync(() => {
        if ("closeAllConnections" in server && typeof server.closeAllConnections === "function")
          server.closeAllConnections()
        server.close()
      })
  )

const listenForNames = (port = 0): Effect.Effect<number, TargetPortTaken, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createSocket>, TargetPortTaken>((resume) => {
        const socket = createSocket("udp4")
        socket.once("error", (error) => resume(Effect.fail(taken(error))))
        socket.on("message", (query, from) => {
          const reply = replyTo(query)
          if (reply !== undefined) socket.send(reply, from.port, from.address)
        })
        socket.bind(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
      }),
      (socket) => Effect.sync(() => void socket.close())
    ),
    (socket) => socket.address().port
  )

const headerBytes = 12
const typeA = 1

/** Resolves the one name to 127.0.0.1, and answers NXDOMAIN for every other (RFC 1035, section 4). */
const replyTo = (query: Buffer): Buffer | undefined => {
  if (query.length < headerBytes + 5) return undefined
  const labels: Array<string> = []
  let at = headerBytes
  while (at < query.length && query[at] !== 0) {
    const end = at + 1 + query[at]!
    labels.push(query.toString("latin1", at + 1, end))
    at = end
  }
  const question = query.subarray(headerBytes, at + 5)
  if (at + 5 > query.length) return undefined
  const known = labels.join(".").toLowerCase() === hostname
  const answers = known && query.readUInt16BE(at + 1) === typeA
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  // Flags: response, recursion desired and available; NXDOMAIN for an unknown name.
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers ? 1 : 0, 6)
  // A pointer to the question's name, type A, class IN, TTL 60 s, four bytes.
  const record = Buffer.from([0xc0, 0x0c, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([header, question, ...(answers ? [record] : [])])
}
