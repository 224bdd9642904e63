/** Rows of the table of deliveries. */
import { ChannelId, ContactMethodId, ProjectId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import * as Rows from "@kanmon/platform/database/Rows"
import { Schema } from "effect"
import { MessageStatus, storedProgress } from "./DeliveryRecords.ts"
import { Purpose, type Target } from "./Message.ts"

/** The row with its progress decoded. */
export const withProgress = <Row extends { readonly progress: ReadonlyArray<unknown> }>(row: Row) => ({
  ...row,
  progress: row.progress.map((one) => storedProgress.decode(one))
})

/** The two columns that say to what a message goes; the database lets exactly one of them be set. */
const TargetColumns = {
  channelId: Schema.NullOr(ChannelId),
  contactMethodId: Schema.NullOr(ContactMethodId)
}

export const targetOf = (row: {
  readonly channelId: ChannelId | null
  readonly contactMethodId: ContactMethodId | null
}): Target => (row.channelId === null ? { contactMethodId: row.contactMethodId! } : { channelId: row.channelId })

const Ref = {
  about: Schema.Struct({ kind: Schema.String, id: Schema.String }),
  entryId: Schema.String
}

export const refs = Rows.all(Schema.Struct(Ref))
export const held = Rows.all(Schema.Struct({ ...Ref, isNew: Schema.Boolean }))
export const entryIds = Rows.all(Schema.Struct({ entryId: Schema.String }))

export const openings = Rows.all(
  Schema.Struct({
    ...Ref,
    id: Schema.String,
    topic: Schema.String,
    notice: Schema.Unknown,
    createdAt: Rows.Time,
    heldUntil: Schema.NullOr(Rows.Time),
    isPending: Schema.Boolean,
    progress: Schema.Array(Schema.Unknown)
  })
)

export const firstDue = Rows.first(
  Schema.Struct({
    ...Ref,
    id: Schema.String,
    topic: Schema.String,
    ...TargetColumns,
    projectId: Schema.NullOr(ProjectId),
    purpose: Purpose,
    notice: Schema.Unknown,
    attempts: Schema.Array(Schema.Unknown),
    trace: Schema.NullOr(Schema.String),
    createdAt: Rows.Time,
    heldUntil: Schema.NullOr(Rows.Time)
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
