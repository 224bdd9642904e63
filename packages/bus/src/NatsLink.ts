/** One connection to NATS, as `NATS_URL` says. It is mended by the client, for ever, and ends with the scope. */
import { connect } from "@nats-io/transport-node"
import { Effect, Redacted } from "effect"
import { parse } from "./NatsAddress.ts"
import { ask, withSilence } from "./NatsCall.ts"
import * as NatsCredentials from "./NatsCredentials.ts"

/** How long the server may take for an answer. */
export const requestMillis = 5000

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
  return yield* Effect.acquireRelease(
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
        ignoreAuthErrorAbort: true
      })
    ).pipe(Effect.mapError((error) => (files.tls_cert === undefined ? withSilence(error) : error))),
    (connection) => Effect.promise(() => connection.close().catch(() => undefined))
  )
})
