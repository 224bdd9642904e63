/**
 * Sends what is queued. Channels and contact methods are served concurrently, each by one fiber that sends its deliveries in order,
 * one attempt each; failed ones are due again by the rules of `Retry`.
 */
import type { Channel } from "@kanmon/core/Channel"
import type { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as Recurring from "@kanmon/core/Recurring"
import type { PageWay } from "@kanmon/domain/AlertGrouping"
import { Clock, Effect, Layer, Metric, Schedule, Semaphore } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Confirmations } from "../channels/index.ts"
import { type ContactMethods, named } from "../contact-methods/index.ts"
import type { LeasedTarget } from "./TargetLeases.ts"
import type { Allowances } from "@kanmon/platform/database/Allowances"
import * as DependencyUnavailable from "@kanmon/platform/DependencyUnavailable"
import { DueWork } from "@kanmon/platform/DueWork"
import type { Transaction } from "@kanmon/platform/Transaction"
import * as Metrics from "./DeliveryMetrics.ts"
import type { ReaderZoneRepository } from "./ReaderZoneRepository.ts"
import { Deliveries } from "./Deliveries.ts"
import * as DeliveryAttempt from "./DeliveryAttempt.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { MessageSenders } from "./MessageSenders.ts"
import { isDue } from "./QueueRepository.ts"

export interface DeliveryWorkerOptions {
  /** Identifies this engine across restarts, so that it can return the channels that it had leased. */
  readonly engine: string
  /** Where links in notices lead, without a slash at the end. */
  readonly baseUrl: string
  /** The largest number of openings within a minute that a channel gets one by one. */
  readonly groupAlerts: number
}

/** Channels that are served at once. */
const concurrency = 128
/** Longer than an attempt may take. */
const leaseMillis = 60_000
/** After this time a channel is released, so that no lease ends while the channel is served. */
const turnMillis = 20_000
/** After a crash, because the next attempt would probably crash as well. */
const pauseAfterDefect = "5 seconds"

const run = Effect.fnUntraced(function* ({ baseUrl, engine, groupAlerts }: DeliveryWorkerOptions) {
  const deliveries = yield* Deliveries
  const queue = yield* DeliveryQueue
  const due = yield* Effect.flatMap(DueWork, ({ signal }) => signal(isDue))
  const sendable = named((yield* Catalogue).channels)
  const serve = yield* channelServer(baseUrl, groupAlerts)
  const free = yield* Semaphore.make(concurrency)
  const { retryUntilSuccess } = Recurring.failureLog("Delivery of notifications")
  let busy = 0

  const makeRoom = Effect.suspend(() => {
    busy--
    return free.release(1)
  })

  /** Returns a channel; while the database is away, again and again until its lease is over. */
  const release = (channel: LeasedTarget) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.sandbox(deliveries.release(channel, engine)).pipe(
        Effect.retry(Schedule.spaced("1 second")),
        Effect.timeoutOption(Math.max(0, channel.leasedUntil - now)),
        Effect.ignore
      )
    )

  /** Leases channels that have something due, and serves each in a fiber; returns their number. */
  const round = Effect.gen(function* () {
    // Waits for a free place, so that no leased channel has to wait.
    yield* free.take(1)
    yield* free.release(1)
    const leased = yield* deliveries.lease(engine, leaseMillis, concurrency - busy)
    const channels = leased.map((row): LeasedTarget => (row.kind === "contactMethod" ? sendable(row) : row))
    for (const channel of channels) {
      busy++
      yield* free.take(1)
      yield* Effect.ensuring(serve(channel), makeRoom).pipe(
        Effect.andThen(release(channel)),
        Effect.onInterrupt(() => Effect.ignoreCause(deliveries.release(channel, engine))),
        Effect.forkScoped
      )
    }
    return channels.length
  })

  const measure = Effect.flatMap(queue.pending, (count) => Metric.update(Metrics.deliveriesPending, count))
  yield* retryUntilSuccess(deliveries.reclaim(engine), "1 second")
  yield* Recurring.every("10 seconds", "Count of pending deliveries", measure)
  return yield* Effect.forever(
    Effect.flatMap(retryUntilSuccess(round, "1 second"), (leased) =>
      leased > 0 ? Effect.void : Effect.raceFirst(queue.queued, due)
    )
  )
}, Effect.scoped)

/** How a type of contact methods reaches people, which decides how often it may. */
const wayOf = (kind: Channel | undefined): PageWay =>
  kind?.rings === true ? "call" : kind?.recipient?.kind === "phone" ? "text" : "message"

/** Serves one leased channel: until nothing is due, the channel rests, or the turn is over. */
const channelServer = Effect.fnUntraced(function* (baseUrl: string, groupAlerts: number) {
  const { channels: kinds } = yield* Catalogue
  const deliveries = yield* Deliveries
  const { deliver, share } = yield* DeliveryAttempt.make(baseUrl)

  const serve = Effect.fnUntraced(function* (leased: LeasedTarget) {
    const end = (yield* Clock.currentTimeMillis) + turnMillis
    let { disabledReason, failures } = leased
    while ((yield* Clock.currentTimeMillis) < end) {
      const due = yield* deliveries.next(
        leased.id,
        // A paging service gets every opening, so that each has its own incident.
        kinds.get(leased.type)?.opensIncidents === true ? undefined : groupAlerts,
        leased.quietHours,
        wayOf(kinds.get(leased.type))
      )
      if (due === undefined) return
      if (due.notifiedBy !== null) {
        yield* share(leased, due)
        continue
      }
      if (leased.kind === "contactMethod" && due.purpose === "close" && kinds.get(leased.type)?.rings === true) {
        yield* deliveries.spare(due)
        continue
      }
      const outcome = yield* deliver({ ...leased, disabledReason, failures }, due)
      if (outcome === undefined) return
      if (outcome._tag === "Retry" && outcome.restUntil !== null) return
      if (outcome._tag === "Continue") continue
      failures = outcome._tag === "Retry" && outcome.isFailure ? failures + 1 : 0
      if (outcome._tag === "Failed" && outcome.disable) disabledReason = "its destination is gone"
    }
  })

  return (channel: LeasedTarget) =>
    Effect.catchCause(serve(channel), (cause) =>
      // An unavailable database is logged once by the rounds, and not by each channel.
      Effect.andThen(
        DependencyUnavailable.reason(cause) === undefined
          ? Effect.logError("A channel's deliveries failed with a defect; they are tried again", cause)
          : Effect.void,
        Effect.sleep(pauseAfterDefect)
      )
    )
})

export const layer = (
  options: DeliveryWorkerOptions
): Layer.Layer<
  never,
  never,
  | Allowances
  | Catalogue
  | ChannelRunner
  | Confirmations
  | ContactMethods
  | Deliveries
  | DeliveryQueue
  | DueWork
  | MessageSenders
  | ReaderZoneRepository
  | SecureRandom.SecureRandom
  | Transaction
> => Layer.effectDiscard(Effect.forkScoped(run(options)))
