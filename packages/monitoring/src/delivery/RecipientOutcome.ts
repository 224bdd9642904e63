/** Decides the next step of a delivery from the progress of its recipients. Pure. */
import { truncate } from "@kanmon/core/NoticeText"
import * as RecipientProgress from "@kanmon/domain/RecipientProgress"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { DeliveryOutcome } from "./DeliveryRecords.ts"

type Progress = ReadonlyArray<RecipientProgress.RecipientProgress>

/**
 * The outcome after one recipient was tried or held. `restUntil`: until when the channel rests if the attempt failed like all
 * others: one recipient that fails does not make the others wait.
 */
export const outcomeOf = (
  recipients: ReadonlyArray<string>,
  progress: Progress,
  restUntil: EpochMillis | null,
  now: EpochMillis
): DeliveryOutcome => {
  const step = RecipientProgress.stepOf(recipients, progress, now)
  const known = recipients.flatMap((recipient) => RecipientProgress.of(progress, recipient) ?? [])
  switch (step._tag) {
    case "Try":
      return { _tag: "Continue" }
    case "Wait": {
      const isFailure =
        known.some(({ outcome }) => outcome === "waiting") && known.every(({ outcome }) => outcome !== "delivered")
      return { _tag: "Retry", at: step.until, restUntil: isFailure ? restUntil : null, isFailure }
    }
    case "Settled":
      return known.every(({ outcome }) => outcome === "delivered")
        ? { _tag: "Delivered" }
        : { _tag: "Failed", disable: known.every(({ outcome }) => outcome === "gone") }
  }
}

/** Longest text about recipients. */
const most = 2000

/** How a delivery stands, in words: the answer where there is one recipient, else who has not got it, and why. */
export const detailOf = (
  recipients: ReadonlyArray<{ readonly name: string; readonly text: string }>,
  progress: Progress
): string => {
  const [only] = recipients
  if (only !== undefined && recipients.length === 1) return RecipientProgress.of(progress, only.name)?.detail ?? ""
  const texts = new Map(recipients.map(({ name, text }) => [name, text]))
  const missing = RecipientProgress.undelivered([...texts.keys()], progress)
  return missing.length === 0
    ? `Sent to ${recipients.length} recipients`
    : truncate(missing.map(({ detail, recipient }) => `${texts.get(recipient)}: ${detail}`).join("; "), most)
}
