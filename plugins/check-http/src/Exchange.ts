/** One request and its response on a new connection: one hop of a check. */
import type { Attempt } from "@kanmon/core/Check"
import { type Connection, Dialer, type DialFailed, type TlsIdentity } from "@kanmon/core/Dialer"
import { Data, Effect, type Scope } from "effect"
import { Client, type Dispatcher } from "undici"
import { bodyLimit, type Received } from "./BodyText.ts"
import * as InterimResponses from "./InterimResponses.ts"

const headerLimit = 64 * 1024

export interface Request {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The address to connect to; the URL's host is looked up without one. */
  readonly address: string | undefined
  readonly identity: TlsIdentity | undefined
  readonly allowHttp2: boolean
  /** How many bytes of the body of a response with this status are needed. */
  readonly keep: (status: number) => number
  /** How many bytes of the body of a response that breaks off are kept. */
  readonly keepBroken: number
  /** Called before the request with undefined, and with what has been received once there is an answer to evaluate. */
  readonly answered: (received: (() => Response) | undefined) => void
  /** Whether the response is a redirect to follow, so that its body is not needed. */
  readonly leadsOn: (status: number, location: string | undefined) => boolean
  /** Called after connecting, before anything is sent: a reason not to continue. */
  readonly objection: (connection: Connection) => { readonly code: string; readonly message: string } | null
}

/** A response with the needed part of its body. */
export interface Response extends Received {
  readonly status: number
  /** The reason behind the status; HTTP/2 has none. */
  readonly statusText: string
  readonly location: string | undefined
  /** By name in lower case; a header that is sent several times has several values. */
  readonly headers: Readonly<Record<string, ReadonlyArray<string>>>
  readonly httpVersion: "1.1" | "2"
  readonly connection: Connection
  /** Milliseconds from the request to the first byte of the response, and from there to the last. */
  readonly firstByte: number
  readonly download: number
}

/** The exchange failed after the connection was established. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{
  readonly code: string
  readonly message: string
  readonly connection: Connection
  /** What was received until then. */
  readonly response?: Response | undefined
}> {}

/** Given to the client when it is no longer needed: it would make an error, with its stack, for each check. */
const over = new Error("The exchange is over")

/** The server refused the request, which HTTP/2 allows a client to repeat. */
const refused: NodeJS.ErrnoException = Object.assign(new Error("The server closed the connection"), {
  code: "ECONNRESET"
})

const nothing = Buffer.alloc(0)

const incomplete = new Error("The stream ended before the announced length")

const tooManyHeaders = (connection: Connection, { host }: URL): ExchangeFailed =>
  new ExchangeFailed({
    code: "header_too_large",
    message: `${host} sent more than ${headerLimit / 1024} KiB of headers`,
    connection
  })

const round = (millis: number): number => Math.round(millis * 100) / 100

export const exchange = (
  request: Request,
  attempt: Attempt
): Effect.Effect<Response, DialFailed | ExchangeFailed, Dialer | Scope.Scope> =>
  Effect.gen(function* () {
    const dialer = yield* Dialer
    const { url } = request
    const secure = url.protocol === "https:"
    const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname
    const { address, allowHttp2, identity } = request
    const alpn = allowHttp2 ? ["h2", "http/1.1"] : ["http/1.1"]
    const connection = yield* dialer.dial({
      host: address ?? host,
      port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
      ...(secure ? { tls: { alpn, identity, servername: host } } : {}),
      stage: attempt.stage
    })
    const objection = request.objection(connection)
    if (objection !== null) return yield* new ExchangeFailed({ ...objection, connection })
    attempt.stage("request")
    return yield* send(request, connection, attempt)
  })

const send = (request: Request, connection: Connection, attempt: Attempt): Effect.Effect<Response, ExchangeFailed> =>
  Effect.callback<Response, ExchangeFailed>((resume) => {
    const isHttp2 = "alpnProtocol" in connection.socket && connection.socket.alpnProtocol === "h2"
    let connected = false
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
          callback(null, connection.socket)
        }),
      allowH2: isHttp2,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 1,
      maxHeaderSize: headerLimit
    })
    request.answered(undefined)
    const began = performance.now()
    let answered = began
    let status = 0
    let statusText = ""
    let needed = 0
    let kept = 0
    let location: string | undefined
    let received: Readonly<Record<string, ReadonlyArray<string>>> = {}
    let contentEncoding = ""
    let contentType = ""
    let announced: number | undefined
    let interim = 0
    let size = 0
    let done = false
    const chunks: Array<Buffer> = []

    const finish = (result: Effect.Effect<Response, ExchangeFailed>): void => {
      if (done) return
      done = true
      client.destroy(over).catch(() => undefined)
      resume(result)
    }
    const response = (cut: boolean, bytes = kept): Response => ({
      status,
      statusText,
      location,
      headers: received,
      httpVersion: isHttp2 ? "2" : "1.1",
      contentEncoding,
      contentType,
      body: bytes === 0 ? nothing : Buffer.concat(chunks).subarray(0, bytes),
      cut,
      connection,
      firstByte: round(answered - began),
      download: round(performance.now() - answered)
    })
    const complete = (cut: boolean): void => finish(Effect.succeed(response(cut, needed)))
    const fail = (error: Error): void =>
      finish(Effect.fail(failure(error, connection, status === 0 ? undefined : response(true), request.url)))

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers, reason) => {
        // An interim response over HTTP/2.
        if (statusCode < 200) {
          interim += JSON.stringify(headers).length
          if (interim > headerLimit) finish(Effect.fail(tooManyHeaders(connection, request.url)))
          return
        }
        answered = performance.now()
        status = statusCode
        statusText = reason ?? ""
        needed = request.keep(statusCode)
        kept = Math.max(needed, request.keepBroken)
        received = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]))
        const target = headers["location"]
        location = Array.isArray(target) ? target[0] : target
        contentEncoding = [headers["content-encoding"] ?? []].flat().join()
        contentType = [headers["content-type"] ?? []].flat().join()
        // The length of an encoded body is that of what is sent; a response to HEAD announces a body that it does not have.
        if (isHttp2 && request.method !== "HEAD" && received["content-length"] !== undefined)
          announced = Number(received["content-length"][0])
        attempt.stage("download")
        if (request.leadsOn(statusCode, location)) complete(true)
        else request.answered(() => response(true))
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length
        if (size - chunk.length < kept) chunks.push(chunk.subarray(0, kept - (size - chunk.length)))
        // The evaluated part is complete: this also ends an endless body.
        if (size >= bodyLimit) complete(true)
      },
      // A stream that the server cancels ends like a complete one.
      onResponseEnd: () =>
        announced !== undefined && size < announced && status !== 304 ? fail(incomplete) : complete(false),
      onResponseError: (_controller, error) => fail(error)
    }
    // HTTP/2 frames interim responses, and the client skips them.
    if (!isHttp2) {
      InterimResponses.skip(connection.socket, request.url.host, (reason) =>
        finish(Effect.fail(new ExchangeFailed({ ...reason, connection })))
      )
    }
    client.dispatch(
      {
        path: `${request.url.pathname}${request.url.search}`,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        reset: !isHttp2
      },
      handler
    )
    return Effect.sync(() => {
      done = true
      client.destroy(over).catch(() => undefined)
    })
  })

const failure = (error: Error, connection: Connection, response: Response | undefined, url: URL): ExchangeFailed => {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  const host = url.host
  const make = (reason: string, message: string) => new ExchangeFailed({ code: reason, message, connection, response })
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return tooManyHeaders(connection, url)
  }
  if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")
    return make("tls_client_certificate", `${host} asks for a client certificate`)
  if (certificateRefused.test(code))
    return make("tls_client_certificate", `${host} refused the client certificate (${code})`)
  if (code.startsWith("HPE_") || error.name === "HTTPParserError")
    return make("protocol_error", `${host} did not respond in HTTP`)
  if (response !== undefined)
    return make("response_incomplete", `${host} closed the connection in the middle of its response`)
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return make("connect_reset", `${host} closed the connection without a response`)
  }
  return make("protocol_error", `The exchange with ${host} failed (${code === "" ? error.name : code})`)
}

/** Alerts about a client certificate: in TLS 1.3 they come after the handshake. */
const certificateRefused =
  /ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))$/
