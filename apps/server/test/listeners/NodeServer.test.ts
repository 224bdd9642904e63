import { Agent, get, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeServer from "../../src/listeners/NodeServer.ts"
import * as SlowReaders from "../../src/listeners/SlowReaders.ts"

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready))
  return (server.address() as AddressInfo).port
}

/** Sends this and nothing more, and returns the answer when the connection is closed. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => void socket.write(text))
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resolve(answer))
  })

describe("NodeServer", () => {
  it.each([
    ["nothing", ""],
    ["half of its headers", "GET / HTTP/1.1\r\nhost: x\r\nx-slow:"],
    ["half of its body", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab"]
  ])("closes the connection of a client that sends %s and then waits", async (_, text) => {
    const server = NodeServer.make({ headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 })
    server.on("request", (request) => void request.resume())
    assert.match(await exchange(await listening(server), text), /^(HTTP\/1\.1 408 .*connection: close.*)?$/is)
    server.close()
  })

  it("sets its timeouts explicitly", () => {
    const server = NodeServer.make()
    for (const name of ["keepAliveTimeout", "keepAliveTimeoutBuffer", "headersTimeout", "requestTimeout"] as const)
      assert.strictEqual(server[name], NodeServer.bounds[name])
    server.close()
  })

  it.live("refuses connections above the limit, and accepts new ones when others close", () =>
    Effect.gen(function* () {
      const server = NodeServer.make()
      server.on("request", (_request, response) => void response.end("served"))
      yield* NodeServer.limitConnections(server, 1)
      const port = yield* Effect.promise(() => listening(server))
      const request = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
      const first = connect(port, "127.0.0.1")
      yield* Effect.promise(() => new Promise((resolve) => server.once("connection", resolve)))
      assert.strictEqual(yield* Effect.promise(() => exchange(port, request)), "")
      const free = new Promise((resolve) => first.once("close", resolve))
      first.destroy()
      yield* Effect.promise(() => free)
      while ((yield* Effect.promise(() => exchange(port, request))) === "") yield* Effect.yieldNow
      server.close()
    }).pipe(Effect.scoped)
  )

  it.each([
    ["at once", (send: () => void) => send()],
    [
      "after a longer time than clients may take",
      (send: () => void, response: ServerResponse) => void response.once("timeout", send)
    ]
  ] as const)(
    "disconnects a client that does not read its answer, which comes %s",
    async (_, when) => {
      const server = NodeServer.make(NodeServer.bounds, { ...SlowReaders.usual, stall: 50 })
      const closed = new Promise<ServerResponse>((resolve) => {
        server.on("request", (_request, response) => {
          response.once("close", () => resolve(response))
          when(() => response.end(Buffer.alloc(64 * 1024 * 1024)), response)
        })
      })
      // Without a listener for data, it reads no more than its buffers hold.
      const client = connect(
        await listening(server),
        "127.0.0.1",
        () => void client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
      )
      client.on("error", () => client.destroy())
      assert.isFalse((await closed).writableFinished)
      client.destroy()
      server.close()
    },
    60_000
  )

  it("gives an answer all the time that it takes to make it", async () => {
    const server = NodeServer.make(NodeServer.bounds, { ...SlowReaders.usual, stall: 50 })
    server.on("request", (_request, response) => void response.once("timeout", () => response.end("late")))
    const request = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    assert.match(await exchange(await listening(server), request), /late$/)
    server.close()
  }, 60_000)

  it("answers that it is starting until there is an application, instead of leaving the request open", async () => {
    const server = NodeServer.make()
    const port = await listening(server)
    const request = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    assert.match(await exchange(port, request), /^HTTP\/1\.1 503 .*retry-after: 1.*starting/is)
    server.on("request", (_request, response) => void response.end("served"))
    assert.match(await exchange(port, request), /^HTTP\/1\.1 200 .*served$/is)
    server.close()
  })

  it("closes once the responses are sent, even if clients keep their connections", async () => {
    const server = NodeServer.make()
    const closed = new Promise<void>((resolve) => {
      // It closes while an answer is on its way.
      server.on("request", (_request, response) => {
        server.close(() => resolve())
        setImmediate(() => response.end("done"))
      })
    })
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
    const agent = new Agent({ keepAlive: true })
    const { port } = server.address() as AddressInfo
    const body = await new Promise<string>((resolve) => {
      get({ port, host: "127.0.0.1", agent }, (response) => {
        let text = ""
        response.on("data", (chunk: Buffer) => (text += chunk.toString()))
        response.on("end", () => resolve(text))
      })
    })
    assert.strictEqual(body, "done")
    await closed
    agent.destroy()
  })
})
