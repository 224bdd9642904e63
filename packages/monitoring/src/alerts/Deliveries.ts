/**
 * The rules of the delivery queue. A channel is leased to one engine at a time, which sends its deliveries in order, one attempt
 * each; the leases of an engine that died are free as soon as the others consider it gone. An attempt whose outcome was not
 * stored is made again, with the same notice id. Deliveries of several rules with the same content are one message
 * (`DeliverySharing`).
 */
import { burstMillis, groupStep } from "@kanmon/domain/AlertGrouping"
import { stepOf } from "@kanmon/domain/DeliverySharing"
import type { AlertId, ChannelId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { ChannelLeaseRepository, type LeasedChannel } from "../channels/index.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import type { Attempt, DueDelivery, MissedEntry, DeliveryOutcome, SharedDelivery } from "./DeliveryRecords.ts"
import {
  DeliveryRepository,
  type FirstDue,
  mostGrouped,
  type OutageDelivery,
  type QueuedOpening
} from "./DeliveryRepository.ts"

export { attempt, type DeliveryOutcome } from "./DeliveryRecords.ts"
export { accountShare } from "../channels/index.ts"

/** Why and until when a channel's deliveries wait. */
export interface Hold {
  readonly until: EpochMillis
  readonly detail: string
  /** The error of alerts that both opened and closed while they waited. */
  readonly missed: string
  /** The public event of such a failure. */
  readonly event: (missed: MissedEntry) => PublicEvent
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Leases channels that have something due, a fair share of each account; none to an engine that has not joined yet. */
    readonly lease: (engine: string, millis: number, limit: number) => Effect.Effect<ReadonlyArray<LeasedChannel>>
    /** Returns every channel that an earlier run of this engine had leased. */
    readonly reclaim: (engine: string) => Effect.Effect<void>
    /** Ends this lease; a repeated release ends no later one. */
    readonly release: (lease: Pick<LeasedChannel, "id" | "leasedUntil">, engine: string) => Effect.Effect<void>
    /**
     * The channel's next due delivery. Earlier deliveries that it makes superfluous are merged into it. When more than `groupAbove`
     * alerts open within a minute, one delivery lists them; without it each is sent.
     */
    readonly next: (channel: ChannelId, groupAbove?: number) => Effect.Effect<DueDelivery | undefined>
    /** Records what a message tells of before it is sent: whoever uses its link at once acknowledges all of it. */
    readonly begin: (delivery: DueDelivery) => Effect.Effect<void>
    /** Stores an attempt and what follows from it. */
    readonly conclude: (
      channel: ChannelId,
      delivery: DueDelivery,
      attempt: Attempt,
      outcome: DeliveryOutcome,
      events: ReadonlyArray<PublicEvent>
    ) => Effect.Effect<void>
    /** Settles a delivery of which the channel was already notified, without an attempt. */
    readonly share: (delivery: DueDelivery, event: PublicEvent) => Effect.Effect<void>
    /** Suspends a channel; returns the entries that fail because their alert is over. */
    readonly hold: (channel: ChannelId, delivery: DueDelivery, hold: Hold) => Effect.Effect<ReadonlyArray<MissedEntry>>
  }
>()("@kanmon/monitoring/alerts/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const repository = yield* DeliveryRepository
      const channels = yield* ChannelLeaseRepository
      const outbox = yield* Outbox
      const transaction = yield* Transaction

      const lease: Deliveries["Service"]["lease"] = Effect.fn("Deliveries.lease")(function* (engine, millis, limit) {
        return yield* channels.lease(engine, yield* Clock.currentTimeMillis, millis, limit)
      })

      /** The openings among which the message of this one finds its group; none where it is sent alone. */
      const openingsAround = (due: FirstDue, limit: number, now: EpochMillis) =>
        // More are not read, so no burst is above the limit.
        due.purpose === "open" && limit < mostGrouped
          ? repository.findOpenings(due.channelId, now - burstMillis, now)
          : Effect.succeed([])

      /** The other openings that one message lists with this one; undefined when it waits for more of them. */
      const groupOf = Effect.fnUntraced(function* (
        due: FirstDue,
        all: ReadonlyArray<QueuedOpening>,
        limit: number,
        now: EpochMillis
      ) {
        const step = groupStep(
          all.map(({ createdAt, id, isPending, monitorId, notice, trigger }) => ({
            id,
            outage: `${monitorId} ${trigger} ${notice.startedAt}`,
            createdAt,
            isPending
          })),
          limit,
          now
        )
        if (step._tag === "Single") return []
        if (step._tag === "Wait") {
          const waiting = all.filter(({ isPending }) => isPending)
          yield* Effect.forEach(waiting, ({ id }) => repository.postpone(id, step.until), { discard: true })
          return undefined
        }
        const byId = new Map(all.map((opening) => [opening.id, opening]))
        const openingOf = (id: string) => byId.get(id)!
        return step.outages
          .filter(({ id, shared }) => id !== due.id && !shared.includes(due.id))
          .map(({ id, shared }) => ({ ...openingOf(id), shared: shared.map(openingOf) }))
      })

      const next: Deliveries["Service"]["next"] = Effect.fn("Deliveries.next")(function* (
        channel,
        groupAbove = Number.POSITIVE_INFINITY
      ) {
        const now = yield* Clock.currentTimeMillis
        for (;;) {
          const due = yield* repository.findDue(channel, now)
          if (due === undefined) return undefined
          // At once, because somebody waits for the message.
          const [all, openings] = yield* Effect.all(
            [repository.findOfOutage(due), openingsAround(due, groupAbove, now)],
            { concurrency: 2 }
          )
          const own = all.find(({ id }) => id === due.id)!
          const step = stepOf(own, all, now)
          switch (step._tag) {
            case "Wait":
              yield* repository.postpone(due.id, step.until)
              continue
            case "Notified":
              return dueDelivery(due, { own, notifiedBy: step.by })
            case "Send": {
              const shared = step.shared.map(({ id }) => all.find((other) => other.id === id)!)
              const group = yield* groupOf(due, openings, groupAbove, now)
              if (group === undefined) continue
              if (due.purpose !== "open") yield* repository.mergeEarlier([due, ...shared].map(idOf), now)
              return dueDelivery(due, {
                own,
                shared,
                alertId: step.alertId,
                overtakesOpening: step.overtakesOpening,
                group
              })
            }
          }
        }
      })

      const conclude: Deliveries["Service"]["conclude"] = Effect.fn("Deliveries.conclude")(function* (
        channel,
        delivery,
        attempt,
        outcome,
        events
      ) {
        const now = yield* Clock.currentTimeMillis
        const ids = [delivery.id, ...coveredBy(delivery)] as const
        const entries = entriesOf(delivery)
        const last = { at: attempt.at, status: attempt.outcome, detail: attempt.detail }
        if (outcome._tag === "Retry") {
          yield* repository.retry(ids, attempt, outcome.at)
          yield* channels.countFailure(channel, last, outcome.restUntil)
          yield* repository.setEntryError(entries, attempt.detail)
          return
        }
        const status = outcome._tag === "Delivered" ? "delivered" : "failed"
        const disabled = outcome._tag === "Failed" && outcome.disable
        const disabledReason = disabled ? attempt.detail : null
        yield* repository.finish({ ids, entries, attempt, status }, now)
        yield* channels.conclude(channel, last, disabledReason)
        yield* repository.markGrouped(delivery.group)
        yield* outbox.append(events)
      }, transaction.run)

      const share: Deliveries["Service"]["share"] = Effect.fn("Deliveries.share")(function* (delivery, event) {
        yield* repository.finishShared(delivery.id, delivery.notifiedBy, yield* Clock.currentTimeMillis)
        yield* repository.settleEntries([delivery.entryId], "delivered", null)
        yield* outbox.append([event])
      }, transaction.run)

      const hold: Deliveries["Service"]["hold"] = Effect.fn("Deliveries.hold")(function* (
        channel,
        delivery,
        { detail, event, missed, until }
      ) {
        const now = yield* Clock.currentTimeMillis
        const failed = yield* repository.failMissed(channel, missed, now)
        yield* repository.setPendingError([delivery, ...delivery.shared], detail)
        yield* channels.rest(channel, { at: now, status: "retrying", detail }, until)
        yield* outbox.append(failed.map(event))
        return failed
      }, transaction.run)

      const { reclaim, release } = channels
      const begin: Deliveries["Service"]["begin"] = (delivery) => repository.cover(coveredBy(delivery), delivery.id)
      return Deliveries.of({ lease, reclaim, release, next, begin, conclude, share, hold })
    })
  )
}

const idOf = ({ id }: { readonly id: string }): string => id

/** The other deliveries that the message of this one stands for. */
const coveredBy = ({ group, shared }: DueDelivery): ReadonlyArray<string> => [...shared, ...withShared(group)].map(idOf)

/** The history entries that a delivery stands for. */
const entriesOf = (delivery: DueDelivery): ReadonlyArray<AlertId> => [
  ...new Set([delivery, ...delivery.shared, ...withShared(delivery.group)].map(({ entryId }) => entryId))
]

const withShared = (group: DueDelivery["group"]): ReadonlyArray<SharedDelivery> =>
  group.flatMap((opening) => [opening, ...opening.shared])

const dueDelivery = (
  {
    attempts,
    channelId,
    createdAt,
    entryId,
    id,
    monitorId,
    notice,
    projectId,
    purpose,
    ruleId,
    trace,
    trigger
  }: FirstDue,
  step: {
    readonly own: OutageDelivery
    readonly shared?: ReadonlyArray<OutageDelivery>
    readonly alertId?: string
    readonly notifiedBy?: string
    readonly overtakesOpening?: boolean
    readonly group?: DueDelivery["group"]
  }
): DueDelivery => {
  const { alertId, group = [], notifiedBy = null, overtakesOpening = false, own, shared = [] } = step
  return {
    id,
    entryId,
    projectId,
    ruleId,
    monitorId,
    trigger,
    notice,
    channelId,
    purpose,
    alertId: alertId ?? own.alertId,
    rules: [own, ...shared].flatMap(({ rule }) => rule ?? []),
    shared,
    group,
    notifiedBy,
    overtakesOpening,
    attempts: attempts.length,
    trace,
    createdAt
  }
}
