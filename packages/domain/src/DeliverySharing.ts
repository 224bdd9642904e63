/**
 * Merges deliveries to one channel into one message. Several rules may alert the same channel about the same outage: the
 * channel gets one opening, one recovery, and reminders as often as the most frequent rule asks for. Pure: takes the queued
 * deliveries for one monitor, trigger and outage; returns the next step.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** A queued delivery. All that are passed together share channel, monitor, trigger and outage. */
export interface QueuedDelivery {
  readonly id: string
  /** The history entry; each rule has its own. */
  readonly entryId: string
  /** The alert of its rule; destinations identify an incident by it. */
  readonly alertId: string
  readonly purpose: "open" | "repeat" | "close"
  readonly status: "pending" | "delivered" | "failed" | "merged"
  /** The delivery with a message that also covered this one; null if this one was sent itself. */
  readonly sharedWith: string | null
  readonly createdAt: EpochMillis
  readonly finishedAt: EpochMillis | null
  /** Minutes between its rule's reminders; 0: none. */
  readonly resendEvery: number
}

export type SharingStep =
  /** The channel was already notified by this delivery: nothing is sent. */
  | { readonly _tag: "Notified"; readonly by: string }
  /** The channel was notified recently: the reminder waits for its rule's interval. */
  | { readonly _tag: "Wait"; readonly until: EpochMillis }
  /** One message under this alert's id covers these deliveries too. */
  | {
      readonly _tag: "Send"
      readonly alertId: string
      readonly shared: ReadonlyArray<QueuedDelivery>
      /** The opening never reached the channel. */
      readonly overtakesOpening: boolean
    }

/** Reminders are queued every few seconds; one this much too early still counts as on time. */
const slackMillis = 15_000

/** The next step for a delivery that is due. */
export const stepOf = (due: QueuedDelivery, all: ReadonlyArray<QueuedDelivery>, now: EpochMillis): SharingStep => {
  const knownAlert = knownAs(due, all)
  const sent = all.filter(
    ({ id, sharedWith, status }) => status === "delivered" && sharedWith === null && id !== due.id
  )
  if (due.purpose === "open") {
    const opening = sent.find(({ purpose }) => purpose === "open")
    if (opening !== undefined) return { _tag: "Notified", by: opening.id }
  }
  if (due.purpose === "repeat" && due.resendEvery > 0) {
    const last = Math.max(...sent.map((other) => (knownAs(other, all) === knownAlert ? (other.finishedAt ?? 0) : 0)), 0)
    const until = last + due.resendEvery * 60_000
    if (until > now + slackMillis) return { _tag: "Wait", until }
  }
  const shared = all.filter(
    (other) =>
      other.status === "pending" &&
      other.purpose === due.purpose &&
      other.entryId !== due.entryId &&
      knownAs(other, all) === knownAlert
  )
  return due.purpose === "open"
    ? { _tag: "Send", alertId: due.alertId, shared, overtakesOpening: false }
    : { _tag: "Send", alertId: knownAlert ?? due.alertId, shared, overtakesOpening: knownAlert === undefined }
}

/**
 * The deliveries as one recipient of the channel knows them: an opening counts as delivered if this recipient got it,
 * even if others did not. `delivered` tells it of openings that were sent to several; undefined for the rest.
 */
export const knownTo = <Delivery extends QueuedDelivery>(
  due: Delivery,
  all: ReadonlyArray<Delivery>,
  delivered: (opening: Delivery) => boolean | undefined
): { readonly alertId: string | undefined; readonly overtakesOpening: boolean } => {
  const seen = all.map((one): QueuedDelivery => {
    const is = one.purpose === "open" ? delivered(one) : undefined
    return is === undefined ? one : { ...one, status: is ? "delivered" : "failed" }
  })
  const alertId = due.purpose === "open" ? undefined : knownAs(due, seen)
  return { alertId, overtakesOpening: due.purpose !== "open" && alertId === undefined }
}

/**
 * The alert id under which the channel received the opening, preferably this entry's own; undefined when no opening was
 * delivered.
 */
const knownAs = (delivery: QueuedDelivery, all: ReadonlyArray<QueuedDelivery>): string | undefined => {
  const openings = all.filter(({ purpose, status }) => purpose === "open" && status === "delivered")
  const own = openings.find(({ entryId }) => entryId === delivery.entryId)
  const carrier = own === undefined || own.sharedWith === null ? own : all.find(({ id }) => id === own.sharedWith)
  return (carrier ?? own ?? openings.find(({ sharedWith }) => sharedWith === null))?.alertId
}
