/**
 * Rate limits of heartbeat signals: by token, and by network for unknown tokens. Counted in this process, in bounded memory:
 * the heartbeat address needs no credentials.
 */
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "../platform/http/ApiSettings.ts"
import { Windows } from "../platform/http/Windows.ts"

const seconds = 60
/** Tokens and networks that are kept, some 200 bytes each. */
const capacity = 100_000
/** How long a known token is admitted from a network over the limit for unknown tokens: jobs share addresses. */
const trustedSeconds = 24 * 3600

export class SignalLimits extends Context.Service<
  SignalLimits,
  {
    /** Admits a signal, or refuses it. Called before the body is read. */
    readonly admit: (token: string, network: string) => Effect.Effect<void, Problem>
    /** Records whether the token of an admitted signal is known. */
    readonly note: (token: string, network: string, known: boolean) => Effect.Effect<void>
  }
>()("@kanmon/control-plane/heartbeats/SignalLimits") {
  static readonly layer = Layer.effect(
    SignalLimits,
    Effect.gen(function* () {
      const { signals: limit } = (yield* ApiSettings).limits
      const tokens = new Windows({ seconds, capacity })
      const strangers = new Windows({ seconds, capacity })
      const trusted = new Windows({ seconds: trustedSeconds, capacity })
      // A used window means that the token is known.
      const isTrusted = (token: string, now: number) => !trusted.peek(token, 1, now).admitted

      return SignalLimits.of({
        admit: (token, network) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const guesses = strangers.peek(network, limit, now)
            if (!guesses.admitted && !isTrusted(token, now))
              return refuse(`More than ${limit} signals a minute with unknown tokens`, guesses.reset)
            const use = tokens.use(token, limit, now)
            return use.admitted ? Effect.void : refuse(`More than ${limit} signals a minute for one monitor`, use.reset)
          }),
        note: (token, network, known) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (known) trusted.use(token, 1, now)
            else strangers.use(network, limit, now)
          })
      })
    })
  )
}

const refuse = (what: string, wait: number): Effect.Effect<never, Problem> =>
  Effect.fail(new Problem({ code: "rate_limited", detail: `${what}; wait ${Math.ceil(wait)} s`, retryAfter: wait }))
