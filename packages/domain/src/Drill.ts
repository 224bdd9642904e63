/**
 * Drills: a real alert that is marked as practice runs through a policy, so that on-call is proved before it is needed. When a drill
 * begins, how it ends, and what its report says. Pure.
 */
import { Schema } from "effect"
import { AlertActor } from "./Alert.ts"
import { type TimelineEntry, TimelineEntry as TimelineEntrySchema } from "./AlertTimeline.ts"
import { AlertRecordId, ChannelId, DrillId, EscalationPolicyId, MonitorId, ProjectId, RuleId, UserId } from "./Ids.ts"
import { dayMillis, type Zone } from "./LocalTime.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"
import { instantOf, type WallMillis } from "./WallClock.ts"

export const DrillEvery = Schema.Literals(["week", "month", "quarter"]).annotate({
  description: "How often it is repeated, at the same local time; a month without its day has it on its last one"
})
export type DrillEvery = typeof DrillEvery.Type

/** How a drill stands. */
export const DrillStatus = Schema.Literals([
  "scheduled",
  "running",
  "acknowledged",
  "exhausted",
  "stopped",
  "skipped"
]).annotate({
  description:
    "`scheduled`, `running`, `acknowledged`: somebody answered; `exhausted`: the policy came to its end and no one had; `stopped` before its end; `skipped`: it did not begin, and `detail` says why. More values may be added"
})
export type DrillStatus = typeof DrillStatus.Type

export const Drill = Schema.Struct({
  id: DrillId,
  projectId: ProjectId,
  policyId: Schema.NullOr(EscalationPolicyId).annotate({ description: "The policy that it tries; or null" }),
  ruleId: Schema.NullOr(RuleId).annotate({ description: "The rule that it tries; or null" }),
  monitorId: Schema.NullOr(MonitorId).annotate({ description: "The monitor whose rules it tries; or null" }),
  name: Schema.String.annotate({ description: "Name of the policy, rule or monitor when the drill was made" }),
  status: DrillStatus,
  detail: Schema.NullOr(Schema.String).annotate({ description: "Why it was skipped or stopped; otherwise null" }),
  startsAt: Timestamp.annotate({ description: "When it begins, or was to begin" }),
  every: Schema.NullOr(DrillEvery).annotate({
    description: "Null: once. Otherwise the next one is scheduled when this one begins, as a drill of its own"
  }),
  timezone: Schema.String.annotate({ description: "IANA time zone in which it is repeated" }),
  createdBy: AlertActor,
  startedAt: Schema.NullOr(Timestamp),
  endedAt: Schema.NullOr(Timestamp),
  acknowledgedAt: Schema.NullOr(Timestamp).annotate({ description: "When somebody answered; null: no one did" }),
  acknowledgedBy: Schema.NullOr(AlertActor)
}).annotate({ identifier: "Drill" })
export type Drill = typeof Drill.Type

/** Something that did not reach its target. */
const Failed = Schema.Struct({
  methodType: Schema.NullOr(Schema.String).annotate({
    description: "Type of the contact method; null for a channel, and for a deleted method"
  }),
  detail: Schema.NullOr(Schema.String).annotate({ description: "The provider's answer, or why nothing was sent" })
})

const seconds = (description: string) => Schema.NullOr(Schema.Int).annotate({ description })

/** How a drill reached one person. */
export const DrillPerson = Schema.Struct({
  userId: UserId,
  name: Schema.NullOr(Schema.String).annotate({ description: "Null for a deleted account" }),
  reachedAfterSeconds: seconds("Seconds from the beginning to the first page that a provider accepted; null: none was"),
  reachedBy: Schema.NullOr(Schema.String).annotate({ description: "Type of the contact method of that page" }),
  answeredAfterSeconds: seconds(
    "Seconds to the person's first answer, with the link of a message or from the device; null: there was none"
  ),
  failed: Schema.Array(Failed).annotate({ description: "Pages to the person that failed for good" }),
  dropped: Schema.Int.annotate({ description: "Pages to the person that the end of the drill took back" })
})
export type DrillPerson = typeof DrillPerson.Type

/** How a drill reached one channel. */
export const DrillChannel = Schema.Struct({
  channelId: ChannelId,
  name: Schema.NullOr(Schema.String).annotate({ description: "Null for a deleted channel" }),
  reachedAfterSeconds: seconds("Seconds from the beginning to the first message that was accepted; null: none was"),
  failed: Schema.Array(Failed).annotate({ description: "Messages to the channel that failed for good" })
})
export type DrillChannel = typeof DrillChannel.Type

/** A drill, with what it shows about the people and channels that it called. */
export const DrillReport = Schema.Struct({
  ...Drill.fields,
  alertIds: Schema.Array(AlertRecordId).annotate({
    description: "Its alerts, one for each rule. They are in no list of alerts"
  }),
  people: Schema.Array(DrillPerson).annotate({ description: "The people who were paged, in the order of that" }),
  channels: Schema.Array(DrillChannel).annotate({ description: "The channels that were told, in the order of that" }),
  timeline: Schema.Array(TimelineEntrySchema).annotate({
    description: "Everything that happened, newest last, as in the timeline of an alert"
  })
}).annotate({ identifier: "DrillReport" })
export type DrillReport = typeof DrillReport.Type

/** The data by which drills are repeated. */
export interface Repetition {
  /** The first one, from which all others are counted. */
  readonly firstAt: EpochMillis
  readonly every: DrillEvery
  readonly zone: Zone
}

const monthsOf = { month: 1, quarter: 3 } as const

/** The wall time of the k-th drill. Months are counted from the first one, so that the 31st does not become the 28th for ever. */
const wallOf = (first: WallMillis, every: DrillEvery, k: number): WallMillis => {
  if (every === "week") return first + k * 7 * dayMillis
  const date = new Date(first)
  const month = date.getUTCMonth() + k * monthsOf[every]
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last))
  const ofDay = first - Math.floor(first / dayMillis) * dayMillis
  return day + ofDay
}

/** Less than any of these steps is long. */
const shortest = { week: 6 * dayMillis, month: 27 * dayMillis, quarter: 88 * dayMillis } as const

/** More than any of these steps is long. */
const longest = { week: 8 * dayMillis, month: 32 * dayMillis, quarter: 93 * dayMillis } as const

/** The first repetition after an instant. */
export const nextStart = ({ every, firstAt, zone }: Repetition, after: EpochMillis): EpochMillis => {
  const first = firstAt + zone.offsetAt(firstAt)
  const least = Math.max(1, Math.floor((after - firstAt) / longest[every]) - 1)
  const most = Math.max(least, Math.ceil((after - firstAt) / shortest[every]) + 1)
  for (let k = least; k < most; k++) {
    const at = instantOf(zone, wallOf(first, every, k))
    if (at > after) return at
  }
  return instantOf(zone, wallOf(first, every, most))
}

/** A drill that is later than this is not begun: what was planned for the morning must not wake people at night. */
export const latestMillis = 60 * 60_000

/** Whether a drill still begins that is due. */
export const isTooLate = ({ startsAt }: { readonly startsAt: EpochMillis }, now: EpochMillis): boolean =>
  now - startsAt > latestMillis

/** How the alert of a rule with a policy stands. */
export interface DrilledAlert {
  readonly isAcknowledged: boolean
  /** It was closed by something else, such as the deletion of its rule. */
  readonly isOver: boolean
  /** The policy is at its end, and nothing of it waits for its outcome. */
  readonly isExhausted: boolean
}

/** How a running drill ends now; undefined: it goes on. Each of its alerts has to be answered, or to come to its end. */
export const drillEnd = (alerts: ReadonlyArray<DrilledAlert>): "acknowledged" | "exhausted" | "stopped" | undefined => {
  const open = alerts.filter(({ isOver }) => !isOver)
  if (open.length === 0) return "stopped"
  if (!open.every(({ isAcknowledged, isExhausted }) => isAcknowledged || isExhausted)) return undefined
  return open.every(({ isAcknowledged }) => isAcknowledged) ? "acknowledged" : "exhausted"
}

type PageEntry = NonNullable<TimelineEntry["page"]>

/** What a report says of people and channels. */
export type Reached = Pick<DrillReport, "people" | "channels">

const secondsFrom = (began: EpochMillis, times: ReadonlyArray<EpochMillis>): number | null =>
  times.length === 0 ? null : Math.max(0, Math.round((Math.min(...times) - began) / 1000))

const failedOf = (pages: ReadonlyArray<PageEntry>): DrillPerson["failed"] =>
  pages.flatMap(({ detail, methodType, outcome }) => (outcome === "failed" ? [{ methodType, detail }] : []))

const earliest = (pages: ReadonlyArray<PageEntry>): PageEntry | undefined =>
  pages
    .filter(({ finishedAt, outcome }) => outcome === "reached" && finishedAt !== null)
    .toSorted((one, other) => one.finishedAt! - other.finishedAt!)[0]

const reachedAt = (page: PageEntry | undefined): ReadonlyArray<EpochMillis> =>
  page === undefined || page.finishedAt === null ? [] : [page.finishedAt]

/** Who was reached after how long and by what, and what failed, from the pages of a drill. */
export const reachedIn = (began: EpochMillis, timeline: ReadonlyArray<TimelineEntry>): Reached => {
  const pages = timeline.flatMap(({ page }) => page ?? [])
  const people = Map.groupBy(
    pages.filter(({ userId }) => userId !== null),
    ({ userId }) => userId!
  )
  const channels = Map.groupBy(
    pages.filter(({ channelId }) => channelId !== null),
    ({ channelId }) => channelId!
  )
  return {
    people: [...people].map(([userId, own]) => {
      const first = earliest(own)
      return {
        userId,
        name: own.find(({ userName }) => userName !== null)?.userName ?? null,
        reachedAfterSeconds: secondsFrom(began, reachedAt(first)),
        reachedBy: first?.methodType ?? null,
        answeredAfterSeconds: secondsFrom(
          began,
          own.flatMap(({ answeredAt }) => answeredAt ?? [])
        ),
        failed: failedOf(own),
        dropped: own.filter(({ outcome }) => outcome === "dropped").length
      }
    }),
    channels: [...channels].map(([channelId, own]) => ({
      channelId,
      name: own.find(({ channelName }) => channelName !== null)?.channelName ?? null,
      reachedAfterSeconds: secondsFrom(began, reachedAt(earliest(own))),
      failed: failedOf(own)
    }))
  }
}
