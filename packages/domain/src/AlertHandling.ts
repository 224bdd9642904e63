/**
 * Acknowledging and snoozing alerts, with the reasons to refuse them. Pure: takes a stored alert and returns the alert
 * to store. It never changes the status of the monitor.
 */
import { Result, Schema } from "effect"
import type { AlertActor, AlertStatus } from "./Alert.ts"
import { type EpochMillis, instant } from "./Timestamp.ts"

/** How an alert is being handled. */
export interface Handling {
  readonly resolvedAt: EpochMillis | null
  readonly acknowledgedAt: EpochMillis | null
  readonly acknowledgedBy: AlertActor | null
  readonly note: string | null
  readonly snoozedUntil: EpochMillis | null
  readonly snoozedBy: AlertActor | null
}

/** An action on an alert. `until` is in the future. */
export type Act =
  | { readonly _tag: "Acknowledge"; readonly note: string | null }
  | { readonly _tag: "Unacknowledge" }
  | { readonly _tag: "Snooze"; readonly until: EpochMillis }

/** The state of the alert does not allow the act; `detail` says why, and who was first. */
export class AlertConflict extends Schema.TaggedError<AlertConflict>()("AlertConflict", { detail: Schema.String }) {}

/** The state of an alert at an instant. */
export const stateOf = (alert: Handling, now: EpochMillis): AlertStatus => {
  if (alert.resolvedAt !== null) return "resolved"
  if (alert.acknowledgedAt !== null) return "acknowledged"
  return alert.snoozedUntil !== null && alert.snoozedUntil > now ? "snoozed" : "open"
}

/** Whether reminders are sent at that instant. */
export const isReminded = (alert: Handling, now: EpochMillis): boolean => stateOf(alert, now) === "open"

/** An alert that no one handles. */
export const untouched = {
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null
} as const

/**
 * The alert after an action; `undefined` if nothing changes. The first of two concurrent acknowledgements wins; the
 * second is told the name of the first.
 */
export const handle = (
  alert: Handling,
  act: Act,
  by: AlertActor,
  now: EpochMillis
): Result.Result<Handling | undefined, AlertConflict> => {
  if (alert.resolvedAt !== null) return conflict(`The alert was resolved at ${instant(alert.resolvedAt)}`)
  if (act._tag === "Unacknowledge") {
    return Result.succeed(
      alert.acknowledgedAt === null && alert.snoozedUntil === null ? undefined : { ...alert, ...untouched }
    )
  }
  // The end of a snooze opens also an alert that was acknowledged.
  if (act._tag === "Snooze") return Result.succeed({ ...alert, ...untouched, snoozedUntil: act.until, snoozedBy: by })
  if (alert.acknowledgedAt !== null) return conflict(acknowledgedWords(alert, alert.acknowledgedAt))
  return Result.succeed({ ...alert, ...untouched, acknowledgedAt: now, acknowledgedBy: by, note: act.note })
}

const conflict = (detail: string) => Result.fail(new AlertConflict({ detail }))

const acknowledgedWords = ({ acknowledgedBy, note }: Handling, at: EpochMillis): string =>
  `The alert was already acknowledged by ${actorInWords(acknowledgedBy)} at ${instant(at)}${note === null ? "" : `: ${note}`}`

/**
 * The state of an alert in a sentence, for people who see only that: `Acknowledged by Ada at 2026-11-20 22:00:00 GMT+1`. `at` writes
 * its times.
 */
export const stateInWords = (
  alert: Handling & { readonly openedAt: EpochMillis },
  now: EpochMillis,
  at: (time: EpochMillis) => string = instant
): string => {
  switch (stateOf(alert, now)) {
    case "resolved":
      return `Resolved at ${at(alert.resolvedAt!)}`
    case "acknowledged":
      return `Acknowledged by ${actorInWords(alert.acknowledgedBy)} at ${at(alert.acknowledgedAt!)}`
    case "snoozed":
      return `Snoozed by ${actorInWords(alert.snoozedBy)} until ${at(alert.snoozedUntil!)}`
    case "open":
      return `Open since ${at(alert.openedAt)}, not acknowledged`
  }
}

/** For example `Ada`, `the API key Deploys`, `the link sent to On call`. */
export const actorInWords = (actor: AlertActor | null): string => {
  if (actor === null) return "somebody"
  if (actor.kind === "user") return actor.name
  if (actor.kind === "integration") return `the integration ${actor.name}`
  return actor.kind === "key" ? `the API key ${actor.name}` : `the link sent to ${actor.name}`
}
