/** Entries of the audit log: who changed what, when, from where, and how. */
import { Schema } from "effect"
import { Actor } from "./Actor.ts"
import { AuditId, ProjectId } from "./Ids.ts"
import { Timestamp } from "./Timestamp.ts"

/** Days for which entries are kept. */
export const auditRetentionDays = 400

/** Every action that is recorded, and what it means. The part before the dot is the kind of the target. */
export const auditActions = {
  "account.created": "An account was created",
  "account.admin_granted": "The operator made an account an administrator",
  "account.admin_revoked": "The operator took the rights of an administrator away",
  "account.disabled": "An administrator disabled an account; its sessions ended",
  "account.enabled": "An administrator enabled an account again",
  "account.impersonated": "An administrator began to act as an account",
  "account.impersonation_ended": "An administrator stopped acting as an account",
  "account.password_reset": "The operator gave an account a new password",
  "account.sessions_revoked": "Sessions of an account were ended",
  "account.unlocked": "The operator lifted the pause after failed attempts to sign in",
  "alert.acknowledged": "An alert was acknowledged",
  "alert.unacknowledged": "The acknowledgement of an alert was taken back",
  "alert.snoozed": "An alert was snoozed",
  "alert_rule.created": "An alert rule was created",
  "alert_rule.updated": "An alert rule was changed",
  "alert_rule.deleted": "An alert rule was deleted",
  "api_key.created": "An API key was created",
  "api_key.deleted": "An API key was deleted",
  "channel.created": "A notification channel was created",
  "channel.updated": "A notification channel was changed",
  "channel.confirmed": "The recipient of a notification channel was confirmed",
  "channel.deleted": "A notification channel was deleted",
  "incident.created": "An incident was opened",
  "incident.updated": "An incident was changed, or its timeline got an entry",
  "incident.resolved": "An incident was resolved",
  "incident.deleted": "An incident was deleted",
  "maintenance.created": "A maintenance window was scheduled",
  "maintenance.updated": "A maintenance window was changed, or began",
  "maintenance.resolved": "A maintenance window ended",
  "maintenance.deleted": "A maintenance window was deleted",
  "monitor.created": "A monitor was created",
  "monitor.updated": "A monitor was changed",
  "monitor.paused": "A monitor was paused",
  "monitor.resumed": "A monitor was resumed",
  "monitor.token_rotated": "A heartbeat monitor got a new address",
  "monitor.deleted": "A monitor was deleted",
  "organization.created": "An organization was created",
  "organization.disabled": "An administrator disabled an organization; its checks are paused",
  "organization.enabled": "An administrator enabled an organization again",
  "plan.created": "A plan was created",
  "plan.updated": "A plan was changed",
  "plan.deleted": "A plan was deleted",
  "project.created": "A project was created",
  "project.renamed": "A project was renamed",
  "project.key_rotated": "The project's own API key was replaced",
  "project.deleted": "A project was deleted",
  "silence.created": "A silence was created",
  "silence.deleted": "A silence was ended",
  "status_page.created": "A status page was created",
  "status_page.updated": "A status page or its custom domain was changed",
  "status_page.deleted": "A status page was deleted",
  "subscription.updated": "The subscription of an account was changed"
} as const

export type AuditAction = keyof typeof auditActions

/** Fields of a record; of a change only those that it changed. Secrets are masked, long values cut. */
export const AuditedFields = Schema.NullOr(Schema.JsonObject)

export const AuditEntry = Schema.Struct({
  id: AuditId,
  at: Timestamp,
  actor: Actor,
  action: Schema.String.annotate({
    description: "The kind of the target and what was done, such as `monitor.updated`. More values may be added"
  }),
  target: Schema.Struct({
    kind: Schema.String.annotate({ description: "The part of `action` before the dot" }),
    id: Schema.String,
    name: Schema.String.annotate({ description: "Its name at that time" })
  }),
  projectId: Schema.NullOr(ProjectId).annotate({ description: "Null for accounts, plans and subscriptions" }),
  address: Schema.NullOr(Schema.String).annotate({
    description: "The network address of the client; null for changes without a request"
  }),
  before: AuditedFields.annotate({
    description: "What was changed, as it was; the whole record when it was deleted; null when it was created"
  }),
  after: AuditedFields.annotate({
    description: "What was changed, as it is now; the whole record when it was created; null when it was deleted"
  })
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type
