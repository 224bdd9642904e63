/** Alert rules as rows. */
import type { AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import type { ChannelId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"

export interface RuleRow {
  readonly id: RuleId
  readonly project_id: ProjectId
  readonly key: string | null
  readonly name: string
  readonly monitor_ids: ReadonlyArray<MonitorId>
  readonly channel_ids: ReadonlyArray<ChannelId>
  readonly triggers: ReadonlyArray<Trigger>
  readonly consecutive_failures: number
  readonly resend_every: number
  readonly created_at: Date
  readonly updated_at: Date
}

export const readRule = (row: RuleRow): AlertRule => ({
  id: row.id,
  projectId: row.project_id,
  key: row.key,
  name: row.name,
  monitorIds: row.monitor_ids,
  channelIds: row.channel_ids,
  trigger: row.triggers[0]!,
  triggers: row.triggers,
  consecutiveFailures: row.consecutive_failures,
  resendEvery: row.resend_every,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime()
})
