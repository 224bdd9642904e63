/** Rows of the table of deliveries. */
import { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import * as Rows from "@kanmon/platform/database/Rows"
import { Schema } from "effect"
import { MessageStatus, storedProgress } from "./DeliveryRecords.ts"
import { Purpose } from "./Message.ts"

/** The row with its progress decoded. */
export const withProgress = <Row extends { readonly progress: ReadonlyArray<unknown> }>(row: Row) => ({
  ...row,
  progress: row.progress.map((one) => storedProgress.decode(one))
})

const Ref = {
  about: Schema.Struct({ kind: Schema.String, id: Schema.String }),
  entryId: Schema.String
}

export const refs = Rows.all(Schema.Struct(Ref))
export const entryIds = Rows.all(Schema.Struct({ entryId: Schema.String }))

export const openings = Rows.all(
  Schema.Struct({
    ...Ref,
    id: Schema.String,
    topic: Schema.String,
    notice: Schema.Unknown,
    createdAt: Rows.Time,
    isPending: Schema.Boolean,
    progress: Schema.Array(Schema.Unknown)
  })
)

export const firstDue = Rows.first(
  Schema.Struct({
    ...Ref,
    id: Schema.String,
    topic: Schema.String,
    channelId: ChannelId,
    projectId: ProjectId,
    purpose: Purpose,
    notice: Schema.Unknown,
    attempts: Schema.Array(Schema.Unknown),
    trace: Schema.NullOr(Schema.String),
    createdAt: Rows.Time
  })
)

export const ofTopic = Rows.all(
  Schema.Struct({
    ...Ref,
    id: Schema.String,
    purpose: Purpose,
    status: MessageStatus,
    sharedWith: Schema.NullOr(Schema.String),
    alertId: Schema.String,
    rule: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
    resendEvery: Schema.Int,
    /** Null in rows that were settled before notices had one. */
    severity: Schema.NullOr(Severity),
    progress: Schema.Array(Schema.Unknown),
    createdAt: Rows.Time,
    finishedAt: Schema.NullOr(Rows.Time)
  })
)
