/**
 * The queue in front of reading requests. An account with many requests delays itself and not others. Each process has
 * its own queue, for its event loop and its connections to the database.
 */
import { Problem } from "@kanmon/protocol/Problem"
import { Context, type Effect, Layer } from "effect"
import { FairQueue } from "./FairQueue.ts"
import { inTurn } from "./InTurn.ts"

/** Fewer than there are connections to the database, so that writes and the engine always find one. */
const atOnce = 8
const ofAccount = 3
/** Enough for the pages of many dashboards that load at once. */
const waiting = 100
const longestWait = "10 seconds"

const tooMany = new Problem({
  code: "rate_limited",
  detail: `More than ${waiting} reading requests of the account wait for an answer; send fewer at once`,
  retryAfter: 1
})

const tooLong = new Problem({
  code: "unavailable",
  detail: "Other reading requests of the account took too long; send fewer at once, or ask for shorter pages",
  retryAfter: 5
})

type Refusal = typeof tooMany | typeof tooLong

export class ReadQueue extends Context.Service<
  ReadQueue,
  {
    /** Answers when it is the account's turn; `otherwise`, if too much of the account waits or if it waited too long. */
    readonly within: <A, E, R, E2, R2>(
      account: string,
      answer: Effect.Effect<A, E, R>,
      otherwise: (refusal: Refusal) => Effect.Effect<A, E2, R2>
    ) => Effect.Effect<A, E | E2, R | R2>
  }
>()("@kanmon/platform/http/ReadQueue") {
  static readonly layer = Layer.sync(ReadQueue, () => {
    const queue = new FairQueue({ atOnce, ofAccount, waiting })

    return ReadQueue.of({
      within: (account, answer, otherwise) =>
        inTurn(queue, account, { longestWait, tooLong, tooMany }, answer, otherwise)
    })
  })
}
