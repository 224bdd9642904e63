/** Entries of the time lines of alerts. Pure. */
import type { Alert } from "@kanmon/domain/Alert"
import type { Act } from "@kanmon/domain/AlertHandling"
import type { TimelineEntry as ShownEntry } from "@kanmon/domain/AlertTimeline"
import type { Told } from "@kanmon/domain/Escalation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Responder } from "../alerts/index.ts"
import type { SentEntry } from "../delivery/index.ts"
import { roundOf, type TimelineEntry } from "./EscalationRecords.ts"
import type { EntryRow, PageRow } from "./TimelineRepository.ts"

/** The entry of something that an escalation did. */
export const toldEntry = (alertId: string, told: Told, at: EpochMillis): TimelineEntry => {
  switch (told._tag) {
    case "StepRan":
      return { alertId, at, type: "step_ran", round: told.round, step: told.step }
    case "NobodyReached":
      return { alertId, at, type: "nobody_reached", round: told.round, step: told.step }
    case "AcknowledgementEnded":
      return { alertId, at, type: "acknowledgement_ended" }
    case "Exhausted":
      return { alertId, at, type: "exhausted" }
  }
}

const acts = { Acknowledge: "acknowledged", Unacknowledge: "unacknowledged", Snooze: "snoozed" } as const

/** The entry of something that somebody did. */
export const actEntry = (alertId: string, act: Act, { actor }: Responder, at: EpochMillis): TimelineEntry => ({
  alertId,
  at,
  type: acts[act._tag],
  actor,
  note: act._tag === "Acknowledge" ? act.note : null,
  until: act._tag === "Snooze" ? act.until : undefined
})

const nothing = { round: null, step: null, by: null, note: null, until: null, target: null, page: null } as const

/** Ranks entries of the same instant: the opening, the events, the pages that followed from them, and the end. */
const ranks = { opened: 0, page: 2, resolved: 3 } as const
const rankOf = ({ type }: ShownEntry): number =>
  type === "opened" || type === "page" || type === "resolved" ? ranks[type] : 1

/** The timeline of an alert: stored entries, pages, opening and end, newest last. */
export const timelineOf = (
  alert: Alert,
  entries: ReadonlyArray<EntryRow>,
  pages: ReadonlyArray<PageRow>,
  sent: ReadonlyMap<string, SentEntry>
): ReadonlyArray<ShownEntry> => {
  // An alert that was acknowledged before entries were stored.
  const isMissing = alert.acknowledgedAt !== null && !entries.some(({ type }) => type === "acknowledged")
  const { acknowledgedAt, acknowledgedBy: by, note } = alert
  const all: ReadonlyArray<ShownEntry> = [
    { ...nothing, at: alert.openedAt, type: "opened", note: alert.reason },
    ...(isMissing ? [{ ...nothing, at: acknowledgedAt!, type: "acknowledged", by, note } as const] : []),
    ...entries.map((entry) => ({ ...entry, page: null })),
    ...pages.map((page) => pageEntry(page, sent.get(page.carrier))),
    ...(alert.resolvedAt === null
      ? []
      : [{ ...nothing, at: alert.resolvedAt, type: "resolved", by: alert.resolvedBy } as const])
  ]
  return all.toSorted((one, other) => one.at - other.at || rankOf(one) - rankOf(other))
}

const pageEntry = (
  { carrier: _, createdAt, round, step, ...page }: PageRow,
  sent: SentEntry | undefined
): ShownEntry => ({
  ...nothing,
  at: createdAt,
  type: "page",
  round: roundOf({ cause: page.cause, round }),
  step,
  page: {
    ...page,
    attempts: (sent?.attempts ?? []).map(({ at, detail, outcome }) => ({ at, outcome, detail })),
    answeredAt: sent?.answeredAt ?? null,
    reply: sent?.reply ?? null,
    alerts: sent?.subjects ?? 1
  }
})
