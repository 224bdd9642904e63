/** The client certificate of a monitor as the TLS library takes it: its key is opened once, in the evaluator. */
import { BoundedEvaluator, type EvaluationFailed } from "@kanmon/core/BoundedEvaluator"
import { type Attempt, CheckFailed } from "@kanmon/core/Check"
import type { TlsIdentity } from "@kanmon/core/Dialer"
import { part, type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import * as ClientKey from "./ClientKey.ts"
import type { HttpConfig } from "./HttpConfig.ts"

/** One object for each configuration: the dialer keeps what it made of it. */
const opened = new WeakMap<HttpConfig, TlsIdentity>()

export const of = (
  config: HttpConfig,
  attempt: Attempt
): Effect.Effect<TlsIdentity | undefined, CheckFailed, BoundedEvaluator> => {
  const { clientCertificate: cert, clientKey: key, clientKeyPassphrase: passphrase } = config
  if (cert === undefined || key === undefined) return Effect.succeed(undefined)
  const known = opened.get(config)
  return known === undefined
    ? open(config, { cert, key, ...(passphrase === undefined ? {} : { passphrase }) }, attempt)
    : Effect.succeed(known)
}

const open = Effect.fnUntraced(function* (config: HttpConfig, identity: ClientKey.ClientIdentity, attempt: Attempt) {
  // A busy evaluator is not the target's delay.
  attempt.stage("evaluate")
  const evaluator = yield* BoundedEvaluator
  const found = yield* evaluator
    .evaluate({ module: ClientKey.url, function: ClientKey.open, settings: identity, input: null })
    .pipe(Effect.mapError(notOpened))
  if (found._tag === "Problem")
    return yield* unusable("down", why("client_certificate_unusable", {}, part("said", { text: found.message })))
  const { cert, key } = found
  const own: TlsIdentity = { cert, key }
  opened.set(config, own)
  return own
})

const unusable = (status: "down" | "unknown", words: Reason): CheckFailed =>
  new CheckFailed({
    status,
    code: status === "down" ? "client_certificate_unusable" : "evaluation_unavailable",
    ...words
  })

const notOpened = ({ reason }: EvaluationFailed): CheckFailed =>
  reason === "too_expensive"
    ? unusable("down", why("client_key_too_slow", {}))
    : unusable("unknown", why("client_key_no_capacity", {}))
