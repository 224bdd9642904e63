/**
 * Diagnoses the server of `NATS_URL` for the operator: how it is reached, as which user, and whether the necessary
 * permissions are granted.
 */
import { PermissionViolationError } from "@nats-io/nats-core"
import { Effect, type Redacted } from "effect"
import { parse } from "./NatsAddress.ts"
import * as NatsCredentials from "./NatsCredentials.ts"
import * as NatsConnection from "./NatsConnection.ts"

interface NatsDiagnostics {
  /** The server's version. */
  readonly version: string
  readonly encrypted: boolean
  /** For example "as the nkey U…". */
  readonly who: string
  /** The given subjects on which the server refuses requests from this user. */
  readonly refused: ReadonlyArray<string>
}

/** `requests` are sent to the server and must not change anything. */
export const diagnose = Effect.fnUntraced(function* (url: Redacted.Redacted, requests: ReadonlyArray<string>) {
  const who = yield* Effect.flatMap(parse(url), NatsCredentials.describe)
  const { connection } = yield* NatsConnection.open({ url })
  yield* NatsConnection.ask(() => connection.rtt())
  const refused = yield* Effect.filter(requests, (subject) =>
    Effect.promise(() =>
      connection.request(subject, "", { timeout: NatsConnection.requestMillis }).then(
        () => false,
        (error: Error) => [error, error.cause].some((one) => one instanceof PermissionViolationError)
      )
    )
  )
  const { info } = connection
  const found: NatsDiagnostics = {
    version: info?.version ?? "unknown",
    // The client uses TLS whenever it is offered.
    encrypted: info?.tls_required === true || info?.tls_available === true,
    who,
    refused
  }
  return found
}, Effect.scoped)
