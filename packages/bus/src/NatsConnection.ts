/**
 * The connection to NATS for `NATS_URL`: opening it, calling the client with the port's failure, and logging refusals. The
 * client reconnects indefinitely; the scope closes the connection.
 */
import { BusUnavailable } from "@kanmon/core/EventBus"
import { AuthorizationError, createInbox, PermissionViolationError } from "@nats-io/nats-core"
import { connect } from "@nats-io/transport-node"
import { Clock, Effect, Queue, Redacted } from "effect"
import { parse } from "./NatsAddress.ts"
import * as NatsCredentials from "./NatsCredentials.ts"

/** Timeout of a request to the server. */
export const requestMillis = 5000

/** Connects with the servers and credentials of `NATS_URL`. With an inbox: a subject that this user may receive replies on. */
export const open = Effect.fnUntraced(function* ({
  token,
  url
}: {
  readonly url: Redacted.Redacted
  readonly token?: Redacted.Redacted
}) {
  const address = yield* parse(url)
  const { files, servers } = address
  const credentials = yield* NatsCredentials.read(address)
  const connection = yield* Effect.acquireRelease(
    ask(() =>
      connect({
        servers: [...servers],
        name: "kanmon",
        ...(token === undefined ? {} : { token: Redacted.value(token) }),
        ...credentials,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        reconnectJitter: 100,
        pingInterval: 10_000,
        maxPingOut: 2,
        timeout: requestMillis,
        ignoreAuthErrorAbort: true,
        // Otherwise every request captures a stack, in case it fails.
        noAsyncTraces: true
      })
    ).pipe(Effect.mapError((error) => (files.tls_cert === undefined ? withSilence(error) : error))),
    (opened) => Effect.promise(() => opened.close().catch(() => undefined))
  )
  return { connection, inbox: createInbox(credentials.inboxPrefix) }
})

export const unavailable = (cause: unknown): BusUnavailable =>
  new BusUnavailable({
    detail: cause instanceof Error ? `${cause.message}${advice(cause)}` : String(cause),
    ...(isRefusal(cause) ? { refused: true } : {})
  })

const isRefusal = (cause: unknown): boolean =>
  cause instanceof PermissionViolationError ||
  (cause instanceof Error && cause.cause instanceof PermissionViolationError)

export const ask = <A>(call: () => Promise<A>): Effect.Effect<A, BusUnavailable> =>
  Effect.tryPromise({ try: call, catch: unavailable })

/** With TLS 1.3, a server that requires a client certificate does not report a missing one through the client. */
const withSilence = (error: BusUnavailable): BusUnavailable =>
  /^timeout\b/i.test(error.detail)
    ? new BusUnavailable({
        detail: `${error.detail}: no answer in time; a server that requires a client certificate (tls_cert, tls_key) does not answer either`
      })
    : error

/** Advice where the client's message gives none. */
const advice = (error: Error): string => {
  if (error instanceof AuthorizationError) {
    return ": the server does not know this user; its configuration lists the users and is read at startup or on reload"
  }
  const code = codeOf(error)
  if (untrusted.has(code))
    return ": the server's certificate is not signed by a trusted authority; tls_ca names the file of its root"
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return ": connect with a name that the server's certificate covers"
  if (code === "CERT_HAS_EXPIRED") return ": the server needs a new certificate"
  return ""
}

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])

const codeOf = (error: Error): string => {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code
  }
  return ""
}

/** A refusal is logged once in this time. */
const silenceMillis = 600_000

/**
 * Starts logging what the server refuses to this user; the returned function receives every error of the client. A retry
 * does not help there, so it must not be lost among other failures, nor be repeated for every message.
 */
export const logRefusals = Effect.gen(function* () {
  const received = yield* Queue.sliding<Refusal>(100)
  const logged = new Map<string, number>()
  const one = Effect.fnUntraced(function* ({ kind, line }: Refusal) {
    const now = yield* Clock.currentTimeMillis
    if (now - (logged.get(kind) ?? Number.NEGATIVE_INFINITY) < silenceMillis) return
    logged.set(kind, now)
    yield* Effect.logError(line)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(received), one)))
  return (error: Error): void => {
    const refusal = refusalOf(error)
    if (refusal !== undefined) Queue.offerUnsafe(received, refusal)
  }
})

/** Logged at most once in ten minutes. */
export interface Refusal {
  /** Refusals of one kind have the same cause. */
  readonly kind: string
  readonly line: string
}

const refusalOf = (error: Error): Refusal | undefined => {
  if (error instanceof AuthorizationError) {
    return {
      kind: "login",
      line: "NATS_URL: the server no longer knows this user; the bus is unavailable until it does, or until a restart with another key."
    }
  }
  if (!(error instanceof PermissionViolationError)) return undefined
  const { operation, subject } = error
  // Subjects end in ids, so subjects that differ only there are refused for the same reason.
  const beginning = subject.split(".").slice(0, subject.startsWith("$JS.API.") ? 5 : 3)
  const what = operation === "publish" ? "publish to" : "subscribe to"
  return {
    kind: `${operation} ${beginning.join(".")}`,
    line:
      `NATS_URL: the server does not let this user ${what} ${subject}. ` +
      "Its configuration decides that: kanmon nats config writes one with a user for each role."
  }
}
