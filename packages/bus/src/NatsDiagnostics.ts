/**
 * Diagnoses the server of `NATS_URL` for the operator: how it is reached, as which user, and whether the necessary
 * permissions are granted.
 */
import { PermissionViolationError } from "@nats-io/nats-core"
import { Effect, type Redacted } from "effect"
import { parse } from "./NatsAddress.ts"
import type { Trial } from "./config/NatsRoles.ts"
import * as NatsCredentials from "./NatsCredentials.ts"
import * as NatsConnection from "./NatsConnection.ts"

interface NatsDiagnostics {
  /** The server's version. */
  readonly version: string
  readonly encrypted: boolean
  /** For example "as the nkey U…". */
  readonly who: string
  /** The subjects on which the server refuses this user. */
  readonly refused: ReadonlyArray<string>
}

/** Tries what changes nothing: requests are sent, and subscriptions end at once. */
export const diagnose = Effect.fnUntraced(function* (url: Redacted.Redacted, { requests, subscriptions }: Trial) {
  const who = yield* Effect.flatMap(parse(url), NatsCredentials.describe)
  const { connection } = yield* NatsConnection.open({ url })
  yield* NatsConnection.ask(() => connection.rtt())
  const refusedRequests = yield* Effect.filter(
    requests,
    (subject) =>
      Effect.promise(() =>
        connection.request(subject, "", { timeout: NatsConnection.requestMillis }).then(
          () => false,
          (error: Error) => [error, error.cause].some((one) => one instanceof PermissionViolationError)
        )
      ),
    { concurrency: "unbounded" }
  )
  const refusedSubscriptions = yield* Effect.filter(subscriptions, (subject) =>
    Effect.promise(async () => {
      let isRefused = false
      const subscription = connection.subscribe(subject, {
        callback: (error) => {
          if (error !== null) isRefused = true
        }
      })
      // The server's refusal comes before its answer to this.
      await connection.flush()
      subscription.unsubscribe()
      return isRefused
    })
  )
  const refused = [...refusedRequests, ...refusedSubscriptions]
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
