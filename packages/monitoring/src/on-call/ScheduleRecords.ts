/** Rows of on-call schedules. */
import { OrganizationId, OverrideId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { HoursOfWeek, Layer, type RotatingLayer, type ScheduleDraft } from "@kanmon/domain/OnCallSchedule"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"

const Anchor = Schema.Struct({ at: Schema.Number, userId: UserId, next: Schema.Number })

/** The layers of a schedule, with where their rotations go on since their last edits. */
export const storedLayers = Persisted.make(
  Schema.Struct({
    layers: Schema.Array(Schema.Struct({ ...Layer.fields, anchor: Schema.optionalKey(Anchor) }))
  })
)

/** The hours in which somebody has to be on call. */
export const storedCoverage = Persisted.make(Schema.Struct({ hours: HoursOfWeek }))

export const ScheduleRow = Schema.Struct({
  id: ScheduleId,
  organizationId: OrganizationId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  timezone: Schema.String,
  coverage: Schema.Unknown,
  layers: Schema.Unknown,
  recordedUntil: Rows.Time,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

/** A schedule as it is stored. */
export interface StoredSchedule extends Omit<ScheduleDraft, "layers"> {
  readonly id: ScheduleId
  readonly organizationId: OrganizationId
  readonly layers: ReadonlyArray<RotatingLayer>
  /** Handoffs are recorded until here; later shifts are computed. */
  readonly recordedUntil: EpochMillis
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export const storedSchedule = ({ coverage, layers, ...row }: typeof ScheduleRow.Type): StoredSchedule => ({
  ...row,
  coverage: coverage === null ? null : storedCoverage.decode(coverage).hours,
  layers: storedLayers.decode(layers).layers
})

export const HandoffRow = Schema.Struct({
  at: Rows.Time,
  userId: Schema.NullOr(UserId),
  layer: Schema.NullOr(Schema.String),
  overrideId: Schema.NullOr(OverrideId)
})

export const OverrideRow = Schema.Struct({
  id: OverrideId,
  scheduleId: ScheduleId,
  from: Rows.Time,
  to: Rows.Time,
  userId: Schema.NullOr(UserId),
  replaces: Schema.NullOr(UserId),
  createdBy: Schema.NullOr(UserId),
  createdAt: Rows.Time
})
export type StoredOverride = typeof OverrideRow.Type

/** The subject of a change in the audit log. */
export const about = ({ id, name, organizationId }: StoredSchedule) => ({ target: { id, name }, organizationId })
