/** Calls to the NATS client, with the port's failure. */
import { BusUnavailable } from "@kanmon/core/EventBus"
import { AuthorizationError, PermissionViolationError } from "@nats-io/nats-core"
import { Effect } from "effect"

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

/** With TLS 1.3 a server that misses our certificate says nothing that the client would pass on. */
export const withSilence = (error: BusUnavailable): BusUnavailable =>
  /^timeout\b/i.test(error.detail)
    ? new BusUnavailable({
        detail: `${error.detail}: nobody answered in time; nor does a server that wants a certificate of ours (tls_cert, tls_key)`
      })
    : error

/** What to do about it, where the client's own words do not say. */
const advice = (error: Error): string => {
  if (error instanceof AuthorizationError) {
    return ": the server does not know this user; its configuration names who may come, and is read when it starts or is told to reload"
  }
  const code = codeOf(error)
  if (untrusted.has(code))
    return ": nobody who is trusted here signed the server's certificate; tls_ca names the file of its root"
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return ": connect under a name that the server's certificate is for"
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
