/** A row of the table `incidents`, decoded. */
import { Incident } from "@kanmon/domain/Incident"
import { Schema, Struct } from "effect"
import * as Rows from "../platform/database/Rows.ts"

export const IncidentRow = Schema.Struct({
  ...Struct.pick(Incident.fields, [
    "id",
    "projectId",
    "status",
    "monitorIds",
    "tags",
    "maintenance",
    "recurrence",
    "timezone"
  ]),
  title: Schema.String,
  scheduledStart: Schema.NullOr(Rows.Time),
  scheduledEnd: Schema.NullOr(Rows.Time),
  startedAt: Rows.Time,
  resolvedAt: Schema.NullOr(Rows.Time),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
}).pipe(
  Schema.encodeKeys({
    projectId: "project_id",
    monitorIds: "monitor_ids",
    scheduledStart: "scheduled_start",
    scheduledEnd: "scheduled_end",
    startedAt: "started_at",
    resolvedAt: "resolved_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  })
)

/** An incident without its timeline. */
export type IncidentRecord = typeof IncidentRow.Type
