/** The rows of monitors, decoded. */
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { LastFailure, type Monitor, MonitorConfig, organizing } from "@kanmon/domain/Monitor"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import * as Rows from "@kanmon/platform/database/Rows"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import type { Secrets } from "@kanmon/platform/database/Secrets"

export const MonitorRow = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  type: Schema.String,
  interval: Schema.Number,
  timeout: Schema.Number,
  regions: Schema.Array(Schema.String),
  config: MonitorConfig,
  encryptedConfig: Schema.NullOr(Schema.String),
  updatedAt: Rows.Time,
  key: Schema.NullOr(Schema.String),
  name: Schema.String,
  ...organizing,
  paused: Schema.Boolean,
  pausedByPlan: Schema.Boolean,
  wantedInterval: Schema.NullOr(Schema.Number),
  retryInterval: Schema.NullOr(Schema.Number),
  wantedRetryInterval: Schema.NullOr(Schema.Number),
  status: MonitorStatus,
  stale: Schema.Boolean,
  lastCheckedAt: Schema.NullOr(Rows.Time),
  lastFailure: Schema.NullOr(Schema.Struct({ ...LastFailure.fields, at: Schema.Finite })),
  createdAt: Rows.Time,
  encryptedToken: Schema.NullOr(Schema.String)
})

export const readMonitor =
  (secrets: Secrets["Service"]) =>
  ({ config, encryptedConfig, encryptedToken, pausedByPlan, ...row }: typeof MonitorRow.Type): Monitor => ({
    ...row,
    config: SealedConfig.open(secrets, row.id, { config, encryptedConfig }),
    pausedReason: pausedByPlan ? "plan_limit" : null,
    signalToken: encryptedToken === null ? null : secrets.decrypt(encryptedToken, row.id)
  })
