/**
 * What the demonstration's monitors reach: a web server whose paths behave as the parts of the shop do, a port that
 * accepts connections, and a name server with one name. They live in this process, on loopback, until the scope closes.
 */
import { createSocket } from "node:dgram"
import { createServer as createWebServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer, type Server } from "node:net"
import { Clock, Data, Effect, type Scope } from "effect"
import * as History from "./History.ts"
import { falters, hostname, type Part, parts, type Ports } from "./Shop.ts"

/** A port that was free when the demonstration was made is taken by somebody else now. */
export class TargetPortTaken extends Data.TaggedError("TargetPortTaken")<{ readonly message: string }> {}

/** Starts them: on these ports, or on any that are free. */
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

const byPath = new Map<string, Part>(parts.map((part) => [`/${part.key}`, part]))

const serve = (request: IncomingMessage, response: ServerResponse, now: number): void => {
  const part = byPath.get(request.url ?? "")
  if (part === undefined) return answer(response, 404)
  const failing = part.behaviour === "broken" || (part.behaviour === "falters" && falters(now))
  const found = failing ? "down" : part.behaviour === "slow" ? "degraded" : "up"
  setTimeout(() => answer(response, failing ? 503 : 200), History.responseTime(part, now, found))
}

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ demonstration: true, status }))
}

const taken = (cause: Error): TargetPortTaken =>
  new TargetPortTaken({ message: `A target of the demonstration cannot listen: ${cause.message}` })

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

/** Answers a question for the address of the one name (RFC 1035, section 4): 127.0.0.1, and nothing for every other. */
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
  // A response, recursion asked for and available; a name that is not known does not exist.
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers ? 1 : 0, 6)
  // The question's name, type A, class IN, a minute, four bytes.
  const record = Buffer.from([0xc0, 0x0c, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([header, question, ...(answers ? [record] : [])])
}
