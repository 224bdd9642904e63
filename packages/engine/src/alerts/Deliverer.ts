/**
 * Sends what is queued. Channels are worked on side by side, each by one fiber that takes its notices in order, one attempt
 * each; what fails is queued again by the rules of `Retry`.
 */
import { rejected } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Notice } from "@kanmon/core/Notice"
import type { Catalogue } from "@kanmon/core/PluginHost"
import type { Confirmations } from "@kanmon/store/alerts/Confirmations"
import {
  type Attempt,
  attempt,
  Deliveries,
  type DueDelivery,
  type LeasedChannel,
  type Outcome
} from "@kanmon/store/alerts/Deliveries"
import type { Allowances } from "@kanmon/store/database/Allowances"
import * as Outage from "@kanmon/store/database/Outage"
import { Clock, Effect, Layer, Metric, Random, Result, Schema, Semaphore } from "effect"
import { alertEvent } from "./Alerts.ts"
import * as Metrics from "../EngineMetrics.ts"
import { every } from "../Job.ts"
import * as Permission from "./Permission.ts"
import { afterFailure, isTooOld } from "./Retry.ts"
import * as Trouble from "../Trouble.ts"

export interface DelivererOptions {
  /** Names this engine over restarts, so that it may take up again what it had leased. */
  readonly engine: string
}

/** Channels worked on at once. */
const concurrency = 128
/** Longer than an attempt may take. */
const leaseMillis = 60_000
/** After so long a channel is given back, so that no lease ends while it is worked on. */
const turnMillis = 20_000
/** How often peers' notices and retries are looked for; this process's own are announced. */
const pollInterval = "1 second"

const expired = "Not sent within 24 hours"
const missedWhileHeld = "Not sent: it began and ended while messages to this recipient were held"

const decodeNotice = Schema.decodeUnknownEffect(Notice)

const run = Effect.fnUntraced(function* ({ engine }: DelivererOptions) {
  const deliveries = yield* Deliveries
  const runner = yield* ChannelRunner
  const permissionOf = yield* Permission.make
  const room = yield* Semaphore.make(concurrency)
  let busy = 0
  const { untilWell } = Trouble.make("Taking notices from their queue")
  /** The database may be away; the queue waits there. */
  const retried = <A, E, R>(effect: Effect.Effect<A, E, R>) => untilWell(effect, "1 second")
  yield* retried(deliveries.reclaim(engine))

  const count = (channel: LeasedChannel, outcome: Attempt["outcome"], number = 1) =>
    Metric.update(Metric.withAttributes(Metrics.deliveries, { type: channel.type, outcome }), number)

  /** The public events of a delivery and of those that it stands for. */
  const eventsOf = (
    channel: LeasedChannel,
    delivery: DueDelivery,
    name: "delivered" | "failed",
    at: number,
    detail: string
  ) =>
    [delivery, ...delivery.shared].map(({ entryId, ruleId }) =>
      alertEvent(delivery, { ...delivery, ruleId }, { id: entryId, channelId: channel.id }, name, at, detail)
    )

  const share = Effect.fnUntraced(function* (channel: LeasedChannel, delivery: DueDelivery) {
    const now = yield* Clock.currentTimeMillis
    const [event] = eventsOf(
      channel,
      delivery,
      "delivered",
      now,
      "The channel was notified of this outage by another rule"
    )
    yield* deliveries.share(delivery, event!)
  })

  /** Leaves the rest of the channel's notices for later. */
  const hold = Effect.fnUntraced(function* (
    channel: LeasedChannel,
    delivery: DueDelivery,
    until: number,
    detail: string
  ) {
    const now = yield* Clock.currentTimeMillis
    const missed = yield* deliveries.hold(channel.id, delivery, {
      until,
      detail,
      missed: missedWhileHeld,
      event: (entry) =>
        alertEvent(entry, entry, { id: entry.entryId, channelId: channel.id }, "failed", now, missedWhileHeld)
    })
    yield* count(channel, "failed", missed.length)
  })

  const deliver = Effect.fnUntraced(function* (channel: LeasedChannel, delivery: DueDelivery, failures: number) {
    const { alertId, overtakesOpening, rules } = delivery
    const stored = yield* Effect.orDie(decodeNotice(delivery.notice))
    const notice = { ...stored, alertId, overtakesOpening, ...(rules.length > 1 ? { rules } : {}) }
    const began = yield* Clock.currentTimeMillis
    const permission: Permission.Permission =
      channel.disabledReason === null
        ? yield* permissionOf(channel)
        : { _tag: "Refuse", detail: `The channel is off: ${channel.disabledReason}` }
    if (permission._tag === "Hold" && !isTooOld(delivery.createdAt, permission.until)) {
      yield* hold(channel, delivery, permission.until, permission.detail)
      return undefined
    }
    const sent =
      permission._tag === "Send"
        ? runner.deliver(channel, {
            ...notice,
            // First, because what is long is cut at its end.
            reason: permission.note === undefined ? notice.reason : `${permission.note} ${notice.reason}`
          })
        : Effect.fail(rejected(permission._tag === "Hold" ? `${expired}. ${permission.detail}` : permission.detail))
    const result = yield* Effect.result(sent)
    const ended = yield* Clock.currentTimeMillis
    const outcome: Outcome = Result.isSuccess(result)
      ? { _tag: "Delivered" }
      : afterFailure({
          reason: result.failure.reason,
          attempts: delivery.attempts,
          failures,
          createdAt: delivery.createdAt,
          now: ended,
          random: yield* Random.next
        })
    const detail = Result.isSuccess(result) ? result.success.detail : result.failure.message
    const word = outcome._tag === "Delivered" ? "delivered" : outcome._tag === "Retry" ? "retrying" : "failed"
    const events = word === "retrying" ? [] : eventsOf(channel, delivery, word, ended, detail)
    yield* deliveries.conclude(channel.id, delivery, attempt(began, ended, word, detail), outcome, events)
    yield* count(channel, word)
    return outcome
  })

  /** Takes the channel's notices until none is due, it rests, or the turn is over. */
  const work = Effect.fnUntraced(function* (channel: LeasedChannel) {
    const end = (yield* Clock.currentTimeMillis) + turnMillis
    let { disabledReason, failures } = channel
    while ((yield* Clock.currentTimeMillis) < end) {
      const due = yield* deliveries.next(channel.id)
      if (due === undefined) return
      if (due.notifiedBy !== null) {
        yield* share(channel, due)
        continue
      }
      const outcome = yield* deliver({ ...channel, disabledReason }, due, failures)
      if (outcome === undefined) return
      failures = outcome._tag === "Retry" ? failures + 1 : 0
      if (outcome._tag === "Failed" && outcome.disable) disabledReason = "its destination is gone"
      if (outcome._tag === "Retry" && outcome.restUntil !== null) return
    }
  })

  const turn = (channel: LeasedChannel) =>
    work(channel).pipe(
      Effect.catchCause((cause) =>
        // A database that is away is told of once, and not by each channel. Not at once: what failed now would fail again.
        Effect.andThen(
          Outage.reason(cause) === undefined
            ? Effect.logError("A channel's notices could not be worked on; it comes again", cause)
            : Effect.void,
          Effect.sleep("5 seconds")
        )
      ),
      Effect.ensuring(Effect.ignoreCause(deliveries.release(channel.id, engine))),
      Effect.ensuring(
        Effect.suspend(() => {
          busy--
          return room.release(1)
        })
      )
    )

  const round = Effect.gen(function* () {
    // No channel is leased that would have to wait for its turn.
    yield* room.take(1)
    yield* room.release(1)
    const leased = yield* deliveries.lease(engine, leaseMillis, concurrency - busy)
    for (const channel of leased) {
      busy++
      yield* room.take(1)
      yield* Effect.forkScoped(turn(channel))
    }
    return leased.length
  })

  const measure = Effect.flatMap(deliveries.pending, (count) => Metric.update(Metrics.deliveriesPending, count))
  yield* every("10 seconds", "Counting notices", measure)

  return yield* Effect.forever(
    retried(round).pipe(
      Effect.flatMap((count) =>
        count > 0 ? Effect.void : Effect.raceFirst(deliveries.queued, Effect.sleep(pollInterval))
      )
    )
  )
}, Effect.scoped)

export const layer = (
  options: DelivererOptions
): Layer.Layer<never, never, Allowances | Catalogue | ChannelRunner | Confirmations | Deliveries> =>
  Layer.effectDiscard(Effect.forkScoped(run(options)))
