/** Clients that take some bytes of an answer again and again, so that none of their pauses is long. */
import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as RequestPipeline from "@kanmon/platform/http/RequestPipeline"
import { usual } from "@kanmon/protocol/Serving"
import { Effect, Exit, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer, HttpServerResponse } from "effect/http"
import * as NodeServer from "../../src/listeners/NodeServer.ts"
import * as SlowReaders from "../../src/listeners/SlowReaders.ts"

/** No pause is too long, and a whole answer has a few looks. */
const patience: SlowReaders.Patience = { stall: 600_000, whole: 100, every: 20 }

const answer = Buffer.alloc(64 * 1024 * 1024)

/** Whether the first answer was taken as a whole by a client that never stops to read, a little at a time. */
const taken = async (server: Server, respond: (response: ServerResponse) => void, requests = 1): Promise<boolean> => {
  const first = new Promise<ServerResponse>((resolve) => {
    server.on("request", (_request, response) => {
      response.once("close", () => resolve(response))
      respond(response)
    })
  })
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready))
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.on("error", () => client.destroy())
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(requests))
  client.pause()
  const reading = setInterval(() => void client.read(1024), 5)
  const { writableFinished } = await first
  clearInterval(reading)
  client.destroy()
  server.closeAllConnections()
  server.close()
  return writableFinished
}

const atOnce = (response: ServerResponse): void => void response.end(answer)

const inPieces = (response: ServerResponse): void =>
  void (response.destroyed || response.write(answer.subarray(0, 65_536), () => inPieces(response)))

describe("SlowReaders", () => {
  it.each([
    ["an answer that comes at once", atOnce, 1],
    ["an answer in pieces that wait for the client", inPieces, 1],
    ["many answers on one connection", atOnce, 20]
  ] as const)(
    "disconnects a client that takes %s too slowly as a whole",
    async (_, respond, requests) => {
      assert.isFalse(await taken(NodeServer.make(NodeServer.bounds, patience), respond, requests))
    },
    60_000
  )

  it("disconnects it from listeners that are made otherwise", async () => {
    const server = createServer()
    SlowReaders.disconnect(server, patience)
    assert.isFalse(await taken(server, atOnce))
  }, 60_000)

  it.live("leaves an event stream alone for as long as it goes on, and an answer that is still being made", () =>
    Effect.gen(function* () {
      const looks = 4 * Math.ceil(patience.whole / patience.every)
      const pieces = Stream.encodeText(Stream.take(Stream.as(Stream.tick(patience.every), "data: 1\n\n"), looks))
      const answers: Readonly<Record<string, Effect.Effect<HttpServerResponse.HttpServerResponse>>> = {
        "/events": Effect.succeed(HttpServerResponse.stream(pieces, { contentType: "text/event-stream" })),
        "/late": Effect.delay(Effect.succeed(HttpServerResponse.text("late")), looks * patience.every),
        // The same, but its end is the server's to decide.
        "/pieces": Effect.succeed(HttpServerResponse.stream(pieces, { contentType: "text/plain" }))
      }
      yield* HttpServer.serveEffect(
        RequestPipeline.make({
          settings: { baseUrl: "http://localhost", trustedProxy: false },
          locate: (request) => ({
            request,
            answer: answers[request.url]!,
            serving: usual,
            methodsOf: () => [],
            isForeign: false
          }),
          forms: { scim: () => ({ status: 418, mediaType: "text/plain", body: {} }) }
        })
      )
      const { address } = yield* HttpServer.HttpServer
      const { port } = address as unknown as AddressInfo
      const read = (path: string) =>
        Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}${path}`).then((response) => response.text()))
      assert.strictEqual((yield* read("/events")).split("data: 1").length - 1, looks)
      assert.strictEqual(yield* read("/late"), "late")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(read("/pieces"))))
    }).pipe(
      Effect.scoped,
      Effect.provide([
        NodeHttpServer.layer(() => NodeServer.make(NodeServer.bounds, patience), { port: 0, host: "127.0.0.1" }),
        SecureRandom.layerWebCrypto
      ])
    )
  )
})
