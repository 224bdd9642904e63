/** Names and appearance of incidents and maintenance windows. */
import { formatLocale, t, type Text } from "../../locales/text.ts"
import type { Tone } from "../../ui/Status.tsx"
import type { IncidentRecord, Status } from "./queries.ts"
import { recurrenceOf } from "./recurrence.ts"
import { describeRecurrence, type Language } from "./recurrenceWords.ts"

export const statuses = ["investigating", "identified", "monitoring", "resolved"] as const

const statusTexts = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved"
} as const satisfies Record<Status, Text>

export const statusWord = (status: Status): string => t(statusTexts[status])

/** As on status pages: entries of a window are updates until it is over. */
export const entryWord = (status: Status, maintenance: boolean): string =>
  maintenance ? (status === "resolved" ? t("Completed") : t("Update")) : statusWord(status)

export type Phase = "scheduled" | "in_progress" | "completed"

export const phaseOf = ({ resolvedAt, scheduledStart }: IncidentRecord, now: number): Phase =>
  resolvedAt !== null
    ? "completed"
    : scheduledStart !== null && now < Date.parse(scheduledStart)
      ? "scheduled"
      : "in_progress"

const phaseTexts = {
  scheduled: "Scheduled",
  in_progress: "In progress",
  completed: "Completed"
} as const satisfies Record<Phase, Text>

const phaseWord = (phase: Phase): string => t(phaseTexts[phase])

/** Where an incident stands, in a word. */
export const stateWord = (incident: IncidentRecord, now: number): string =>
  incident.maintenance ? phaseWord(phaseOf(incident, now)) : statusWord(incident.status)

export const toneOfIncident = ({ maintenance, resolvedAt, status }: IncidentRecord): Tone => {
  if (resolvedAt !== null) return "up"
  return maintenance ? "maintenance" : status === "monitoring" ? "degraded" : "down"
}

export const toneOfEntry = (status: Status, maintenance: boolean): Tone => {
  if (status === "resolved") return "up"
  if (maintenance) return "maintenance"
  return status === "monitoring" ? "degraded" : status === "identified" ? "degraded" : "down"
}

const language = (): Language => ({ say: t, locale: formatLocale() })

/** From when to when, in the reader's time zone; the day once where it is the same. */
export const windowWords = (start: number, end: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: "medium", timeStyle: "short" }).formatRange(start, end)

/** When the windows of a series are, in words; its rule where the words do not reach. Undefined without a series. */
export const seriesWords = ({
  recurrence,
  scheduledEnd,
  scheduledStart,
  timezone
}: Pick<IncidentRecord, "recurrence" | "scheduledEnd" | "scheduledStart" | "timezone">): string | undefined => {
  if (recurrence == null || scheduledStart == null || scheduledEnd == null) return undefined
  const zone = timezone ?? "UTC"
  const [start, end] = [Date.parse(scheduledStart), Date.parse(scheduledEnd)]
  const read = recurrenceOf(recurrence, start, zone)
  return read === undefined ? `${recurrence} (${zone})` : describeRecurrence(read, { start, end, zone }, language())
}
