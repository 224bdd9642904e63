/**
 * How often a caller may ask. Told in every limited answer. Counted in this process: several processes each allow as much.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "./ApiSettings.ts"

export type Policy = "reads" | "writes" | "signIns" | "signInsOfAddress"

export type LimitHeaders = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>

const windowSeconds = 60
/** One address may try this many times as often as one e-mail address from there: offices share theirs. */
const addressFactor = 10

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
      const { limits } = yield* ApiSettings
      const limitOf: Record<Policy, number> = { ...limits, signInsOfAddress: limits.signIns * addressFactor }
      const windows = new Map<string, Window>()
      let nextSweep = 0

      const windowAt = (key: string, now: number): Window => {
        // Callers that stay away are forgotten: strangers choose these keys.
        if (now >= nextSweep) {
          for (const [old, { endsAt }] of windows) if (endsAt <= now) windows.delete(old)
          nextSweep = now + windowSeconds * 1000
        }
        const known = windows.get(key)
        if (known !== undefined && known.endsAt > now) return known
        const fresh = { used: 0, endsAt: now + windowSeconds * 1000 }
        windows.set(key, fresh)
        return fresh
      }

      const use: RateLimits["Service"]["use"] = Effect.fnUntraced(function* (policy, caller) {
        const now = yield* Clock.currentTimeMillis
        const window = windowAt(`${policy}:${caller}`, now)
        const limit = limitOf[policy]
        const wait = (window.endsAt - now) / 1000
        if (window.used < limit) {
          window.used++
          return headers(policy, limit, limit - window.used, wait)
        }
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
  )
}

interface Window {
  used: number
  readonly endsAt: number
}

const words: Record<Policy, string> = {
  reads: "reading requests",
  writes: "writing requests",
  signIns: "attempts to sign in",
  signInsOfAddress: "attempts to sign in from one address"
}

const headers = (policy: Policy, limit: number, remaining: number, reset: number): LimitHeaders => ({
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(reset)}`,
  "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`
})
