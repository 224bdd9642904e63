/**
 * Sends one request over HTTP/1.1 on an open connection, and reads its response. A client for many requests costs several times
 * as much as what one needs.
 */
import type { Socket } from "node:net"
import type { Failure } from "@kanmon/domain/Observation"
import * as ResponseParser from "./ResponseParser.ts"

export interface Request {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What becomes of the response. Nothing is called after `end`, `fail` or {@link send}'s returned function. */
export interface Receiver extends Omit<ResponseParser.Receiver, "refuse"> {
  readonly fail: (error: NodeJS.ErrnoException) => void
  /** There will be no acceptable response. */
  readonly refuse: (failure: Failure) => void
}

/** The server has closed the connection before the end of its response. */
const closed: NodeJS.ErrnoException = Object.assign(new Error("The server closed the connection"), {
  code: "ECONNRESET"
})

const limit = `${ResponseParser.headerLimit / 1024} KiB`

export const tooManyHeaders = (host: string): Failure => ({
  code: "header_too_large",
  message: `${host} sent more than ${limit} of headers`
})

const words: Readonly<Record<ResponseParser.Objection, (host: string) => Failure>> = {
  not_http: (host) => ({ code: "protocol_error", message: `${host} did not respond in HTTP` }),
  headers_too_large: tooManyHeaders,
  interim_too_large: (host) => ({
    code: "header_too_large",
    message: `${host} sent more than ${limit} of interim responses before its answer`
  }),
  switched: (host) => ({
    code: "protocol_error",
    message: `${host} answered 101 Switching Protocols, which the request did not ask for`
  })
}

/** Methods whose requests have a body, if only an empty one. */
const withBody = new Set(["POST", "PUT", "PATCH"])

const written = ({ body, headers, method, url }: Request): string => {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${headers["host"] ?? url.host}\r\nconnection: close\r\n`
  if (body !== undefined || withBody.has(method)) head += `content-length: ${Buffer.byteLength(body ?? "")}\r\n`
  for (const name in headers) if (name !== "host") head += `${name}: ${headers[name]}\r\n`
  return `${head}\r\n`
}

/** Returns how to stop: the connection is closed, and the receiver is not called any more. */
export const send = (socket: Socket, request: Request, receiver: Receiver): (() => void) => {
  let over = false
  const stop = (): void => {
    if (over) return
    over = true
    // V8 keeps a closed socket for a while, and with it whatever listens to it. Who opened it ignores its errors.
    socket.off("data", parser.push).off("end", close).off("close", close).off("error", fail)
    socket.destroy()
  }
  const fail = (error: NodeJS.ErrnoException): void => {
    if (over) return
    stop()
    receiver.fail(error)
  }
  const parser = ResponseParser.make(request.method !== "HEAD", {
    head: (head) => void (over || receiver.head(head)),
    data: (chunk) => void (over || receiver.data(chunk)),
    end: () => {
      if (over) return
      stop()
      receiver.end()
    },
    refuse: (objection) => {
      if (over) return
      stop()
      receiver.refuse(words[objection](request.url.host))
    }
  })
  const close = (): void => void (over || parser.close() || fail(closed))
  socket.on("error", fail)
  socket.on("end", close)
  socket.on("close", close)
  socket.on("data", parser.push)
  // The connection may have ended before anybody listened.
  if (socket.destroyed || socket.readableEnded) queueMicrotask(close)
  const head = written(request)
  if (request.body === undefined) socket.write(head, "latin1")
  else {
    socket.cork()
    socket.write(head, "latin1")
    socket.write(request.body)
    socket.uncork()
  }
  return stop
}
