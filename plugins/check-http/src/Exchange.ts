/** One request and its response on a new connection: one hop of a check. */
import type { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { Attempt } from "@kanmon/core/Check"
import { type Connection, Dialer, type DialFailed, type TlsIdentity, type TlsVersion } from "@kanmon/core/Dialer"
import type { Explanation } from "@kanmon/domain/Explanation"
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"
import { Data, Effect, Scope } from "effect"
import * as BodyPool from "./BodyPool.ts"
import { bodyLimit, type Received } from "./BodyText.ts"
import * as ContentType from "./ContentType.ts"
import * as HeaderText from "./HeaderText.ts"
import * as Http1 from "./Http1.ts"
import * as Http2 from "./Http2.ts"
import type { Framing, Head } from "./ResponseParser.ts"

export interface Request {
  readonly url: URL
  readonly method: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How the user wrote the names of headers, by name in lower case. */
  readonly headerNames: ReadonlyMap<string, string>
  readonly body: string | undefined
  /** The address to connect to; the URL's host is looked up without one. */
  readonly address: string | undefined
  readonly identity: TlsIdentity | undefined
  /** The oldest version of TLS that is accepted. */
  readonly minVersion: TlsVersion | undefined
  readonly allowHttp2: boolean
  /** How many bytes of the body of a response with this status are needed. */
  readonly keep: (status: number) => number
  /** How many bytes of the body of a response that breaks off are kept. */
  readonly keepBroken: number
  /** Called before the request with undefined, and with what has been received once there is an answer to evaluate. */
  readonly answered: (received: (() => Response) | undefined) => void
  /**
   * How an answer that has no end is judged: whether what has been received decides the rules for its text. Undefined when
   * no rule needs text.
   */
  readonly decided: (status: number) => Decision | undefined
  /** Whether the response is a redirect to follow, so that its body is not needed. */
  readonly leadsOn: (status: number, location: string | undefined) => boolean
  /** Called after connecting, before anything is sent: a reason not to continue. */
  readonly objection: (connection: Connection) => Failure | null
}

export interface Decision {
  readonly isMade: (received: Response) => Effect.Effect<boolean, never, BoundedEvaluator>
  /** Milliseconds to wait before the first look, and whether looks are expensive, so that they become rarer. */
  readonly firstLook: number
  readonly isExpensive: boolean
}

/** A response with the needed part of its body. */
export interface Response extends Received {
  readonly status: number
  /** The reason behind the status; HTTP/2 has none. */
  readonly statusText: string
  /** The first `Location`, without blanks around it. */
  readonly location: string | undefined
  /** By name in lower case; a header that is sent several times has several values. */
  readonly headers: HeaderText.Headers
  /** The same as they are sent: each character is a byte. */
  readonly rawHeaders: HeaderText.Headers
  readonly httpVersion: "1.1" | "2"
  readonly connection: Connection
  /** Milliseconds from the request to the first byte of the response, and from there to the last. */
  readonly firstByte: number
  readonly download: number
  /** The memory of the body, given back when the check ends. */
  readonly holding: BodyPool.Holding
}

/** The exchange failed after the connection was established. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{
  readonly code: string
  readonly message: string
  readonly explanation?: Explanation | undefined
  readonly connection: Connection
  /** The part received until the failure. */
  readonly response?: Response | undefined
}> {}

/** Milliseconds between two looks at an answer that has no end. */
const longestWait = 1000

const round = (millis: number): number => Math.round(millis * 100) / 100

/** A named function: V8 keeps what a generator function captures until a full collection, if it was made for one run. */
export const exchange = Effect.fnUntraced(function* (
  request: Request,
  attempt: Attempt
): Effect.fn.Return<Response, DialFailed | ExchangeFailed, Dialer | BoundedEvaluator | Scope.Scope> {
  const dialer = yield* Dialer
  const { url } = request
  const secure = url.protocol === "https:"
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname
  const { address, allowHttp2, identity, minVersion } = request
  const alpn = allowHttp2 ? ["h2", "http/1.1"] : ["http/1.1"]
  const connection = yield* dialer.dial({
    host,
    address,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    ...(secure ? { tls: { alpn, identity, minVersion } } : {}),
    stage: attempt.stage
  })
  const objection = request.objection(connection)
  if (objection !== null) return yield* new ExchangeFailed({ ...objection, connection })
  attempt.stage("request")
  // A body is needed until the check ends: it is evaluated and captured.
  const holding = BodyPool.shared.open(connection.address, bodyLimit)
  yield* Scope.addFinalizer(yield* Effect.scope, Effect.sync(holding.release))
  return yield* send(request, connection, attempt, holding)
})

const send = (
  request: Request,
  connection: Connection,
  attempt: Attempt,
  holding: BodyPool.Holding
): Effect.Effect<Response, ExchangeFailed, BoundedEvaluator> =>
  Effect.callback<Response, ExchangeFailed, BoundedEvaluator>((resume) => {
    const { socket } = connection
    const isHttp2 = "alpnProtocol" in socket && socket.alpnProtocol === "h2"
    request.answered(undefined)
    const began = performance.now()
    let answered = began
    let head: Head | undefined
    let codings: Framing["codings"] = []
    let needed = 0
    let kept = 0
    let size = 0
    let done = false
    let stop = (): void => undefined
    /** When the last byte arrived, of an answer that has no end; and how the exchange ended while it was judged. */
    let latest: number | undefined
    let outcome: Effect.Effect<Response, ExchangeFailed> | undefined

    const finish = (result: Effect.Effect<Response, ExchangeFailed>): void => {
      if (done) return
      done = true
      holding.onLost(undefined)
      stop()
      outcome = result
      resume(result)
    }
    const response = ({ headers, status, statusText }: Head, cut: boolean, bytes = kept): Response => ({
      status,
      statusText: HeaderText.textOf(statusText),
      location: HeaderText.locationOf(headers),
      headers: HeaderText.decoded(headers),
      rawHeaders: headers,
      httpVersion: isHttp2 ? "2" : "1.1",
      contentEncoding: [...(headers["content-encoding"] ?? []), ...codings].join(),
      contentType: headers["content-type"]?.join() ?? "",
      body: holding.bytes().subarray(0, bytes),
      cut,
      connection,
      firstByte: round(answered - began),
      download: round((latest ?? performance.now()) - answered),
      holding
    })
    const complete = (cut: boolean): void => {
      if (head !== undefined) finish(Effect.succeed(response(head, cut, needed)))
    }
    /** Looks at what has arrived until that decides the rules. */
    const judged = (received: Head, { firstLook, isExpensive, isMade }: Decision) =>
      Effect.gen(function* () {
        let seen = -1
        for (let wait = firstLook; ; wait = isExpensive ? wait * 2 : Math.min(wait * 2, longestWait)) {
          yield* Effect.sleep(wait)
          if (outcome !== undefined) return yield* outcome
          if (size === seen) continue
          seen = size
          if (yield* isMade(response(received, true, needed))) complete(true)
        }
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            done = true
            stop()
          })
        )
      )
    /** The part received so far; `partial` while its headers are incomplete. */
    const soFar = (partial = head): { readonly response?: Response } =>
      partial === undefined ? {} : { response: response(partial, true) }

    /** For an endless response, the headers or a part of the text are enough. */
    const begin = (received: Head): void => {
      latest = answered
      const decision = request.decided(received.status)
      if (decision === undefined) complete(true)
      else resume(judged(received, decision))
    }

    const receiver: Http1.Receiver = {
      head: (received, framing) => {
        answered = performance.now()
        head = received
        codings = framing.codings
        needed = request.keep(received.status)
        kept = Math.max(needed, request.keepBroken)
        attempt.stage("download")
        if (request.leadsOn(received.status, received.headers["location"]?.[0])) complete(true)
        else {
          request.answered(() => response(received, true))
          if (framing.length === undefined && ContentType.isStream(received.headers["content-type"]?.join() ?? ""))
            begin(received)
        }
      },
      data: (chunk, from, until) => {
        if (size < kept) holding.append(chunk, from, Math.min(until, from + kept - size))
        size += until - from
        if (latest !== undefined) latest = performance.now()
        // The evaluated part is complete: this also ends an endless body.
        if (size >= bodyLimit) complete(true)
      },
      end: () => complete(false),
      fail: (error, partial = head) =>
        finish(Effect.fail(failure(error, connection, soFar(partial).response, request.url))),
      refuse: (reason, partial = head) =>
        finish(Effect.fail(new ExchangeFailed({ ...reason, connection, ...soFar(partial) })))
    }
    holding.onLost(() => finish(Effect.fail(new ExchangeFailed({ ...notKept, connection }))))
    const begun = (isHttp2 ? Http2.send : Http1.send)(socket, request, receiver)
    // The receiver may have had enough at once.
    if (done) begun()
    stop = begun
    return Effect.sync(() => {
      done = true
      stop()
    })
  })

/** The target answered, but the checks of this probe hold too much of what targets sent. */
export const notKept = {
  code: "evaluation_unavailable",
  ...why("no_memory", {})
} as const

const failure = (error: Error, connection: Connection, response: Response | undefined, url: URL): ExchangeFailed => {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  const host = url.host
  const make = (reason: string, words: Reason) => new ExchangeFailed({ code: reason, ...words, connection, response })
  if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")
    return make("tls_client_certificate", why("client_certificate_required", { target: host }))
  if (certificateRefused.test(code))
    return make("tls_client_certificate", why("client_certificate_refused", { target: host, cause: code }))
  if (response !== undefined) return make("response_incomplete", why("response_incomplete", { host }))
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return make("connect_reset", why("no_response", { host }))
  }
  return make("protocol_error", why("exchange_failed", { host, cause: code === "" ? error.name : code }))
}

/** Alerts about a client certificate: in TLS 1.3 they come after the handshake. */
const certificateRefused =
  /ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))$/
