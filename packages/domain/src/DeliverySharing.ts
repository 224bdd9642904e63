/**
 * Which deliveries to one channel are one message. Several rules may alert the same channel to the same outage: it is
 * notified once of the beginning, once of the end, and as often in between as the most frequent reminders ask for. Pure: what
 * the queue holds about one monitor, trigger and outage in, the next step out.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** A delivery as the queue has it. All that are given are of one channel, monitor, trigger and outage. */
export interface QueuedDelivery {
  readonly id: string
  /** The history entry: one of each rule. */
  readonly entryId: string
  /** The alert of its rule; destinations know an incident by it. */
  readonly alertId: string
  readonly purpose: "open" | "repeat" | "close"
  readonly status: "pending" | "delivered" | "failed" | "merged"
  /** The delivery that carried this one's message; null when it was sent itself. */
  readonly sharedWith: string | null
  readonly createdAt: EpochMillis
  readonly finishedAt: EpochMillis | null
  /** How often its rule asks for reminders, minutes; 0: never. */
  readonly resendEvery: number
}

export type SharingStep =
  /** The channel was notified already, by this delivery: nothing is sent. */
  | { readonly _tag: "Notified"; readonly by: string }
  /** The channel was notified a moment ago: a reminder waits until its rule's time has passed since. */
  | { readonly _tag: "Wait"; readonly until: EpochMillis }
  /** One message, under this alert's id, stands for these deliveries too. */
  | {
      readonly _tag: "Send"
      readonly alertId: string
      readonly shared: ReadonlyArray<QueuedDelivery>
      /** The beginning never reached the channel. */
      readonly overtakesOpening: boolean
    }

/** Reminders are queued every few seconds: one that comes so much sooner is still on time. */
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
 * Under which alert's id the channel was notified of the beginning: by this entry's own opening, or else by any other;
 * undefined when none got through.
 */
const knownAs = (delivery: QueuedDelivery, all: ReadonlyArray<QueuedDelivery>): string | undefined => {
  const openings = all.filter(({ purpose, status }) => purpose === "open" && status === "delivered")
  const own = openings.find(({ entryId }) => entryId === delivery.entryId)
  const carrier = own === undefined || own.sharedWith === null ? own : all.find(({ id }) => id === own.sharedWith)
  return (carrier ?? own ?? openings.find(({ sharedWith }) => sharedWith === null))?.alertId
}
