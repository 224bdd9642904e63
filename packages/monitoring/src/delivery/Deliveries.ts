/**
 * The rules of the delivery queue. A channel, or a contact method of a person, is leased to one engine at a time, which
 * sends its deliveries in order, one attempt each; the leases of an engine that died are free as soon as the others
 * consider it gone. An attempt without a stored outcome is repeated, with the same notice id. Deliveries with the same
 * topic are one message (`DeliverySharing`). Senders learn of each outcome in its transaction.
 */
import {
  burstMillis,
  groupStep,
  nextPageToNumberAt,
  type Opening,
  type PageWay,
  paceWindow,
  type Together,
  together
} from "@kanmon/domain/AlertGrouping"
import { knownTo, stepOf } from "@kanmon/domain/DeliverySharing"
import * as RecipientProgress from "@kanmon/domain/RecipientProgress"
import type { QuietHours } from "@kanmon/domain/QuietHours"
import { mostUrgent } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import type { DueDelivery, DeliveryOutcome, SharedDelivery, Tried } from "./DeliveryRecords.ts"
import { isPage, type MessageRef, type TargetId, targetId } from "./Message.ts"
import { MessageSenders, tell } from "./MessageSenders.ts"
import * as MissedMessages from "./MissedMessages.ts"
import * as QuietHolds from "./QuietHolds.ts"
import { TargetLeases } from "./TargetLeases.ts"
import {
  DeliveryRepository,
  type FirstDue,
  mostGrouped,
  type QueuedOpening,
  type TopicDelivery
} from "./DeliveryRepository.ts"

export type { DeliveryOutcome } from "./DeliveryRecords.ts"
export { accountShare } from "../channels/index.ts"

/** Why and until when a target's deliveries wait. */
interface Hold {
  readonly until: EpochMillis
  readonly detail: string
}

export class Deliveries extends Context.Service<Deliveries>()("@kanmon/monitoring/delivery/Deliveries", {
  make: Effect.gen(function* () {
    const repository = yield* DeliveryRepository
    const leases = yield* TargetLeases
    const senders = yield* MessageSenders
    const transaction = yield* Transaction
    const quiet = yield* QuietHolds.make
    const endMissed = yield* MissedMessages.make

    /** Leases targets that have something due, a fair share of each account; none to an engine that has not joined yet. */
    const lease = Effect.fn("Deliveries.lease")(function* (engine: string, millis: number, limit: number) {
      return yield* leases.lease(engine, yield* Clock.currentTimeMillis, millis, limit)
    })

    /** Pages that one message lists with this one; undefined while the pace makes them wait. */
    const pagesWith = Effect.fnUntraced(function* (
      due: FirstDue,
      progress: DueDelivery["progress"],
      way: PageWay,
      now: EpochMillis
    ) {
      const target = targetId(due.to)
      const { kind } = due.about
      const after = now - paceWindow(way)
      const own = yield* repository.sentAt(target, kind, way === "message" ? "method" : "type", after)
      const toNumber = way === "message" ? [] : yield* repository.sentAt(target, kind, "number", after)
      const until = nextPageToNumberAt({ own, toNumber }, way)
      if (now < until) {
        yield* repository.postponePages(target, kind, until, now)
        return undefined
      }
      const pages = yield* repository.findPages(target, kind, now)
      return grouping(due, progress, pages, together(pages.filter(({ isPending }) => isPending).map(openingOf)))
    })

    /** The openings among which the message of this one finds its group; none where it is sent alone. */
    const openingsAround = (due: FirstDue, limit: number, now: EpochMillis) =>
      // More are not read, so no burst is above the limit.
      due.purpose === "open" && limit < mostGrouped && !isPage(due) && due.notice.drill !== true
        ? Effect.map(repository.findOpenings(targetId(due.to), now - burstMillis, now), (openings) =>
            // What quiet hours held is a message of its own.
            openings.filter((one) => (one.heldUntil === null) === (due.heldUntil === null))
          )
        : Effect.succeed([])

    /**
     * The other openings that one message lists with this one; undefined when it waits for more of them. Openings
     * that other recipients of the channel already got are left out.
     */
    const groupOf = Effect.fnUntraced(function* (
      due: FirstDue,
      progress: DueDelivery["progress"],
      all: ReadonlyArray<QueuedOpening>,
      limit: number,
      now: EpochMillis
    ) {
      const openings = all.map(openingOf)
      const step =
        due.heldUntil === null
          ? groupStep(openings, limit, now)
          : together(openings.filter(({ isPending }) => isPending))
      if (step._tag !== "Wait") return grouping(due, progress, all, step)
      const waiting = all.filter(({ isPending }) => isPending)
      yield* Effect.forEach(waiting, ({ id }) => repository.postpone(id, step.until), { discard: true })
      return undefined
    })

    /**
     * The target's next due delivery. Earlier deliveries that it makes superfluous are merged into it. When more than `groupAbove`
     * topics open within a minute, one delivery lists them; without it each is sent. What quiet hours hold waits for their end, and
     * is one message then.
     */
    const next = Effect.fn("Deliveries.next")(function* (
      target: TargetId,
      groupAbove: number = Number.POSITIVE_INFINITY,
      quietHours: QuietHours | null = null,
      way: PageWay = "message"
    ) {
      const now = yield* Clock.currentTimeMillis
      for (;;) {
        const due = yield* repository.findDue(target, now)
        if (due === undefined) return undefined
        if (yield* quiet.hold(due, quietHours, now)) continue
        if (yield* quiet.overMeanwhile(due, now)) continue
        // At once, because somebody waits for the message.
        const [all, openings] = yield* Effect.all([repository.findOfTopic(due), openingsAround(due, groupAbove, now)], {
          concurrency: 2
        })
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
            const progress = progressOf(own, shared, all)
            const group = isPage(due)
              ? yield* pagesWith(due, progress, way, now)
              : yield* groupOf(due, progress, openings, groupAbove, now)
            if (group === undefined) continue
            if (due.purpose !== "open") yield* repository.mergeEarlier([due, ...shared].map(idOf), now)
            return dueDelivery(due, {
              own,
              shared,
              alertId: step.alertId,
              overtakesOpening: step.overtakesOpening,
              group,
              progress,
              knownTo: knownToOf(own, all)
            })
          }
        }
      }
    })

    /** Stores an attempt and what follows from it. */
    const conclude = Effect.fn("Deliveries.conclude")(function* (
      delivery: DueDelivery,
      tried: Tried,
      outcome: DeliveryOutcome
    ) {
      const now = yield* Clock.currentTimeMillis
      const ids = [delivery.id, ...coveredBy(delivery)] as const
      const entries = entriesOf(delivery)
      if (outcome._tag === "Continue") return yield* repository.proceed(ids, tried)
      const last = { at: tried.at, status: words[outcome._tag], detail: tried.detail }
      if (outcome._tag === "Retry") {
        yield* repository.retry(ids, tried, outcome.at)
        yield* outcome.isFailure
          ? leases.countFailure(delivery.to, last, outcome.restUntil)
          : leases.conclude(delivery.to, last, null)
        return yield* tell(senders, entries, (sender, own) => sender.delayed(own, tried.detail))
      }
      const status = words[outcome._tag]
      const disabled = outcome._tag === "Failed" && outcome.disable
      const disabledReason = disabled ? tried.detail : null
      const idle = yield* repository.finish({ ids, entries: entries.map(({ entryId }) => entryId), tried, status }, now)
      yield* leases.conclude(delivery.to, last, disabledReason)
      yield* repository.markGrouped(delivery.group)
      const ended = entries.map(({ about, entryId }) => ({
        about,
        entryId,
        to: delivery.to,
        status,
        detail: tried.detail,
        isLast: idle.has(entryId)
      }))
      yield* tell(senders, ended, (sender, own) => sender.ended(own, now))
    }, transaction.run)

    const settle = Effect.fnUntraced(function* (delivery: DueDelivery, detail: string) {
      const now = yield* Clock.currentTimeMillis
      const { about, entryId, to } = delivery
      const isLast = yield* repository.finishShared(delivery, now)
      const ended = { about, entryId, to, status: "delivered", detail, isLast } as const
      yield* tell(senders, [ended], (sender, own) => sender.ended(own, now))
    }, transaction.run)

    /** Settles a delivery of which the target was already notified, without an attempt. */
    const share = Effect.fn("Deliveries.share")((delivery: DueDelivery) => settle(delivery, alreadyNotified))

    /** Settles a delivery that would ring although it needs no answer, without an attempt. */
    const spare = Effect.fn("Deliveries.spare")((delivery: DueDelivery) =>
      Effect.forEach([delivery, ...delivery.shared], (each) => settle({ ...delivery, ...each }, wouldRing), {
        discard: true
      })
    )

    /** Suspends the target of a delivery; returns the number of entries that fail because they are over. */
    const hold = Effect.fn("Deliveries.hold")(function* (delivery: DueDelivery, { detail, until }: Hold) {
      const now = yield* Clock.currentTimeMillis
      const missed = yield* endMissed(delivery.to, missedWhileHeld, now)
      const waiting = [delivery, ...delivery.shared]
      yield* repository.setPendingError(waiting.map(idOf), detail)
      yield* leases.rest(delivery.to, { at: now, status: "retrying", detail }, until)
      yield* tell(senders, waiting, (sender, own) => sender.delayed(own, detail))
      return missed.length
    }, transaction.run)

    const { reclaim, release } = leases
    /**
     * Records the alerts of a message before it is sent, so that a quick click on its link acknowledges all of them.
     */
    const begin = (delivery: DueDelivery) => repository.cover(coveredBy(delivery), delivery.id)
    return {
      lease,
      /** Returns everything that an earlier run of this engine had leased. */
      reclaim,
      /** Ends this lease; a repeated release ends no later one. */
      release,
      next,
      begin,
      conclude,
      share,
      spare,
      hold
    }
  })
}) {
  static readonly layer = Layer.effect(Deliveries, Deliveries.make)
}

const missedWhileHeld = "Not sent: the outage began and ended while messages to this recipient were held"
const wouldRing = "Not sent: this method rings, and a recovery needs no answer"
const alreadyNotified = "It was told of this outage already"

/** How a delivery stands after an attempt. */
const words = { Delivered: "delivered", Retry: "retrying", Failed: "failed" } as const

/** The progress of one message for these deliveries: a recipient that got an opening of the topic gets no other one. */
const progressOf = (own: TopicDelivery, shared: ReadonlyArray<TopicDelivery>, all: ReadonlyArray<TopicDelivery>) =>
  RecipientProgress.joined([
    ...[own, ...shared].map(({ progress }) => progress),
    ...(own.purpose === "open"
      ? all.filter(({ purpose }) => purpose === "open").map(({ progress }) => RecipientProgress.delivered(progress))
      : [])
  ])

const knownToOf =
  (own: TopicDelivery, all: ReadonlyArray<TopicDelivery>): DueDelivery["knownTo"] =>
  (recipient) => {
    const { alertId, overtakesOpening } = knownTo(own, all, ({ progress }) =>
      progress.length === 0 ? undefined : RecipientProgress.of(progress, recipient)?.outcome === "delivered"
    )
    return { alertId: alertId ?? own.alertId, overtakesOpening }
  }

const idOf = ({ id }: { readonly id: string }): string => id

/** The other deliveries that the message of this one stands for. */
const coveredBy = ({ group, shared }: DueDelivery): ReadonlyArray<string> => [...shared, ...withShared(group)].map(idOf)

/** The entries that a delivery stands for. */
const entriesOf = (delivery: DueDelivery): ReadonlyArray<MessageRef> => [
  ...new Map(
    [delivery, ...delivery.shared, ...withShared(delivery.group)].map(({ about, entryId }) => [
      entryId,
      { about, entryId }
    ])
  ).values()
]

const withShared = (group: DueDelivery["group"]): ReadonlyArray<SharedDelivery> =>
  group.flatMap((opening) => [opening, ...opening.shared])

const dueDelivery = (
  { about, attempts, createdAt, entryId, heldUntil: held, id, notice, projectId, purpose, to, topic, trace }: FirstDue,
  step: {
    readonly own: TopicDelivery
    readonly shared?: ReadonlyArray<TopicDelivery>
    readonly alertId?: string
    readonly notifiedBy?: string
    readonly overtakesOpening?: boolean
    readonly group?: DueDelivery["group"]
    readonly progress?: DueDelivery["progress"]
    readonly knownTo?: DueDelivery["knownTo"]
  }
): DueDelivery => {
  const { group = [], notifiedBy = null, overtakesOpening = false, own, progress = [], shared = [] } = step
  const alertId = step.alertId ?? own.alertId
  return {
    id,
    about,
    entryId,
    topic,
    projectId,
    notice,
    to,
    purpose,
    alertId,
    rules: [own, ...shared].flatMap(({ rule }) => rule ?? []),
    severity: mostUrgent([notice.severity, ...shared.flatMap(({ severity }) => severity ?? [])]),
    shared,
    group,
    notifiedBy,
    overtakesOpening,
    progress,
    knownTo: step.knownTo ?? (() => ({ alertId, overtakesOpening })),
    attempts: attempts.length,
    firstAttemptAt: attempts[0]?.at ?? null,
    trace,
    createdAt,
    sendableAt: Math.max(createdAt, held ?? createdAt)
  }
}

/** The other openings of a group, but for those that other recipients of the channel have got already. */
const grouping = (
  due: FirstDue,
  progress: DueDelivery["progress"],
  all: ReadonlyArray<QueuedOpening>,
  step: Together
): DueDelivery["group"] => {
  if (step._tag === "Single") return []
  const byId = new Map(all.map((opening) => [opening.id, opening]))
  const named = (id: string) => byId.get(id)!
  return step.outages
    .filter(({ id, shared }) => id !== due.id && !shared.includes(due.id))
    .map(({ id, shared }) => grouped(named(id), shared.map(named)))
    .filter((opening) =>
      RecipientProgress.isAlike(
        progress,
        RecipientProgress.joined([opening, ...opening.shared].map((one) => one.progress))
      )
    )
}

const openingOf = ({ createdAt, id, isPending, topic }: QueuedOpening): Opening => ({
  id,
  outage: topic,
  createdAt,
  isPending
})

/** An opening that another message lists: as urgent as the most urgent one of its topic. */
const grouped = (opening: QueuedOpening, shared: ReadonlyArray<QueuedOpening>) => {
  const severity = mostUrgent([opening.notice.severity, ...shared.map(({ notice }) => notice.severity)])
  return { ...opening, shared, notice: { ...opening.notice, severity } }
}
