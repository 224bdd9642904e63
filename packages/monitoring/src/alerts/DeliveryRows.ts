/** Rows of the table of deliveries. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { AlertId, ChannelId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import * as Rows from "@kanmon/platform/database/Rows"
import { Schema } from "effect"
import { storedProgress } from "./DeliveryRecords.ts"

/** The row with its progress decoded. */
export const withProgress = <Row extends { readonly progress: ReadonlyArray<unknown> }>(row: Row) => ({
  ...row,
  progress: row.progress.map((one) => storedProgress.decode(one))
})

export const counted = Rows.one(Schema.Struct({ count: Rows.Count }))
export const entries = Rows.all(Schema.Struct({ id: AlertId }))

const purpose = Schema.Literals(["open", "repeat", "close"])

const Entry = {
  entryId: AlertId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: MonitorId,
  trigger: Trigger
}

export const openings = Rows.all(
  Schema.Struct({
    ...Entry,
    id: Schema.String,
    notice: Schema.Unknown,
    createdAt: Rows.Time,
    isPending: Schema.Boolean,
    progress: Schema.Array(Schema.Unknown)
  })
)
export const missed = Rows.all(Schema.Struct(Entry))

export const firstDue = Rows.first(
  Schema.Struct({
    ...Entry,
    id: Schema.String,
    channelId: ChannelId,
    purpose,
    notice: Schema.Unknown,
    attempts: Schema.Array(Schema.Unknown),
    trace: Schema.NullOr(Schema.String),
    createdAt: Rows.Time
  })
)

export const ofOutage = Rows.all(
  Schema.Struct({
    id: Schema.String,
    entryId: AlertId,
    ruleId: RuleId,
    purpose,
    status: Schema.Literals(["pending", "delivered", "failed", "merged"]),
    sharedWith: Schema.NullOr(Schema.String),
    alertId: Schema.String,
    rule: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
    resendEvery: Schema.Int,
    progress: Schema.Array(Schema.Unknown),
    createdAt: Rows.Time,
    finishedAt: Schema.NullOr(Rows.Time)
  })
)
