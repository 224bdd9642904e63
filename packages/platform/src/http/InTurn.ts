/** Work that waits for its turn in a queue. */
import type { Problem } from "@kanmon/protocol/Problem"
import { type Duration, Effect } from "effect"
import type { FairQueue } from "./FairQueue.ts"

interface Refusals<TooMany extends Problem, TooLong extends Problem> {
  /** When more of the account waits than may. */
  readonly tooMany: TooMany
  readonly longestWait: Duration.Input
  /** When the turn does not come in time. */
  readonly tooLong: TooLong
}

/** Runs the work when it is the account's turn, or `otherwise`. */
export const inTurn = <A, E, R, E2, R2, TooMany extends Problem, TooLong extends Problem>(
  queue: FairQueue,
  account: string,
  { longestWait, tooLong, tooMany }: Refusals<TooMany, TooLong>,
  work: Effect.Effect<A, E, R>,
  otherwise: (refusal: TooMany | TooLong) => Effect.Effect<A, E2, R2>
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.suspend(() => {
    let leave = () => {}
    const turn = Effect.callback<void, TooMany | TooLong>((resume) => {
      const begin = () => {
        leave = () => queue.leave(account)
        resume(Effect.void)
      }
      leave = () => queue.withdraw(account, begin)
      if (!queue.enter(account, begin)) resume(Effect.fail(tooMany))
    })
    return turn.pipe(
      Effect.timeoutOrElse({ duration: longestWait, orElse: () => Effect.fail(tooLong) }),
      Effect.matchEffect({ onFailure: otherwise, onSuccess: () => work }),
      // Also when the client has gone, between its turn and the answer.
      Effect.ensuring(Effect.sync(() => leave()))
    )
  })
