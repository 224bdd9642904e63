/** Bodies of requests and answers about on-call schedules. */
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { OrganizationId, OverrideId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { formerLayers } from "@kanmon/domain/OnCallEdit"
import { HoursOfWeek, Layer, Layers, Override, type ScheduleDraft } from "@kanmon/domain/OnCallSchedule"
import { TimeZone } from "@kanmon/domain/TimeZone"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const coverage = "The hours in which somebody has to be on call; null: always. Outside of them no gap is reported"

/** The fields of a schedule. */
export const scheduleFields = {
  key: Schema.NullOr(Key)
    .annotate({ description: "Name by which configuration files refer to the schedule; unique in the organization" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  name: Body.name,
  timezone: TimeZone.annotate({
    description: "IANA time zone in which handoffs and hours of the week are meant, such as `Europe/Berlin`"
  }),
  coverage: Schema.NullOr(HoursOfWeek)
    .annotate({ description: coverage })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  layers: Layers.annotate({
    description:
      "Rotations of people, each with a name of its own. A later layer wins over an earlier one where it has somebody"
  })
}

type Sent = Schema.Struct<typeof scheduleFields>["Encoded"]

/** The body of a new schedule, as it is sent. */
export type ScheduleRequest = Sent

/** A layer of a change: without `startsOn` the rotation goes on. */
type LayerChange = Omit<typeof Layer.Encoded, "startsOn"> & { readonly startsOn?: string }

/** The body of a change. Fields that are left out stay as they are. */
export type ScheduleUpdate = Omit<Body.Change<Sent>, "layers"> & { readonly layers?: ReadonlyArray<LayerChange> }

/** Decodes a schedule; every broken field is named. Whether the people exist is for those who know. */
export const decode: (body: unknown) => Result.Result<ScheduleDraft, InvalidFields> = Body.fit(
  decodeStrict(Schema.Struct(scheduleFields))
)

/** Gives layers that say nothing about their first day that of the layer which they were. */
const withFirstDays = (current: ScheduleDraft["layers"], sent: unknown): unknown => {
  if (!Array.isArray(sent)) return sent
  const former = formerLayers(
    current,
    sent.map((layer: unknown) => ({ name: Body.isObject(layer) ? String(layer["name"]) : "" }))
  )
  return sent.map((layer: unknown, index) =>
    Body.isObject(layer) && layer["startsOn"] === undefined && former[index] !== undefined
      ? { ...layer, startsOn: former[index].startsOn }
      : layer
  )
}

/** Lays a change over a schedule; null puts a field back to its default. */
export const merge = (current: ScheduleDraft, change: unknown): unknown => {
  if (!Body.isObject(change)) return change
  const { coverage, key, layers, name, timezone } = current
  const merged = { key, name, timezone, coverage, layers, ...change }
  return Body.cleared(scheduleFields, { ...merged, layers: withFirstDays(layers, merged.layers) })
}

const Warning = Schema.Struct({
  code: Schema.Literals([
    "participant_left",
    "participant_may_not_respond",
    "participant_away",
    "participant_unreachable",
    "participant_by_email_only"
  ]),
  userId: UserId,
  message: Schema.String
})
export type ScheduleWarning = typeof Warning.Type

/** A schedule, as the API shows it. */
export const Schedule = Schema.Struct({
  id: ScheduleId,
  organizationId: OrganizationId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  timezone: Schema.String,
  coverage: Schema.NullOr(HoursOfWeek).annotate({ description: coverage }),
  layers: Schema.Array(Layer),
  warnings: Schema.Array(Warning).annotate({
    description:
      "Participants with turns that they cannot take, and participants whom critical alerts do not reach, or reach by e-mail alone"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Schedule" })
export type Schedule = typeof Schedule.Type

const movedUserIds = Schema.Array(UserId).annotate({
  description: "People who are on call at other times than before, from now on"
})

/** A schedule after a change. */
export const ChangedSchedule = Schema.Struct({ ...Schedule.fields, movedUserIds }).annotate({
  identifier: "ChangedSchedule"
})

/** When somebody is on call, or no one. */
export const Shift = Schema.Struct({
  from: Timestamp,
  to: Timestamp,
  userId: Schema.NullOr(UserId).annotate({ description: "The person on call; null: no one" }),
  layer: Schema.NullOr(Schema.String).annotate({
    description: "The name of the layer that decides; null for overrides, and where no layer has anybody"
  }),
  overrideId: Schema.NullOr(OverrideId)
}).annotate({ identifier: "Shift" })

const Period = Schema.Struct({ from: Timestamp, to: Timestamp })

const shiftFields = {
  shifts: Schema.Array(Shift).annotate({
    description:
      "The final shifts, which partition the window. Past shifts are as recorded at each handoff; future shifts are computed"
  }),
  gaps: Schema.Array(Period).annotate({
    description: "From now on: the hours of the coverage in which no one is on call"
  }),
  layers: Schema.Array(Schema.Struct({ name: Schema.String, shifts: Schema.Array(Shift) })).annotate({
    description: "From now on: the shifts of each layer by itself, without overrides"
  })
}

/** The shifts of a window. */
export const Shifts = Schema.Struct(shiftFields).annotate({ identifier: "Shifts" })

/** The shifts that a draft would have. */
export const PreviewedShifts = Schema.Struct({ ...shiftFields, movedUserIds }).annotate({
  identifier: "PreviewedShifts"
})

/** The person on call in a schedule. */
export const OnCallNow = Schema.Struct({
  scheduleId: ScheduleId,
  scheduleName: Schema.String,
  userId: Schema.NullOr(UserId).annotate({ description: "The person on call; null: no one" }),
  until: Schema.NullOr(Timestamp).annotate({
    description: "When that ends, over adjacent shifts; null if not within 400 days"
  }),
  next: Schema.NullOr(Schema.Struct({ userId: UserId, from: Timestamp })).annotate({
    description: "The next person; null if there is none within 400 days"
  })
}).annotate({ identifier: "OnCallNow" })

/** The shifts of a person that are not over. */
export const OwnShifts = Schema.Array(
  Schema.Struct({
    organizationId: OrganizationId,
    scheduleId: ScheduleId,
    scheduleName: Schema.String,
    from: Timestamp,
    to: Schema.NullOr(Timestamp).annotate({ description: "The end; null if not within 90 days" })
  })
).annotate({ identifier: "OwnShifts" })

/** The fields of an override. */
export const overrideFields = {
  from: Timestamp.annotate({ description: "Beginning; an instant in the past becomes now" }),
  to: Timestamp.annotate({ description: "End, after `from` and in the future" }),
  userId: Override.fields.userId,
  replaces: Schema.NullOr(UserId)
    .annotate({ description: "The person with the shifts to take; null: all shifts, and gaps too" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

export type OverrideRequest = Schema.Struct<typeof overrideFields>["Encoded"]
export type OverrideDraft = Schema.Struct<typeof overrideFields>["Type"]

const decodeOverrideFields = decodeStrict(Schema.Struct(overrideFields))

/** Decodes an override; every broken field is named. */
export const decodeOverride = (body: unknown): Result.Result<OverrideDraft, InvalidFields> =>
  Result.flatMap(decodeOverrideFields(body), (draft) => {
    const errors: Array<FieldError> = []
    if (draft.from >= draft.to) errors.push({ path: "to", message: "Expected an instant after `from`" })
    if (draft.userId !== null && draft.userId === draft.replaces)
      errors.push({ path: "replaces", message: "Expected somebody else than `userId`" })
    return errors.length > 0 ? Result.fail(new InvalidFields({ errors })) : Result.succeed(draft)
  })

/** An override, as the API shows it. */
export const OverrideRecord = Schema.Struct({
  id: OverrideId,
  from: Timestamp,
  to: Timestamp,
  userId: Override.fields.userId,
  replaces: Schema.NullOr(UserId).annotate({
    description: "The person with the shifts to take; null: all shifts, and gaps too"
  }),
  createdBy: Schema.NullOr(UserId).annotate({ description: "Null when the account was deleted" }),
  createdAt: Timestamp
}).annotate({ identifier: "ScheduleOverride" })
export type OverrideRecord = typeof OverrideRecord.Type
