/** A row of the table `incidents`, decoded. */
import { Incident } from "@kanmon/domain/Incident"
import { Schema, SchemaGetter, Struct } from "effect"
import * as Rows from "@kanmon/platform/database/Rows"

const time = Schema.NullOr(Rows.Time)

const Columns = Schema.Struct({
  ...Struct.pick(Incident.fields, [
    "id",
    "projectId",
    "key",
    "status",
    "monitorIds",
    "tags",
    "maintenance",
    "recurrence",
    "timezone"
  ]),
  title: Schema.String,
  scheduledStart: time,
  scheduledEnd: time,
  /** The series of a recurring window: its first start, which the recurrence counts from, and the length of its windows. */
  seriesStart: time,
  seriesMillis: Schema.NullOr(Rows.Count),
  startedAt: Rows.Time,
  resolvedAt: time,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
}).pipe(
  Schema.encodeKeys({
    projectId: "project_id",
    monitorIds: "monitor_ids",
    scheduledStart: "scheduled_start",
    scheduledEnd: "scheduled_end",
    seriesStart: "series_start",
    seriesMillis: "series_millis",
    startedAt: "started_at",
    resolvedAt: "resolved_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  })
)

const Record = Schema.toType(
  Schema.Struct({ ...Struct.omit(Incident.fields, ["updates", "title"]), title: Schema.String })
)

/** An incident without its timeline. */
export type IncidentRecord = typeof Record.Type

export const IncidentRow = Columns.pipe(
  Schema.decodeTo(Record, {
    decode: SchemaGetter.transform(({ seriesMillis, seriesStart, ...row }) => ({
      ...row,
      series:
        seriesStart === null || seriesMillis === null ? null : { start: seriesStart, end: seriesStart + seriesMillis }
    })),
    encode: SchemaGetter.transform(({ series, ...incident }: IncidentRecord) => ({
      ...incident,
      seriesStart: series?.start ?? null,
      seriesMillis: series === null ? null : series.end - series.start
    }))
  })
)
