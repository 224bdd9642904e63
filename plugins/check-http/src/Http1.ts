/**
 * Sends one request over HTTP/1.1 on an open connection, and reads its response. A client for many requests costs several times
 * as much as what one needs.
 */
import type { Socket } from "node:net"
import { reason } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"
import * as ResponseParser from "./ResponseParser.ts"

export interface Request {
  readonly url: URL
  readonly method: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How the user wrote the names of headers, by name in lower case: some servers read them by case. */
  readonly headerNames: ReadonlyMap<string, string>
  readonly body: string | undefined
}

/** Receives the events of the response. None follows `end`, `fail` or {@link send}'s returned function. */
export interface Receiver extends Omit<ResponseParser.Receiver, "refuse"> {
  /** `partial` is the part of a response that arrived before its headers were complete. */
  readonly fail: (error: NodeJS.ErrnoException, partial?: ResponseParser.Head) => void
  /** There will be no acceptable response. */
  readonly refuse: (failure: Failure, partial?: ResponseParser.Head) => void
}

/** The server has closed the connection before the end of its response. */
const closed: NodeJS.ErrnoException = Object.assign(new Error("The server closed the connection"), {
  code: "ECONNRESET"
})

export const tooLarge = (host: string, amount: ResponseParser.Amount): Failure => ({
  code: "header_too_large",
  ...reason("header_too_large", { host, ...amount })
})

const failureOf = (objection: ResponseParser.Objection, host: string): Failure => {
  switch (objection.kind) {
    case "not_http":
      return { code: "protocol_error", ...reason("not_http", { host }, objection.detail) }
    case "malformed":
      return { code: "protocol_error", ...reason("malformed", { host }, objection.detail) }
    case "switched":
      return { code: "protocol_error", ...reason("switched_protocols", { host }) }
    case "too_large":
      return tooLarge(host, objection.amount)
  }
}

/** Methods that always send a body, even an empty one. */
const withBody = new Set(["POST", "PUT", "PATCH"])

/** How a name is written that the user did not write: `content-type` becomes `Content-Type`. */
const conventional = (name: string): string => {
  let written = ""
  for (const word of name.slice(0, 8192).split("-"))
    written += `${written === "" ? "" : "-"}${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return written
}

const written = ({ body, headerNames, headers, method, url }: Request): string => {
  const nameOf = (name: string): string => headerNames.get(name) ?? conventional(name)
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${nameOf("host")}: ${headers["host"] ?? url.host}\r\nConnection: close\r\n`
  if (body !== undefined || withBody.has(method)) head += `Content-Length: ${Buffer.byteLength(body ?? "")}\r\n`
  for (const name in headers) if (name !== "host") head += `${nameOf(name)}: ${headers[name]}\r\n`
  return `${head}\r\n`
}

/** Returns how to stop: the connection is closed, and the receiver is not called any more. */
export const send = (socket: Socket, request: Request, receiver: Receiver): (() => void) => {
  let over = false
  const stop = (): void => {
    if (over) return
    over = true
    // V8 keeps a closed socket and its listeners for a while. The opener of the socket ignores its errors.
    socket.off("data", parser.push).off("end", close).off("close", close).off("error", fail)
    socket.destroy()
  }
  const fail = (error: NodeJS.ErrnoException): void => {
    if (over) return
    stop()
    receiver.fail(error, parser.partial())
  }
  const parser = ResponseParser.make(request.method !== "HEAD", {
    head: (head, framing) => void (over || receiver.head(head, framing)),
    data: (chunk, from, until) => void (over || receiver.data(chunk, from, until)),
    end: () => {
      if (over) return
      stop()
      receiver.end()
    },
    refuse: (objection) => {
      if (over) return
      stop()
      receiver.refuse(failureOf(objection, request.url.host), parser.partial())
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
