/**
 * Quiet hours of channels and people: what is not urgent enough waits for their end, and is one message then, without what was over
 * meanwhile.
 */
import { heldUntil, longestHold, type QuietHours } from "@kanmon/domain/QuietHours"
import { isBelow, severities } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { localClock, localDay } from "@kanmon/domain/TimeZone"
import { Transaction } from "@kanmon/platform/Transaction"
import { Effect } from "effect"
import { DeliveryRepository, type FirstDue } from "./DeliveryRepository.ts"
import * as MissedMessages from "./MissedMessages.ts"
import { MessageSenders, tell } from "./MessageSenders.ts"

/** How often held messages are looked at: their quiet hours may have been changed meanwhile. */
const lookAgainMillis = 5 * 60_000

const detailOf = (until: EpochMillis, { timezone }: QuietHours): string =>
  `Held by quiet hours until ${localDay(until, timezone)} ${localClock(until, timezone)}`

const missed = "Not sent: it began and ended within quiet hours"

export const make = Effect.gen(function* () {
  const repository = yield* DeliveryRepository
  const senders = yield* MessageSenders
  const transaction = yield* Transaction
  const endMissed = yield* MissedMessages.make

  /** The kinds of messages to channels that are sent in quiet hours, too. */
  const exceptKinds = [...senders].flatMap(([kind, sender]) => (sender.ignoresQuietHours ? [kind] : []))

  const holdAll = Effect.fnUntraced(function* (
    due: FirstDue,
    quietHours: QuietHours,
    until: EpochMillis,
    now: EpochMillis
  ) {
    const detail = detailOf(until, quietHours)
    const like = {
      severities: severities.filter((severity) => isBelow(severity, quietHours.holdBelow)),
      exceptKinds: "channelId" in due.to ? exceptKinds : []
    }
    const lookAt = Math.min(until, now + lookAgainMillis)
    const held = yield* repository.holdQuietly(due, like, { until, lookAt, error: detail }, now)
    yield* tell(
      senders,
      held.filter(({ isNew }) => isNew),
      (sender, own) => sender.held(own, until, detail)
    )
  }, transaction.run)

  /** Holds a due message, and those like it, if it falls into quiet hours; returns whether it does. */
  const hold = Effect.fnUntraced(function* (due: FirstDue, quietHours: QuietHours | null, now: EpochMillis) {
    if (quietHours === null || now - due.createdAt >= longestHold) return false
    if ("channelId" in due.to && exceptKinds.includes(due.about.kind)) return false
    const until = heldUntil(quietHours, due.notice.severity, now)
    if (until === null) return false
    yield* holdAll(due, quietHours, until, now)
    return true
  })

  const endOver = Effect.fnUntraced(function* (due: FirstDue, now: EpochMillis) {
    const over = yield* endMissed(due.to, missed, now, true)
    return over.some(({ entryId }) => entryId === due.entryId)
  }, transaction.run)

  /** Ends what began and was over within quiet hours that have ended; returns whether this message is among it. */
  const overMeanwhile = (due: FirstDue, now: EpochMillis) =>
    due.heldUntil === null ? Effect.succeed(false) : endOver(due, now)

  return { hold, overMeanwhile }
})
