/** One request and its response on a fresh connection: a hop of a check. */
import type { Attempt } from "@kanmon/core/Check"
import { type Connection, Dialer, type DialFailed } from "@kanmon/core/Dialer"
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
  /** Whether anybody will look at the response's body. */
  readonly keepBody: boolean
  /** Whether a response leads on, so that its body need not be waited for. */
  readonly leadsOn: (status: number, location: string | undefined) => boolean
  /** Asked when the connection stands and nothing has been sent: why nothing should be. */
  readonly objection: (connection: Connection) => { readonly code: string; readonly message: string } | null
}

/** A response with the first MiB of its body. */
export interface Response extends Received {
  readonly status: number
  readonly location: string | undefined
  readonly connection: Connection
  /** Milliseconds from the request to the first byte of the answer, and from there to the last. */
  readonly firstByte: number
  readonly download: number
}

/** The connection stood, the exchange failed. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{
  readonly code: string
  readonly message: string
  readonly connection: Connection
}> {}

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
    const connection = yield* dialer.dial({
      host,
      port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
      ...(secure ? { tls: { alpn: ["http/1.1"] } } : {}),
      stage: attempt.stage
    })
    const objection = request.objection(connection)
    if (objection !== null) return yield* new ExchangeFailed({ ...objection, connection })
    attempt.stage("request")
    return yield* send(request, connection, attempt)
  })

const send = (request: Request, connection: Connection, attempt: Attempt): Effect.Effect<Response, ExchangeFailed> =>
  Effect.callback<Response, ExchangeFailed>((resume) => {
    // The connection is made already: the client only speaks on it. Timeouts are the host's.
    const client = new Client(request.url.origin, {
      // Later, not at once: the client does not look again while it is connecting.
      connect: (_options, callback) => queueMicrotask(() => callback(null, connection.socket)),
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 1,
      maxHeaderSize: headerLimit
    })
    const began = performance.now()
    let answered = began
    let status = 0
    let location: string | undefined
    let contentEncoding = ""
    let contentType = ""
    let size = 0
    let done = false
    const chunks: Array<Buffer> = []

    const finish = (result: Effect.Effect<Response, ExchangeFailed>): void => {
      if (done) return
      done = true
      client.destroy().catch(() => undefined)
      resume(result)
    }
    const complete = (cut: boolean): void =>
      finish(
        Effect.succeed({
          status,
          location,
          contentEncoding,
          contentType,
          body: Buffer.concat(chunks),
          cut,
          connection,
          firstByte: round(answered - began),
          download: round(performance.now() - answered)
        })
      )

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers) => {
        answered = performance.now()
        status = statusCode
        const target = headers["location"]
        location = Array.isArray(target) ? target[0] : target
        contentEncoding = [headers["content-encoding"] ?? []].flat().join()
        contentType = [headers["content-type"] ?? []].flat().join()
        attempt.stage("download")
        if (request.leadsOn(statusCode, location)) complete(true)
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length
        if (request.keepBody && size - chunk.length < bodyLimit)
          chunks.push(chunk.subarray(0, bodyLimit - (size - chunk.length)))
        // Nobody looks further than this: an endless body ends here.
        if (size >= bodyLimit) complete(true)
      },
      onResponseEnd: () => complete(false),
      onResponseError: (_controller, error) => finish(Effect.fail(failure(error, connection, status, request.url)))
    }
    InterimResponses.skip(connection.socket, request.url.host, (reason) =>
      finish(Effect.fail(new ExchangeFailed({ ...reason, connection })))
    )
    client.dispatch(
      {
        path: `${request.url.pathname}${request.url.search}`,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        reset: true
      },
      handler
    )
    return Effect.sync(() => {
      done = true
      client.destroy().catch(() => undefined)
    })
  })

const failure = (error: Error, connection: Connection, status: number, url: URL): ExchangeFailed => {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  const host = url.host
  const make = (reason: string, message: string) => new ExchangeFailed({ code: reason, message, connection })
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return make("header_too_large", `${host} sent more than ${headerLimit / 1024} KiB of headers`)
  }
  if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")
    return make("tls_client_certificate", `${host} asks for a client certificate`)
  if (code.startsWith("HPE_") || error.name === "HTTPParserError")
    return make("protocol_error", `${host} did not answer in HTTP`)
  if (status !== 0) return make("response_incomplete", `${host} closed the connection in the middle of its answer`)
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return make("connect_reset", `${host} closed the connection without an answer`)
  }
  return make("protocol_error", `The exchange with ${host} failed (${code === "" ? error.name : code})`)
}
