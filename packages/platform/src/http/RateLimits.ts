/**
 * Rate limits by key or session, and by account over all of its keys and sessions, so that more keys bring no more requests.
 * Every limited answer carries the state. Counted in this process: several processes each allow as much.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
import { credentialOf, type Principal } from "@kanmon/domain/Principal"
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "./ApiSettings.ts"
import { CallerOwners } from "./CallerOwners.ts"
import { type Use, Windows } from "./Windows.ts"

type Policy = "reads" | "writes" | "signIns" | "signInsOfAddress" | "readsOfAccount" | "writesOfAccount"

export type LimitHeaders = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>

/** A refusal, with the headers in the problem's stead. */
export interface Refused {
  readonly problem: Problem<"rate_limited">
  readonly headers: LimitHeaders
}

const windowSeconds = 60
/** Windows of a policy that are kept, some 200 bytes each. */
const capacity = 100_000
/** One address may try this many times as often as one e-mail address from there: offices share theirs. */
const addressFactor = 10
/** An answer counts as one more request for each so many bytes: a list costs what it weighs. */
const bytesOfRequest = 131_072
/** All keys and sessions of an account together may ask this many times as often as one of them. */
const accountFactor = 5

export class RateLimits extends Context.Service<RateLimits>()("@kanmon/platform/http/RateLimits", {
  make: Effect.gen(function* () {
    const { limits } = yield* ApiSettings
    const accounts = yield* CallerOwners
    const limitOf: Record<Policy, number> = {
      reads: limits.reads,
      writes: limits.writes,
      signIns: limits.signIns,
      signInsOfAddress: limits.signIns * addressFactor,
      readsOfAccount: limits.reads * accountFactor,
      writesOfAccount: limits.writes * accountFactor
    }
    const windowsOf = Object.fromEntries(
      Object.keys(limitOf).map((policy) => [policy, new Windows({ seconds: windowSeconds, capacity })])
    ) as Record<Policy, Windows>

    const take = Effect.fnUntraced(function* (policy: Policy, key: string) {
      const limit = limitOf[policy]
      /** Uses one request of the key. Fails when none is left. */
      const use = windowsOf[policy].use(key, limit, yield* Clock.currentTimeMillis)
      if (use.admitted) return use
      return yield* Effect.fail<Refused>({
        problem: new Problem({
          code: "rate_limited",
          detail: `More than ${limit} ${words[policy]} a minute; wait ${Math.ceil(use.reset)} s`,
          retryAfter: use.reset
        }),
        headers: headers(policy, limit, use)
      })
    })

    const use: (policy: Policy, key: string) => Effect.Effect<LimitHeaders, Refused> = (policy, key) =>
      Effect.map(take(policy, key), (used) => headers(policy, limitOf[policy], used))

    /** The headers of the tighter limit. */
    const tighter = (kind: "reads" | "writes", own: Use, all: Use): LimitHeaders =>
      own.remaining <= all.remaining
        ? headers(kind, limitOf[kind], own)
        : headers(`${kind}OfAccount`, limitOf[`${kind}OfAccount`], all)

    /** Uses one request of a caller and of its account. The headers describe the tighter limit. */
    const admit = Effect.fnUntraced(function* (kind: "reads" | "writes", caller: Principal) {
      const own = yield* take(kind, credentialOf(caller))
      return tighter(kind, own, yield* take(`${kind}OfAccount`, yield* accounts.of(caller)))
    })

    /**
     * Uses more requests of a caller and of its account, for an answer of so many bytes; undefined when a request covers it. Never
     * fails: it was answered.
     */
    const charge = Effect.fnUntraced(function* (kind: "reads" | "writes", caller: Principal, bytes: number) {
      const cost = Math.floor(bytes / bytesOfRequest)
      if (cost === 0) return undefined
      const now = yield* Clock.currentTimeMillis
      const spend = (policy: Policy, key: string) => windowsOf[policy].charge(key, cost, limitOf[policy], now)
      const own = spend(kind, credentialOf(caller))
      return tighter(kind, own, spend(`${kind}OfAccount`, yield* accounts.of(caller)))
    })

    return { use, admit, charge }
  })
}) {
  static readonly layer = Layer.effect(RateLimits, RateLimits.make)
}

const words: Record<Policy, string> = {
  reads: "reading requests",
  writes: "writing requests",
  signIns: "attempts to sign in",
  signInsOfAddress: "attempts to sign in from one address",
  readsOfAccount: "reading requests with all keys and sessions of the account",
  writesOfAccount: "writing requests with all keys and sessions of the account"
}

const headers = (policy: Policy, limit: number, { remaining, reset }: Use): LimitHeaders => ({
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(reset)}`,
  "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`
})
