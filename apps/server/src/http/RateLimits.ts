/**
 * How often a caller may ask. Told in every limited answer.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { ApiSettings } from "./ApiSettings.ts"

export type Policy = "reads" | "writes" | "signIns"

export type LimitHeaders = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>

const windowSeconds = 60

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Uses up one request of the caller's. Fails when there is none left, with the headers in the problem's stead. */
    readonly use: (
      policy: Policy,
      caller: string
    ) => Effect.Effect<LimitHeaders, { readonly problem: Problem; readonly headers: LimitHeaders }>
  }
>()("@kanmon/server/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const { limits } = yield* ApiSettings

      const use: RateLimits["Service"]["use"] = Effect.fnUntraced(function* (policy, caller) {
        const limit = limits[policy]
        const result = yield* Effect.result(
          limiter.consume({ key: `${policy}:${caller}`, limit, window: `${windowSeconds} seconds`, onExceeded: "fail" })
        )
        if (result._tag === "Success") {
          return headers(policy, limit, result.success.remaining, Duration.toSeconds(result.success.resetAfter))
        }
        const { reason } = result.failure
        const wait = reason._tag === "RateLimitExceeded" ? Duration.toSeconds(reason.retryAfter) : 1
        return yield* Effect.fail({
          problem: new Problem({
            code: "rate_limited",
            detail: `More than ${limit} ${words[policy]} a minute; wait ${Math.ceil(wait)} s`,
            retryAfter: wait
          }),
          headers: headers(policy, limit, 0, wait)
        })
      })

      return RateLimits.of({ use })
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
}

const words: Record<Policy, string> = {
  reads: "reading requests",
  writes: "writing requests",
  signIns: "attempts to sign in"
}

const headers = (policy: Policy, limit: number, remaining: number, reset: number): LimitHeaders => ({
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(reset)}`,
  "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`
})
