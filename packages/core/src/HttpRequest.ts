/**
 * One HTTP request of Kanmon itself, for channels and lookups: through the dialer (and so the network policy), on a new
 * connection, with a verified certificate, without following redirects, and with a limited response.
 */
import * as http from "node:http"
import type { Socket } from "node:net"
import { Data, Deferred, type Duration, Effect, Option } from "effect"
import { Dialer, type DialReason } from "./Dialer.ts"
import * as GrowingBuffer from "./GrowingBuffer.ts"

export interface Request {
  readonly url: URL
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Maximum bytes of the response; the rest is dropped. */
  readonly limit?: number
  /** Default: the caller's timeout alone. */
  readonly patience?: Patience
}

/** How long a response may take: up to the end of its headers, and its body from then on. */
export interface Patience {
  readonly head: Duration.Input
  readonly body: Duration.Input
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** There was no whole response. `message` is one sentence that names the host, never the path or the query. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly reason: DialReason | "tls_untrusted" | "request_invalid" | "connection_closed" | "protocol_error" | "late"
  readonly message: string
  /** The received part of a response with complete headers and an incomplete body. */
  readonly partial?: HttpResponse
}> {}

export const userAgent = "Kanmon/0.1 (+https://github.com/kanmon)"

const defaultLimit = 64 * 1024

/** Sends a request and reads the response. The caller sets the timeout: interruption closes the connection. */
export const send = (request: Request): Effect.Effect<HttpResponse, NoAnswer, Dialer> => {
  const { patience, url } = request
  if (patience === undefined) return attempt(request, () => undefined)
  return Effect.gen(function* () {
    const begun = yield* Deferred.make<() => HttpResponse>()
    const late = Effect.gen(function* () {
      const partial = yield* Effect.timeoutOption(Deferred.await(begun), patience.head)
      if (Option.isNone(partial))
        return yield* new NoAnswer({ reason: "late", message: `${url.host} did not answer in time` })
      yield* Effect.sleep(patience.body)
      const message = `${url.host} did not send its whole response in time`
      return yield* new NoAnswer({ reason: "late", message, partial: partial.value() })
    })
    return yield* Effect.raceFirst(
      attempt(request, (partial) => Deferred.doneUnsafe(begun, Effect.succeed(partial))),
      late
    )
  })
}

/** `begun` is called once the headers have arrived, with what is known of the response at any later time. */
type Begun = (partial: () => HttpResponse) => void

const attempt = (request: Request, begun: Begun): Effect.Effect<HttpResponse, NoAnswer, Dialer> =>
  Effect.gen(function* () {
    const { url } = request
    const secure = url.protocol === "https:"
    const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname
    const dialer = yield* Dialer
    const connection = yield* dialer
      .dial({
        host,
        port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
        ...(secure ? { tls: { alpn: ["http/1.1"] } } : {})
      })
      .pipe(Effect.mapError(({ message, reason }) => new NoAnswer({ reason, message })))
    const problem =
      connection.peer?.authorizationError ?? (connection.peer?.nameMismatch === true ? "wrong name" : null)
    if (problem !== null)
      return yield* new NoAnswer({
        reason: "tls_untrusted",
        message: `The certificate of ${url.host} is not trusted (${problem})`
      })
    return yield* exchange(request, connection.socket, begun)
  }).pipe(Effect.scoped)

/** Sends the request on an open connection; the dialer's scope closes it. */
const exchange = ({ body, headers, limit = defaultLimit, method, url }: Request, socket: Socket, begun: Begun) =>
  Effect.callback<HttpResponse, NoAnswer>((resume) => {
    let partial = (): HttpResponse | undefined => undefined
    const fail = (error: Error) => resume(Effect.fail(failure(error, url, partial())))
    try {
      const request = http.request({
        createConnection: () => socket,
        host: url.hostname,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          host: url.host,
          "user-agent": userAgent,
          connection: "close",
          ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
          ...headers
        }
      })
      request.on("error", fail)
      request.on("response", (response) => {
        const received = GrowingBuffer.make(limit)
        let complete = false
        const answer = (): HttpResponse => ({
          status: response.statusCode ?? 0,
          headers: flat(response.headers),
          body: received.bytes().toString("utf8")
        })
        partial = answer
        begun(answer)
        const finish = (): void => {
          if (complete) return
          complete = true
          resume(Effect.succeed(answer()))
          // Further data must not be parsed: a peer could send it without end.
          request.destroy()
        }
        response.on("data", (chunk: Buffer) => {
          if (complete) return
          received.append(chunk)
          if (received.size() >= limit) finish()
        })
        response.on("end", finish)
        response.on("error", (error) => {
          if (!complete) fail(error)
        })
      })
      request.end(body)
      return Effect.sync(() => void request.destroy())
    } catch (error) {
      fail(error as Error)
      return undefined
    }
  })

const flat = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)])
  )

/** The error's message may quote the path or a header, so only its code is used. */
const failure = (error: Error, url: URL, partial: HttpResponse | undefined): NoAnswer => {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  const begun = partial === undefined ? {} : { partial }
  if (code.startsWith("ERR_INVALID") || code === "ERR_UNESCAPED_CHARACTERS")
    return new NoAnswer({ reason: "request_invalid", message: "A header or the address cannot be sent over HTTP" })
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE")
    return new NoAnswer({ reason: "protocol_error", message: `${url.host} did not respond in HTTP`, ...begun })
  const message = `${url.host} closed the connection without a ${partial === undefined ? "" : "whole "}response`
  return new NoAnswer({ reason: "connection_closed", message, ...begun })
}
