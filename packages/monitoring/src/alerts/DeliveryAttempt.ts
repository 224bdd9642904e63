/** One attempt to send a due delivery: asks for permission, sends, and stores what follows. */
import { rejected } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { GroupedAlert, Notice } from "@kanmon/core/Notice"
import * as TraceContext from "@kanmon/core/TraceContext"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Metric, Random, Result } from "effect"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import * as Metrics from "./DeliveryMetrics.ts"
import type { LeasedChannel } from "../channels/index.ts"
import { AcknowledgeLinks, linkPath } from "./AcknowledgeLinks.ts"
import { alertEvent } from "./AlertEvents.ts"
import { Deliveries } from "./Deliveries.ts"
import { type Attempt, attempt, type DueDelivery, type DeliveryOutcome } from "./DeliveryRecords.ts"
import * as Permission from "./Permission.ts"
import * as ReaderZones from "./ReaderZones.ts"
import { afterFailure, isTooOld } from "./Retry.ts"

export const make = Effect.fnUntraced(function* (baseUrl: string) {
  const links = yield* AcknowledgeLinks
  const deliveries = yield* Deliveries
  const runner = yield* ChannelRunner
  const permissionOf = yield* Permission.make
  const zoneOf = yield* ReaderZones.make

  /** Returns the outcome, or undefined when the channel is held and nothing was sent. */
  const deliver = (channel: LeasedChannel, delivery: DueDelivery) =>
    attemptOnce(channel, delivery).pipe(
      Effect.withSpan("Delivery.attempt", {
        kind: "producer",
        attributes: attributesOf(channel, delivery)
      }),
      TraceContext.continued(delivery.trace)
    )

  const attemptOnce = Effect.fnUntraced(function* (channel: LeasedChannel, delivery: DueDelivery) {
    const began = yield* Clock.currentTimeMillis
    const zone = yield* zoneOf(channel)
    // It may have waited where no engine ran, or in a database that was restored.
    const permission: Permission.Permission = isTooOld(delivery.createdAt, began)
      ? { _tag: "Refuse", detail: expired }
      : yield* permissionFor(channel, zone)
    if (permission._tag === "Hold" && !isTooOld(delivery.createdAt, permission.until)) {
      yield* hold(channel, delivery, permission)
      return undefined
    }
    yield* deliveries.begin(delivery)
    const result = yield* Effect.result(send(channel, { ...noticeOf(delivery, urlOf(delivery)), zone }, permission))
    const ended = yield* Clock.currentTimeMillis
    const outcome: DeliveryOutcome = Result.isSuccess(result)
      ? { _tag: "Delivered" }
      : afterFailure({
          reason: result.failure.reason,
          attempts: delivery.attempts,
          failures: channel.failures,
          createdAt: delivery.createdAt,
          now: ended,
          random: yield* Random.next
        })
    const detail = Result.isSuccess(result) ? result.success.detail : result.failure.message
    const word = words[outcome._tag]
    const events = word === "retrying" ? [] : eventsOf(channel, delivery, word, ended, detail)
    yield* deliveries.conclude(channel.id, delivery, attempt(began, ended, word, detail), outcome, events)
    yield* count(channel, word)
    return outcome
  })

  /** The link that acknowledges what the notice tells of, the same in every attempt; a recovery has none. */
  const urlOf = (delivery: DueDelivery): string | undefined =>
    delivery.purpose === "close" ? undefined : `${baseUrl}${linkPath}/${links.tokenOf(delivery, delivery.createdAt)}`

  const permissionFor = (channel: LeasedChannel, zone: string): Effect.Effect<Permission.Permission> =>
    channel.disabledReason === null
      ? permissionOf(channel, zone)
      : Effect.succeed({ _tag: "Refuse", detail: `The channel is switched off: ${channel.disabledReason}` })

  const send = (channel: LeasedChannel, notice: Notice, permission: Permission.Permission) => {
    switch (permission._tag) {
      case "Send": {
        // The note goes first, because a long text is cut at its end.
        const reason = permission.note === undefined ? notice.reason : `${permission.note} ${notice.reason}`
        return runner.deliver(channel, { ...notice, reason })
      }
      case "Hold":
        return Effect.fail(rejected(`${expired}. ${permission.detail}`))
      case "Refuse":
        return Effect.fail(rejected(permission.detail))
    }
  }

  /** Suspends the channel: its other deliveries wait as well. */
  const hold = Effect.fnUntraced(function* (channel: LeasedChannel, delivery: DueDelivery, { detail, until }: Held) {
    const now = yield* Clock.currentTimeMillis
    const missed = yield* deliveries.hold(channel.id, delivery, {
      until,
      detail,
      missed: missedWhileHeld,
      event: (entry) => alertEvent(entry, { id: entry.entryId, channelId: channel.id }, "failed", now, missedWhileHeld)
    })
    yield* count(channel, "failed", missed.length)
  })

  /** Settles a delivery whose outage the channel already knows from another rule. */
  const share = (channel: LeasedChannel, delivery: DueDelivery) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const entry = { id: delivery.entryId, channelId: channel.id }
      yield* deliveries.share(delivery, alertEvent(delivery, entry, "delivered", now, sharedDetail))
    }).pipe(
      Effect.withSpan("Delivery.share", { attributes: attributesOf(channel, delivery) }),
      TraceContext.continued(delivery.trace)
    )

  return { deliver, share }
})

const attributesOf = (channel: LeasedChannel, { monitorId, notice, projectId }: DueDelivery) => ({
  ...TraceContext.attributesOf({ monitorId, projectId, region: notice.region }),
  "kanmon.channel.type": channel.type
})

const expired = "Not sent within 24 hours"
const missedWhileHeld = "Not sent: the outage began and ended while messages to this recipient were held"
const sharedDetail = "The channel was notified of this outage by another rule"

type Held = Extract<Permission.Permission, { readonly _tag: "Hold" }>

const words = { Delivered: "delivered", Retry: "retrying", Failed: "failed" } as const

/** The notice as this message sends it: for every rule that it covers. */
const noticeOf = (
  { alertId, group, notice, overtakesOpening, rules }: DueDelivery,
  acknowledgeUrl: string | undefined
): Notice => ({
  ...notice,
  alertId,
  overtakesOpening,
  ...(acknowledgeUrl === undefined ? {} : { acknowledgeUrl }),
  ...(group.length === 0 ? {} : { group: [notice, ...group.map((other) => other.notice)].map(groupedAlert) }),
  ...(rules.length > 1 ? { rules } : {})
})

const groupedAlert = ({ alertId, event, expiresAt, monitor, reason, startedAt }: Notice): GroupedAlert => ({
  alertId,
  event,
  monitor,
  reason,
  startedAt,
  expiresAt
})

/** The public events of a delivery and of those that it covers. */
const eventsOf = (
  channel: LeasedChannel,
  delivery: DueDelivery,
  name: "delivered" | "failed",
  at: EpochMillis,
  detail: string
): ReadonlyArray<PublicEvent> =>
  [delivery, ...delivery.group]
    .flatMap((opening) => [opening, ...opening.shared.map((other) => ({ ...opening, ...other }))])
    .map(({ entryId, ...subject }) => alertEvent(subject, { id: entryId, channelId: channel.id }, name, at, detail))

const count = (channel: LeasedChannel, outcome: Attempt["outcome"], number = 1) =>
  Metric.update(Metric.withAttributes(Metrics.deliveries, { type: channel.type, outcome }), number)
