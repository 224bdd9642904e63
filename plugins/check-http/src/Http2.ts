/** Sends one request over HTTP/2 on an open connection, and reads its response. */
import type { Socket } from "node:net"
import { Client, type Dispatcher } from "undici"
import { type Receiver, type Request, tooLarge } from "./Http1.ts"
import { contentLength } from "./ResponseLines.ts"
import { headerLimit, maxInterim } from "./ResponseParser.ts"

/** Given to the client when it is no longer needed: it would make an error, with its stack, for each check. */
const over = new Error("The exchange is over")

/** The server refused the request, which HTTP/2 allows a client to repeat. */
const refused: NodeJS.ErrnoException = Object.assign(new Error("The server closed the connection"), {
  code: "ECONNRESET"
})

const incomplete = new Error("The stream ended before the announced length")

const tooManyHeaders = { amount: "kibibytes", limit: headerLimit / 1024, of: "headers" } as const

/** Returns how to stop: the connection is closed, and the receiver is not called any more. */
export const send = (socket: Socket, request: Request, receiver: Receiver): (() => void) => {
  let connected = false
  let done = false
  let interim = 0
  let interims = 0
  let size = 0
  let status = 0
  let announced: number | undefined

  const stop = (): void => {
    if (done) return
    done = true
    client.destroy(over).catch(() => undefined)
  }
  const fail = (error: NodeJS.ErrnoException): void => {
    if (done) return
    stop()
    if (error.code === "UND_ERR_HEADERS_OVERFLOW") receiver.refuse(tooLarge(request.url.host, tooManyHeaders))
    else receiver.fail(error)
  }
  // The client uses the existing connection. The host limits the time.
  const client = new Client(request.url.origin, {
    // Asynchronously: while connecting, the client would miss a synchronous call.
    connect: (_options, callback) =>
      queueMicrotask(() => {
        // After a GOAWAY the client would connect again: a check is one attempt.
        if (connected) {
          callback(refused, null)
          return fail(refused)
        }
        connected = true
        callback(null, socket)
      }),
    allowH2: true,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 1,
    maxHeaderSize: headerLimit
  })
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode, received, reason) => {
      if (done) return
      if (statusCode < 200) {
        interim += JSON.stringify(received).length
        interims++
        if (interim <= headerLimit && interims <= maxInterim) return
        stop()
        return receiver.refuse(tooLarge(request.url.host, { amount: "too_many_interims" }))
      }
      status = statusCode
      const headers = Object.fromEntries(
        Object.entries(received).map(([name, value]) => [name, [value ?? []].flat()] as const)
      )
      // The length of an encoded body is that of what is sent; a response to HEAD announces a body that it does not have.
      if (request.method !== "HEAD" && headers["content-length"] !== undefined)
        announced = contentLength(headers["content-length"]) ?? undefined
      receiver.head({ status, statusText: reason ?? "", headers }, { length: announced, codings: [] })
    },
    onResponseData: (_controller, chunk) => {
      if (done) return
      size += chunk.length
      receiver.data(chunk, 0, chunk.length)
    },
    // A stream that the server cancels ends like a complete one.
    onResponseEnd: () => {
      if (done) return
      if (announced !== undefined && size < announced && status !== 304) return fail(incomplete)
      stop()
      receiver.end()
    },
    onResponseError: (_controller, error) => fail(error)
  }
  client.dispatch(
    {
      path: `${request.url.pathname}${request.url.search}`,
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers,
      body: request.body ?? null,
      reset: false
    },
    handler
  )
  return stop
}
