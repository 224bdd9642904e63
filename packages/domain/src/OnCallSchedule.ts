/** On-call schedules: layers of rotations, and overrides that change them. */
import { Schema } from "effect"
import { patternText } from "./BoundedText.ts"
import { OverrideId, UserId } from "./Ids.ts"
import { type Day, dayMillis } from "./LocalTime.ts"
import { Name } from "./Monitor.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"
import { maxWindows, TimeOfDay, Weekday, WeeklyWindow } from "./WeeklyWindows.ts"

const datePattern = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** A day of the calendar, from 1970 to 2999. */
export const CalendarDate = patternText(10, datePattern, "Expected a date such as 2026-11-20").check(
  Schema.makeFilter((text) =>
    datePattern.test(text) && dateOf(dayOfDate(text)) !== text ? "Expected a day that exists" : undefined
  )
)

/** The day of a date, counted from 1970-01-01. */
export const dayOfDate = (date: string): Day =>
  Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / dayMillis

/** `2026-11-20` for a day. */
export const dateOf = (day: Day): string => new Date(day * dayMillis).toISOString().slice(0, 10)

/** How long a turn is. */
export const RotationUnit = Schema.Literals(["hour", "day", "week", "month"])
export type RotationUnit = typeof RotationUnit.Type

const Rotation = Schema.Struct({
  every: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999 })).annotate({
    description: "How many units a turn takes"
  }),
  unit: RotationUnit,
  skipEmpty: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether turns that lie wholly outside the restrictions are left out" })
  )
})

const Handoff = Schema.Struct({
  time: TimeOfDay.annotate({ description: "Local time of the handoff" }),
  weekday: Schema.optionalKey(Weekday.annotate({ description: "Day of the handoff; only with the unit `week`" })),
  day: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 })).annotate({
      description: "Day of the month, the last one in shorter months; only with the unit `month`"
    })
  )
})

/** Hours of the week of a layer or a schedule. */
export const HoursOfWeek = Schema.Array(WeeklyWindow).check(Schema.isBetweenLength(1, maxWindows))

/** Most participants of a layer. */
const maxParticipants = 100

/** A rotation of people. A later layer wins over an earlier one where it has somebody. */
export const Layer = Schema.Struct({
  name: Name,
  participants: Schema.Array(Schema.Struct({ userId: UserId })).check(Schema.isBetweenLength(1, maxParticipants)),
  rotation: Rotation,
  handoff: Handoff,
  startsOn: CalendarDate.annotate({ description: "The day on which the first turn begins" }),
  endsOn: Schema.optionalKey(CalendarDate.annotate({ description: "The day on which the last turn ends" })),
  restrictions: Schema.optionalKey(
    HoursOfWeek.annotate({ description: "The hours in which turns count; they never change the order of people" })
  )
})
  .check(
    Schema.makeFilter(({ endsOn, handoff, rotation, startsOn }) => {
      if (handoff.weekday !== undefined && rotation.unit !== "week") return "`handoff.weekday` needs the unit `week`"
      if (handoff.day !== undefined && rotation.unit !== "month") return "`handoff.day` needs the unit `month`"
      return endsOn !== undefined && endsOn <= startsOn ? "Expected an `endsOn` after `startsOn`" : undefined
    })
  )
  .annotate({ identifier: "ScheduleLayer" })
export type Layer = typeof Layer.Type

/**
 * Where a rotation goes on after an edit: the turn in progress at an instant keeps its person, and the turns after it begin with
 * another participant.
 */
export interface Anchor {
  readonly at: EpochMillis
  /** The person with the turn in progress, who may no longer be a participant. */
  readonly userId: UserId
  /** The index of the participant of the next turn that counts. */
  readonly next: number
}

/** A layer, and where its rotation goes on since its last edit. */
export interface RotatingLayer extends Layer {
  readonly anchor?: Anchor
}

/** A change of the final shifts between two instants. */
export const Override = Schema.Struct({
  id: OverrideId,
  from: Timestamp,
  to: Timestamp,
  userId: Schema.NullOr(UserId).annotate({ description: "The person on call instead; null: no one" }),
  replaces: Schema.optionalKey(
    UserId.annotate({ description: "The person who is replaced; by default everybody, and gaps too" })
  )
})
export type Override = typeof Override.Type

/** The parts of a schedule that decide its shifts. */
export interface Schedule {
  /** IANA name. */
  readonly timezone: string
  /** The hours in which somebody has to be on call. Default: always. */
  readonly coverage?: ReadonlyArray<WeeklyWindow> | undefined
  readonly layers: ReadonlyArray<RotatingLayer>
}

/** Most layers of a schedule. */
export const maxLayers = 20

const ofAllLayers = { participants: 500, windows: 200 }

/** The layers of a schedule, by different names. */
export const Layers = Schema.Array(Layer).check(
  Schema.isMaxLength(maxLayers),
  Schema.makeFilter((layers) => {
    const names = layers.map(({ name }) => name)
    const twin = names.find((name, index) => names.indexOf(name) !== index)
    if (twin !== undefined) return `Expected a name of its own for each layer; ${twin} is there twice`
    const count = (of: (layer: Layer) => number) => layers.reduce((sum, layer) => sum + of(layer), 0)
    if (count(({ participants }) => participants.length) > ofAllLayers.participants)
      return `Expected at most ${ofAllLayers.participants} participants over all layers`
    return count(({ restrictions = [] }) => restrictions.length) > ofAllLayers.windows
      ? `Expected at most ${ofAllLayers.windows} restrictions over all layers`
      : undefined
  })
)

/** Most schedules of an organization. */
export const maxSchedules = 100

/** Most overrides of a schedule that are not over. */
export const maxOverrides = 500

/** The fields of a schedule that people set. */
export interface ScheduleDraft {
  readonly key: string | null
  readonly name: string
  /** IANA name. */
  readonly timezone: string
  readonly coverage: ReadonlyArray<WeeklyWindow> | null
  readonly layers: ReadonlyArray<Layer>
}
