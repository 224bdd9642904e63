/**
 * Rate limits of heartbeat signals: by token, and by network for unknown tokens. Counted in this process, in bounded memory:
 * the heartbeat address needs no credentials.
 */
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Windows } from "@kanmon/platform/http/Windows"

const seconds = 60
/** Tokens and networks that are kept, some 200 bytes each. */
const capacity = 100_000
/** How long a known token is admitted from a network over the limit for unknown tokens: jobs share addresses. */
const trustedSeconds = 24 * 3600

/** Between looks of a signal that waits for others of its network. */
const pauseMillis = 20

export class SignalLimits extends Context.Service<SignalLimits>()("@kanmon/monitoring/heartbeats/SignalLimits", {
  make: Effect.gen(function* () {
    const { signals: limit } = (yield* ApiSettings).limits
    const tokens = new Windows({ seconds, capacity })
    const strangers = new Windows({ seconds, capacity })
    const trusted = new Windows({ seconds: trustedSeconds, capacity })
    // A used window means that the token is known.
    const isTrusted = (token: string, now: number) => !trusted.peek(token, 1, now).admitted

    /** Signals by network with a pending token lookup. */
    const open = new Map<string, number>()
    const end = (network: string): void => {
      const left = open.get(network)! - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    }

    /** Whether the signal is counted among the open ones. */
    const begin = (token: string, network: string): Effect.Effect<boolean, Problem> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (isTrusted(token, now)) return Effect.succeed(false)
        const guesses = strangers.peek(network, limit, now)
        if (!guesses.admitted) return refuse(tooManyGuesses(limit), guesses.reset)
        const running = open.get(network) ?? 0
        if (running >= guesses.remaining)
          return Effect.andThen(
            Effect.sleep(pauseMillis),
            Effect.suspend(() => begin(token, network))
          )
        open.set(network, running + 1)
        return Effect.succeed(true)
      })

    return {
      /** Admits a signal, or refuses it. Called before the body is read. */
      admit: (token: string, network: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const guesses = strangers.peek(network, limit, now)
          if (!guesses.admitted && !isTrusted(token, now)) return refuse(tooManyGuesses(limit), guesses.reset)
          const use = tokens.use(token, limit, now)
          return use.admitted ? Effect.void : refuse(`More than ${limit} signals a minute for one monitor`, use.reset)
        }),
      /**
       * Runs what finds out whether the token of an admitted signal is known. At most as many run at a time for one network as
       * it has guesses left, so that requests at the same time do not pass together; others wait, because they may be known.
       */
      settle: <E, R>(token: string, network: string, take: Effect.Effect<boolean, E, R>) =>
        Effect.acquireUseRelease(
          begin(token, network),
          () =>
            Effect.tap(take, (known) =>
              Effect.map(Clock.currentTimeMillis, (now) => {
                if (known) trusted.use(token, 1, now)
                else strangers.use(network, limit, now)
              })
            ),
          (isCounted) => Effect.sync(() => void (isCounted && end(network)))
        )
    }
  })
}) {
  static readonly layer = Layer.effect(SignalLimits, SignalLimits.make)
}

const tooManyGuesses = (limit: number): string => `More than ${limit} signals a minute with unknown tokens`

const refuse = (what: string, wait: number): Effect.Effect<never, Problem> =>
  Effect.fail(new Problem({ code: "rate_limited", detail: `${what}; wait ${Math.ceil(wait)} s`, retryAfter: wait }))
