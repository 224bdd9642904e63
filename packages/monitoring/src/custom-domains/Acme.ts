/**
 * Orders certificates from an authority by ACME (RFC 8555) with HTTP-01 validation. It makes one attempt; when to order, and
 * whether to retry, is decided by the caller. The account is created with the first order.
 */
import { createPrivateKey, X509Certificate } from "node:crypto"
import { AcmeAccounts } from "./AcmeAccounts.ts"
import type { Certificate } from "./Certificates.ts"
import { Challenges } from "./Challenges.ts"
import type * as acme from "acme-client"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { AcmeFailed, reasonOf } from "./AcmeFailed.ts"
import * as AcmeTransport from "./AcmeTransport.ts"

export interface AcmeSettings {
  /** Address of the authority's directory. A process uses one authority. */
  readonly directory: string
  /** The contact address for the authority. */
  readonly email?: string | undefined
  /** External account binding (RFC 8555, section 7.3.4), for authorities that require it. */
  readonly binding?: { readonly keyId: string; readonly key: Redacted.Redacted } | undefined
  /** PEM of additional roots to trust. */
  readonly ca?: string | undefined
}

export class Acme extends Context.Service<
  Acme,
  {
    /** Address of the authority's directory. */
    readonly directory: string
    readonly order: (domain: string) => Effect.Effect<Certificate, AcmeFailed>
  }
>()("@kanmon/monitoring/custom-domains/Acme") {
  static readonly layer = (settings: AcmeSettings): Layer.Layer<Acme, never, AcmeAccounts | Challenges> =>
    Layer.effect(Acme, make(settings))
}

/** Limit for a whole order. */
const patience = "3 minutes"
/** How long the challenge of an interrupted order is answered. */
const challengeMillis = 10 * 60_000
/** Pauses between the polls of an order or authorization. */
const firstWait = 250
const longestWait = 5_000
const waits = 30

const make = Effect.fnUntraced(function* ({ binding, ca, directory, email }: AcmeSettings) {
  const accounts = yield* AcmeAccounts
  const challenges = yield* Challenges
  // Loaded on demand: the library is large, and most processes never order.
  const library = yield* Effect.cached(
    Effect.map(
      Effect.promise(() => import("acme-client")),
      (loaded) => {
        loaded.axios.defaults.adapter = AcmeTransport.make(ca)
        return loaded
      }
    )
  )

  /** A client with a registered account. */
  const client = Effect.gen(function* () {
    const { Client, crypto } = yield* library
    const newKey = Effect.promise(() => crypto.createPrivateEcdsaKey())
    const account = yield* accounts.open(directory, Effect.map(newKey, secret))
    const accountKey = Redacted.value(account.key)
    if (account.url !== undefined) return new Client({ directoryUrl: directory, accountKey, accountUrl: account.url })
    const bound =
      binding === undefined
        ? {}
        : { externalAccountBinding: { kid: binding.keyId, hmacKey: Redacted.value(binding.key) } }
    const made = new Client({ directoryUrl: directory, accountKey, ...bound })
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] }
    yield* call(() => made.createAccount({ termsOfServiceAgreed: true, ...contact }))
    yield* accounts.registered(directory, made.getAccountUrl())
    return made
  })

  /** Validates the name by an HTTP-01 challenge. */
  const prove = Effect.fnUntraced(function* (client: acme.Client, order: acme.Order, domain: string) {
    const state = Effect.flatMap(
      call(() => client.getAuthorizations(order)),
      ([authorization]) =>
        authorization === undefined
          ? Effect.fail(other("The order names no authorization"))
          : Effect.succeed(authorization)
    )
    const authorization = yield* state
    if (authorization.status === "valid") return
    const challenge = authorization.challenges.find(({ type }) => type === "http-01")
    if (challenge === undefined) return yield* other("The authority offers no HTTP-01 challenge")
    const { token } = challenge
    const keyAuthorization = yield* call(() => client.getChallengeKeyAuthorization(challenge))
    const expiresAt = (yield* Clock.currentTimeMillis) + challengeMillis
    yield* Effect.gen(function* () {
      yield* challenges.put({ token, domain, keyAuthorization, expiresAt })
      yield* call(() => client.completeChallenge(challenge))
      const decided = yield* until(state, ({ status }) => status !== "pending")
      if (decided.status !== "valid") return yield* refusal(decided)
    }).pipe(Effect.ensuring(challenges.remove(token)))
  })

  const place = Effect.fnUntraced(function* (domain: string) {
    const { crypto } = yield* library
    const ready = yield* client
    const order = yield* call(() => ready.createOrder({ identifiers: [{ type: "dns", value: domain }] }))
    yield* prove(ready, order, domain)
    const key = yield* Effect.promise(() => crypto.createPrivateEcdsaKey())
    const [, request] = yield* Effect.promise(() => crypto.createCsr({ altNames: [domain] }, key))
    yield* call(() => ready.finalizeOrder(order, request))
    const finished = yield* until(
      call(() => ready.getOrder(order)),
      ({ status }) => status !== "processing" && status !== "ready"
    )
    if (finished.status !== "valid") return yield* other(`The order became ${finished.status}`)
    return yield* read(domain, yield* call(() => ready.getCertificate(finished)), secret(key))
  })

  const order: Acme["Service"]["order"] = Effect.fn("Acme.order")(function* (domain) {
    yield* Effect.annotateCurrentSpan({ domain })
    return yield* place(domain).pipe(
      // The authority has deleted the account: register the same key again.
      Effect.catchIf(
        ({ reason }) => reason === "accountDoesNotExist",
        () => Effect.andThen(accounts.registered(directory, undefined), place(domain))
      ),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(slow(`within ${patience}`)) })
    )
  })

  return Acme.of({ directory, order })
})

const secret = (pem: Buffer): Redacted.Redacted => Redacted.make(pem.toString("utf8"), { label: "private key" })

const other = (detail: string): AcmeFailed => new AcmeFailed({ reason: "other", detail })

const slow = (when: string): AcmeFailed =>
  new AcmeFailed({ reason: "unreachable", detail: `The authority did not finish ${when}` })

const call = <A>(ask: () => Promise<A>): Effect.Effect<A, AcmeFailed> =>
  Effect.tryPromise({
    try: ask,
    catch: (cause) => (cause instanceof AcmeFailed ? cause : other(cause instanceof Error ? cause.message : ""))
  })

/** Polls at growing intervals until the state is final. */
const until = <A>(look: Effect.Effect<A, AcmeFailed>, decided: (state: A) => boolean): Effect.Effect<A, AcmeFailed> =>
  Effect.gen(function* () {
    for (let wait = 0; wait < waits; wait++) {
      const state = yield* look
      if (decided(state)) return state
      yield* Effect.sleep(Math.min(longestWait, firstWait * 2 ** wait))
    }
    return yield* slow("in the time that it usually takes")
  })

/** The error of a failed authorization, which the authority reports at the challenge. */
const refusal = ({ challenges, status }: acme.Authorization): AcmeFailed => {
  const problem = challenges
    .map(({ error }) => error as { readonly type?: unknown; readonly detail?: unknown })
    .find(Boolean)
  return problem === undefined
    ? other(`The authorization became ${status}`)
    : new AcmeFailed({ reason: reasonOf(problem.type), detail: AcmeTransport.said(String(problem.detail ?? "")) })
}

/** The certificate, if it is for the domain and the key that were ordered. */
const read = (domain: string, chain: string, key: Redacted.Redacted): Effect.Effect<Certificate, AcmeFailed> =>
  Effect.try({
    try: () => {
      const leaf = new X509Certificate(chain)
      if (leaf.checkHost(domain) === undefined) throw new Error("it names another domain")
      if (!leaf.checkPrivateKey(createPrivateKey(Redacted.value(key)))) throw new Error("it is for another key")
      return { chain, key, notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() }
    },
    catch: (cause) =>
      other(`The certificate cannot be used: ${cause instanceof Error ? cause.message : "not readable"}`)
  })
