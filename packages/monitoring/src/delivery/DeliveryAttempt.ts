/** One attempt to send a due delivery: asks for permission, sends, and stores what follows. */
import { rejected } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { GroupedAlert, Notice } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import { isPublicAddress } from "@kanmon/core/PublicAddress"
import { reasonText } from "@kanmon/core/NoticeReasons"
import * as TraceContext from "@kanmon/core/TraceContext"
import { distinctReasons } from "@kanmon/domain/PageReason"
import * as RecipientProgress from "@kanmon/domain/RecipientProgress"
import { shortRecipient, withShortRecipients } from "@kanmon/domain/RecipientText"
import { mostUrgent } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { basePath } from "@kanmon/protocol/BasePath"
import { Clock, Effect, Metric, Random, Result } from "effect"
import * as Metrics from "./DeliveryMetrics.ts"
import { Deliveries } from "./Deliveries.ts"
import { type Attempt, attempt, type DueDelivery, type Tried } from "./DeliveryRecords.ts"
import * as DeliveryTargets from "./DeliveryTargets.ts"
import type { Target } from "./DeliveryTargets.ts"
import type { LeasedPerson, LeasedTarget } from "./TargetLeases.ts"
import { isPage } from "./Message.ts"
import { MessageReplies } from "./MessageReplies.ts"
import { MessageSenders } from "./MessageSenders.ts"
import * as Permission from "./Permission.ts"
import * as ReaderZones from "./ReaderZones.ts"
import { detailOf, outcomeOf } from "./RecipientOutcome.ts"
import { afterFailure, isTooOld, pageDeadline } from "./Retry.ts"
import * as StoppedMethods from "./StoppedMethods.ts"

export const make = Effect.fnUntraced(function* (baseUrl: string) {
  const senders = yield* MessageSenders
  const deliveries = yield* Deliveries
  const runner = yield* ChannelRunner
  const permissionOf = yield* Permission.make
  const readerOf = yield* ReaderZones.make
  const { channels: kinds } = yield* Catalogue
  const transaction = yield* Transaction
  const replies = yield* MessageReplies
  const tellStopped = yield* StoppedMethods.make
  const isPublic = isPublicAddress(baseUrl)
  const targetsOf = yield* DeliveryTargets.make

  /** Returns the outcome, or undefined when the channel is held and nothing was sent. */
  const deliver = (channel: LeasedTarget, delivery: DueDelivery) =>
    attemptOnce(channel, delivery).pipe(
      TraceContext.about(subjectOf(delivery)),
      Effect.withSpan("Delivery.attempt", { kind: "producer", attributes: { "kanmon.channel.type": channel.type } }),
      TraceContext.continued(delivery.trace)
    )

  /** Tries the next recipient; a channel without recipients is tried as a whole. */
  const attemptOnce = Effect.fnUntraced(function* (channel: LeasedTarget, delivery: DueDelivery) {
    const began = yield* Clock.currentTimeMillis
    const targets = targetsOf(channel)
    const step = RecipientProgress.stepOf(targets.map(nameOf), delivery.progress, began)
    const target = step._tag === "Try" ? targets.find(({ name }) => name === step.recipient) : undefined
    if (target === undefined) return yield* conclude(channel, delivery, targets, { progress: delivery.progress })
    const { name } = target
    const reader = yield* readerOf(channel, delivery.projectId, target.recipient)
    // It may have waited where no engine ran, or in a database that was restored.
    const permission: Permission.Permission = isTooOld(delivery.sendableAt, began)
      ? { _tag: "Refuse", detail: expired }
      : yield* permissionOf(target, reader.zone)
    const known = RecipientProgress.of(delivery.progress, name)
    const attempts = known?.attempts ?? (delivery.progress.length === 0 ? delivery.attempts : 0)
    if (permission._tag === "Hold" && !isTooOld(delivery.sendableAt, permission.until)) {
      const { detail, until: dueAt } = permission
      const row = { recipient: name, outcome: "held", attempts, dueAt, detail } as const
      const progress = RecipientProgress.noted(delivery.progress, row)
      const held = targets.flatMap((one) => RecipientProgress.of(progress, one.name) ?? [])
      if (held.length < targets.length || held.some(({ outcome }) => outcome !== "held"))
        return yield* conclude(channel, delivery, targets, { progress })
      yield* hold(channel, delivery, { detail, until: Math.min(...held.map((one) => one.dueAt ?? dueAt)) })
      return undefined
    }
    yield* deliveries.begin(delivery)
    const url = urlOf(delivery)
    const notice = name === "" ? noticeOf(delivery, url) : noticeOf(toRecipient(delivery, name), url)
    const read = permission._tag === "Send" ? yield* answerable(channel, { ...notice, ...reader }, delivery) : notice
    const result = yield* Effect.result(send(target.channel, read, delivery, permission))
    const ended = yield* Clock.currentTimeMillis
    if (Result.isSuccess(result) && isAnswerable(channel, delivery))
      yield* replies.taken(delivery.id, result.success.reference, ended)
    const after = Result.isSuccess(result)
      ? ({ _tag: "Delivered" } as const)
      : afterFailure({
          reason: result.failure.reason,
          attempts,
          failures: channel.failures,
          createdAt: delivery.sendableAt,
          deadline: isPage(delivery) ? pageDeadline(delivery.firstAttemptAt ?? began) : null,
          now: ended,
          random: yield* Random.next
        })
    // Viewers read it, who do not see addresses.
    const detail = withShortRecipients(
      Result.isSuccess(result) ? result.success.detail : result.failure.message,
      targets.map(({ recipient }) => recipient?.text ?? "")
    )
    const progress = RecipientProgress.noted(delivery.progress, {
      recipient: name,
      outcome: outcomes[after._tag === "Failed" && after.disable ? "Gone" : after._tag],
      attempts: attempts + 1,
      dueAt: after._tag === "Retry" ? after.at : null,
      detail
    })
    return yield* conclude(channel, delivery, targets, {
      progress,
      attempt: attempt(began, ended, words[after._tag], detail, target.recipient?.text),
      restUntil: after._tag === "Retry" ? after.restUntil : null
    })
  })

  /** Stores what follows for the delivery as a whole. */
  const conclude = Effect.fnUntraced(function* (
    channel: LeasedTarget,
    delivery: DueDelivery,
    targets: ReadonlyArray<Target>,
    tried: Pick<Tried, "progress"> & { readonly attempt?: Attempt; readonly restUntil?: EpochMillis | null }
  ) {
    const now = yield* Clock.currentTimeMillis
    const outcome = outcomeOf(targets.map(nameOf), tried.progress, tried.restUntil ?? null, now)
    const detail = detailOf(
      targets.map(({ name, recipient }) => ({ name, text: shortRecipient(recipient?.text ?? "") })),
      tried.progress
    )
    const stored: Tried = {
      attempt: tried.attempt,
      progress: tried.progress.filter(({ recipient }) => recipient !== ""),
      detail,
      at: tried.attempt?.at ?? now
    }
    const isStopped = outcome._tag === "Failed" && outcome.disable && channel.kind === "contactMethod"
    yield* isStopped
      ? transaction.run(
          Effect.andThen(
            deliveries.conclude(delivery, stored, outcome),
            tellStopped({ id: channel.id, userId: channel.userId, reason: detail }, now)
          )
        )
      : deliveries.conclude(delivery, stored, outcome)
    if (tried.attempt !== undefined) yield* count(channel, tried.attempt.outcome)
    return outcome
  })

  /** Whether people answer the message from the device that it is sent to, or it changes there when others do. */
  const isAnswerable = (channel: LeasedTarget, delivery: DueDelivery): channel is LeasedPerson =>
    channel.kind === "contactMethod" &&
    isPage(delivery) &&
    senders.get(delivery.about.kind)?.wordsOf === undefined &&
    (kinds.get(channel.type)?.replies !== undefined || kinds.get(channel.type)?.callsOff === true)

  /** The notice with how it is answered from the device, which is noted before it is sent. */
  const answerable = Effect.fnUntraced(function* (channel: LeasedTarget, notice: Notice, delivery: DueDelivery) {
    if (!isAnswerable(channel, delivery)) return notice
    const { callsOff = false, replies: own, rings = false } = kinds.get(channel.type)!
    const isHeard = isPublic && own !== undefined && runner.repliesOf(own.provider)?.isSetUp === true
    const address = `${baseUrl}${basePath}/replies/${own?.provider}`
    const at = yield* Clock.currentTimeMillis
    const code = yield* replies.prepare({ id: delivery.id, method: channel, notice, rings, callsOff, isHeard }, at)
    return isHeard ? { ...notice, replyTo: { address, code } } : notice
  })

  /** Where the reader answers the message. */
  const urlOf = (delivery: DueDelivery): string | undefined => {
    const path = senders.get(delivery.about.kind)?.answerPath(delivery)
    return path === undefined ? undefined : `${baseUrl}${path}`
  }

  const send = (
    channel: LeasedTarget,
    notice: Notice,
    { about, shared }: DueDelivery,
    permission: Permission.Permission
  ) => {
    switch (permission._tag) {
      case "Send": {
        const words = senders.get(about.kind)?.wordsOf?.(notice, shared.length)
        if (words !== undefined) return runner.message(channel, words)
        // The note goes first, because a long text is cut at its end.
        if (permission.note === undefined) return runner.deliver(channel, notice)
        // The explanation would be shown instead of the reason, and without the note.
        const { explanation: _, ...noted } = notice
        return runner.deliver(channel, { ...noted, reason: `${permission.note} ${reasonText(notice, notice)}` })
      }
      case "Hold":
        return Effect.fail(rejected(`${expired}. ${permission.detail}`))
      case "Refuse":
        return Effect.fail(rejected(permission.detail))
    }
  }

  /** Suspends the channel: its other deliveries wait as well. */
  const hold = Effect.fnUntraced(function* (
    channel: LeasedTarget,
    delivery: DueDelivery,
    held: Pick<Held, "detail" | "until">
  ) {
    yield* count(channel, "failed", yield* deliveries.hold(delivery, held))
  })

  /** Settles a delivery with a topic that the channel already got. */
  const share = (channel: LeasedTarget, delivery: DueDelivery) =>
    deliveries
      .share(delivery)
      .pipe(
        TraceContext.about(subjectOf(delivery)),
        Effect.withSpan("Delivery.share", { attributes: { "kanmon.channel.type": channel.type } }),
        TraceContext.continued(delivery.trace)
      )

  return { deliver, share }
})

const subjectOf = ({ notice, projectId }: DueDelivery): TraceContext.Subject => ({
  monitorId: notice.event.startsWith("external") ? undefined : notice.monitor.id,
  projectId: projectId ?? undefined,
  region: notice.region
})

const expired = "Not sent within 24 hours"

type Held = Extract<Permission.Permission, { readonly _tag: "Hold" }>

const words = { Delivered: "delivered", Retry: "retrying", Failed: "failed" } as const

const outcomes = { Delivered: "delivered", Retry: "waiting", Failed: "failed", Gone: "gone" } as const

const nameOf = ({ name }: Target): string => name

/** The delivery as one recipient knows the topic. */
const toRecipient = (delivery: DueDelivery, name: string): DueDelivery => ({ ...delivery, ...delivery.knownTo(name) })

/** The notice as this message sends it: for everything that it covers. */
const noticeOf = (
  { alertId, group, notice, overtakesOpening, rules, severity }: DueDelivery,
  acknowledgeUrl: string | undefined
): Notice => {
  const others = group.map((other) => other.notice)
  const all = [notice, ...others]
  return {
    ...notice,
    alertId,
    severity: mostUrgent([severity, ...others.map((other) => other.severity)]),
    overtakesOpening,
    ...(acknowledgeUrl === undefined ? {} : { acknowledgeUrl }),
    ...(others.length === 0 ? {} : { group: all.map(groupedAlert) }),
    ...(rules.length > 1 ? { rules } : {}),
    ...whyOf(all)
  }
}

/** The reasons of all alerts of a message, each once. */
const whyOf = (notices: ReadonlyArray<Notice>): Pick<Notice, "why"> => {
  const reasons = distinctReasons(notices.flatMap(({ why }) => why ?? []))
  return reasons.length === 0 ? {} : { why: reasons }
}

const groupedAlert = ({
  alertId,
  event,
  expiresAt,
  explanation,
  monitor,
  reason,
  severity,
  startedAt
}: Notice): GroupedAlert => ({
  alertId,
  event,
  severity,
  monitor,
  reason,
  ...(explanation === undefined ? {} : { explanation }),
  startedAt,
  expiresAt
})

const count = (channel: LeasedTarget, outcome: Attempt["outcome"], number = 1) =>
  Metric.update(Metric.withAttributes(Metrics.deliveries, { type: channel.type, outcome }), number)
