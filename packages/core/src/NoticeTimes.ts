/**
 * The times in a notice, as its reader's clocks show them. Reasons are written once, for the history and for programs, with times in
 * UTC; only those that Kanmon itself put there are replaced, never a time in what a target answered.
 */
import { localDay, localInstant } from "@kanmon/domain/TimeZone"
import { type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import type { Notice, NoticeEvent } from "./Notice.ts"

/** The subject of a reason. */
export interface ReasonOf {
  readonly event: NoticeEvent
  readonly monitor: Pick<Notice["monitor"], "type">
  readonly reason: string
  readonly expiresAt?: EpochMillis | null
}

/** `2026-11-20 21:00:00 UTC`, as `instant` writes it. */
const written = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g

/** Sentences with times, without quoted text. */
const own = ["No signal arrived by ", "The run that started at ", "No check has had a result since "]

/** The reason with its times in a zone. */
export const localReason = ({ event, expiresAt, monitor, reason }: ReasonOf, zone: string | undefined): string => {
  if (zone === undefined) return reason
  if (expiresAt !== undefined && expiresAt !== null && !event.startsWith("monitor"))
    return reason.replaceAll(utcDay(expiresAt), localDay(expiresAt, zone))
  const isOwn =
    event.startsWith("monitor_stale") || (monitor.type === "heartbeat" && own.some((start) => reason.includes(start)))
  return isOwn
    ? reason.replaceAll(written, (text) => localInstant(Date.parse(`${text.slice(0, 19).replace(" ", "T")}Z`), zone))
    : reason
}
