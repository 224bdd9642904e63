/** A look at the server of `NATS_URL`, for people: how we come to it, as whom, and whether we may do there what we have to. */
import { PermissionViolationError } from "@nats-io/nats-core"
import { Effect, type Redacted } from "effect"
import { parse } from "./NatsAddress.ts"
import { ask } from "./NatsCall.ts"
import * as NatsCredentials from "./NatsCredentials.ts"
import * as NatsLink from "./NatsLink.ts"

export interface NatsLook {
  /** Of the server. */
  readonly version: string
  readonly encrypted: boolean
  /** For example "as the nkey U…". */
  readonly who: string
  /** Those of the given subjects on which the server takes no requests of ours. */
  readonly refused: ReadonlyArray<string>
}

/** `requests` change nothing, whoever answers them. */
export const look = Effect.fnUntraced(function* (url: Redacted.Redacted, requests: ReadonlyArray<string>) {
  const who = yield* Effect.flatMap(parse(url), NatsCredentials.describe)
  const connection = yield* NatsLink.open({ url })
  yield* ask(() => connection.rtt())
  const refused = yield* Effect.filter(requests, (subject) =>
    Effect.promise(() =>
      connection.request(subject, "", { timeout: NatsLink.requestMillis }).then(
        () => false,
        (error: Error) => [error, error.cause].some((one) => one instanceof PermissionViolationError)
      )
    )
  )
  const { info } = connection
  const found: NatsLook = {
    version: info?.version ?? "unknown",
    // The client takes TLS whenever it is offered.
    encrypted: info?.tls_required === true || info?.tls_available === true,
    who,
    refused
  }
  return found
}, Effect.scoped)
