/**
 * How far a delivery has come with each recipient of its channel. A recipient is tried until it is settled, and never
 * again after that; settled recipients do not wait for the others. Pure.
 */
import { Schema } from "effect"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** The progress of one recipient. Recipients that are not listed were not tried yet. */
export const RecipientProgress = Schema.Struct({
  /** Its identity: an address in the form in which addresses are compared. */
  recipient: Schema.String,
  /**
   * `waiting`: the last attempt failed, and another one follows. `held`: above its rate, so that nothing was tried. `gone`:
   * refused, because it no longer exists.
   */
  outcome: Schema.Literals(["waiting", "held", "delivered", "failed", "gone"]),
  /** Attempts so far. */
  attempts: Schema.Int,
  /** When it may be tried again; null when it is settled. */
  dueAt: Schema.NullOr(Timestamp),
  /** The answer to the last attempt. */
  detail: Schema.String
})
export type RecipientProgress = typeof RecipientProgress.Type

type Progress = ReadonlyArray<RecipientProgress>

export type RecipientsStep =
  | { readonly _tag: "Try"; readonly recipient: string }
  /** Nothing is due before this instant. */
  | { readonly _tag: "Wait"; readonly until: EpochMillis }
  /** Every recipient is settled. */
  | { readonly _tag: "Settled" }

/** The next step of a delivery to these recipients, in their order. */
export const stepOf = (recipients: ReadonlyArray<string>, progress: Progress, now: EpochMillis): RecipientsStep => {
  const open = recipients.filter((recipient) => !isSettled(of(progress, recipient)))
  const dueAt = (recipient: string) => of(progress, recipient)?.dueAt ?? 0
  const due = open.find((recipient) => dueAt(recipient) <= now)
  if (due !== undefined) return { _tag: "Try", recipient: due }
  return open.length === 0 ? { _tag: "Settled" } : { _tag: "Wait", until: Math.min(...open.map(dueAt)) }
}

/** The progress of a recipient. */
export const of = (progress: Progress, recipient: string): RecipientProgress | undefined =>
  progress.find((one) => one.recipient === recipient)

/** The progress after a recipient was tried or held. */
export const noted = (progress: Progress, result: RecipientProgress): Progress => [
  ...progress.filter(({ recipient }) => recipient !== result.recipient),
  result
]

/** The recipients that got the message. */
export const delivered = (progress: Progress): Progress => progress.filter(({ outcome }) => outcome === "delivered")

/** The recipients, in their order, that are not settled, or settled without the message. */
export const undelivered = (recipients: ReadonlyArray<string>, progress: Progress): Progress =>
  recipients.flatMap((recipient) => of(progress, recipient) ?? []).filter(({ outcome }) => outcome !== "delivered")

/**
 * The progress of one message that stands for several deliveries about the same thing: a recipient that got any of them got
 * it, one that is settled in any of them is settled.
 */
export const joined = (all: ReadonlyArray<Progress>): Progress => {
  const best = new Map<string, RecipientProgress>()
  for (const one of all.flat()) {
    const other = best.get(one.recipient)
    if (other === undefined || further(one, other)) best.set(one.recipient, one)
  }
  return [...best.values()]
}

/** Whether one message can stand for both: the recipients that are left are the same. */
export const isAlike = (one: Progress, other: Progress): boolean =>
  one.every((row) => isSettled(row) === isSettled(of(other, row.recipient))) &&
  other.every((row) => isSettled(row) === isSettled(of(one, row.recipient)))

const isSettled = (row: RecipientProgress | undefined): boolean => row !== undefined && row.dueAt === null

const rank = ({ dueAt, outcome }: RecipientProgress): number => (outcome === "delivered" ? 2 : dueAt === null ? 1 : 0)

const further = (one: RecipientProgress, other: RecipientProgress): boolean =>
  rank(one) === rank(other) ? (one.dueAt ?? 0) > (other.dueAt ?? 0) : rank(one) > rank(other)
