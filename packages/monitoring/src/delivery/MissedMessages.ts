/** What began and ended while it waited: none of it is sent, and its senders learn so. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { type Target, targetId } from "./Message.ts"
import { MessageSenders, tell } from "./MessageSenders.ts"

/**
 * Ends the entries of a target that both opened and closed while they waited, and returns them. `quiet`: only what quiet hours held.
 * Joins the caller's transaction.
 */
export const make = Effect.gen(function* () {
  const repository = yield* DeliveryRepository
  const senders = yield* MessageSenders

  return Effect.fnUntraced(function* (to: Target, detail: string, at: EpochMillis, quiet = false) {
    const missed = yield* repository.failMissed(targetId(to), detail, at, quiet)
    const ended = missed.map((ref) => ({ ...ref, to, status: "failed", detail, isLast: true }) as const)
    yield* tell(senders, ended, (sender, own) => sender.ended(own, at))
    return missed
  })
})
