/** Concurrency limits per holder, in this process: open streams, running trials. */
import * as KeyedPermits from "@kanmon/core/KeyedPermits"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"

/** A limit on places, and the words of the refusal when all are taken. */
export interface Holder extends KeyedPermits.Claim {
  readonly refusal: (taken: number) => string
}

export interface Places {
  /** Takes one place of each holder, or refuses and takes none. */
  readonly enter: (holders: ReadonlyArray<Holder>) => Effect.Effect<void, Problem<"rate_limited">>
  /** Returns what was taken. */
  readonly leave: (holders: ReadonlyArray<Holder>) => Effect.Effect<void>
}

/** `retryAfter`: seconds after which it is worth trying again. */
export const make = (retryAfter: number): Places => {
  const permits = KeyedPermits.make()
  return {
    enter: (holders) =>
      Effect.flatMap(permits.takeIfAvailable(holders), (full) => {
        if (full === undefined) return Effect.void
        const detail = full.refusal(permits.users(full.key))
        return Effect.fail(new Problem({ code: "rate_limited", detail, retryAfter }))
      }),
    leave: permits.release
  }
}
