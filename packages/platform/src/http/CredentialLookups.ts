/**
 * Looking up a credential costs a query before any other limit applies to the caller. Credentials that were valid before pass. A
 * network may present a number of wrong ones a minute. Above it, its other credentials are looked up one at a time, in turns with
 * other such networks: slower, but not refused for the requests of others behind the same address.
 */
import { createHash } from "node:crypto"
import { Problem } from "@kanmon/protocol/Problem"
import { Cause, Clock, Context, Effect, Exit, Layer } from "effect"
import { ApiSettings } from "./ApiSettings.ts"
import { FairQueue } from "./FairQueue.ts"
import { inTurn } from "./InTurn.ts"
import { Windows } from "./Windows.ts"

const seconds = 60
/** Networks and credentials that are kept, some 200 bytes each. */
const capacity = 100_000
/** A network may present this many wrong credentials as often as one of its accounts may try to sign in. */
const networkFactor = 10
/** For all networks above their limits together: fewer than there are connections to the database. */
const atOnce = 2
const waiting = 200

const tooMany = new Problem({
  code: "rate_limited",
  detail: `Too many credentials from your network are unknown, and ${waiting} others wait to be looked up; try again in a second`,
  retryAfter: 1
})

const refusals = { tooMany, tooLong: tooMany, longestWait: "10 seconds" } as const

export class CredentialLookups extends Context.Service<CredentialLookups>()("@kanmon/platform/http/CredentialLookups", {
  make: Effect.gen(function* () {
    const limit = (yield* ApiSettings).limits.signIns * networkFactor
    const wrong = new Windows({ seconds, capacity })
    const queue = new FairQueue({ atOnce, ofAccount: 1, waiting })
    /** Digests of credentials that were valid when they were last looked up, the least recently used first. */
    const valid = new Set<string>()
    const remember = (id: string): void => {
      valid.delete(id)
      valid.add(id)
      if (valid.size > capacity) valid.delete(valid.values().next().value!)
    }

    /** Runs `find`, which fails when the credential is not valid. Fails itself when too many credentials of the network wait. */
    const look = <A, E, R>(network: string, credential: string, find: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const id = createHash("sha256").update(credential).digest("base64url")
        const learn = (exit: Exit.Exit<unknown, unknown>): void => {
          if (Exit.isSuccess(exit)) remember(id)
          else if (Cause.hasFails(exit.cause)) valid.delete(id)
        }
        const learned = Effect.onExit(find, (exit) => Effect.sync(() => learn(exit)))
        if (valid.has(id))
          return Effect.tapError(learned, () =>
            Effect.map(Clock.currentTimeMillis, (at) => void wrong.use(network, limit, at))
          )
        // Counted before the result is known, so that concurrent lookups do not all pass.
        if (!wrong.use(network, limit, now).admitted) return inTurn(queue, network, refusals, learned, Effect.fail)
        return Effect.onExit(learned, (exit) =>
          // An interrupted lookup stays counted, so that closing the connection early saves no count.
          Exit.isFailure(exit) && (Cause.hasFails(exit.cause) || Cause.hasInterrupts(exit.cause))
            ? Effect.void
            : Effect.map(Clock.currentTimeMillis, (at) => wrong.release(network, at))
        )
      })

    return { look }
  })
}) {
  static readonly layer = Layer.effect(CredentialLookups, CredentialLookups.make)
}
