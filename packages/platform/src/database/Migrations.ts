/** Brings the schema to this version: forward only, one process at a time, all or nothing. */
import { Clock, Data, Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as EngineLocks from "../cluster/EngineLocks.ts"
import { initial } from "./migrations/0001_initial.ts"
import { alerts } from "./migrations/0002_alerts.ts"
import { domains } from "./migrations/0003_domains.ts"
import { heartbeats } from "./migrations/0004_heartbeats.ts"
import { incidents } from "./migrations/0005_incidents.ts"
import { statusPages } from "./migrations/0006_status_pages.ts"
import { certificates } from "./migrations/0007_certificates.ts"
import { billing } from "./migrations/0008_billing.ts"
import { keys } from "./migrations/0009_keys.ts"
import { installation } from "./migrations/0010_installation.ts"
import { staleness } from "./migrations/0011_staleness.ts"
import { recipients } from "./migrations/0012_recipients.ts"
import { limits } from "./migrations/0013_limits.ts"
import { proofsAndTurns } from "./migrations/0014_proofs_and_turns.ts"
import { roles } from "./migrations/0015_roles.ts"
import { traces } from "./migrations/0016_traces.ts"
import { organize } from "./migrations/0017_organize.ts"
import { explain } from "./migrations/0018_explain.ts"
import { act } from "./migrations/0019_act.ts"
import { apiKeys } from "./migrations/0020_api_keys.ts"
import { auditLog } from "./migrations/0021_audit_log.ts"
import { checkMore } from "./migrations/0022_check_more.ts"
import { monitorTargets } from "./migrations/0023_monitor_targets.ts"
import { messagesOfBursts } from "./migrations/0024_messages_of_bursts.ts"
import { maintenanceKeys } from "./migrations/0025_maintenance_keys.ts"
import { wantedRetryInterval } from "./migrations/0026_wanted_retry_interval.ts"
import { singleSignOn } from "./migrations/0030_single_sign_on.ts"
import { summaryMedians } from "./migrations/0027_summary_medians.ts"
import { organizations } from "./migrations/0028_organizations.ts"
import { accountSecurity } from "./migrations/0029_account_security.ts"
import { devices } from "./migrations/0031_devices.ts"
import { operator } from "./migrations/0032_operator.ts"
import { provisioning } from "./migrations/0033_provisioning.ts"
import { failedSignIns } from "./migrations/0034_failed_sign_ins.ts"
import { runningProcesses } from "./migrations/0035_running_processes.ts"
import { confinedSessions } from "./migrations/0036_confined_sessions.ts"
import { naturalNames } from "./migrations/0037_natural_names.ts"
import { sessionProofs } from "./migrations/0038_session_proofs.ts"
import { signalTexts } from "./migrations/0039_signal_texts.ts"
import { timeZones } from "./migrations/0040_time_zones.ts"
import { embedOrigins } from "./migrations/0041_embed_origins.ts"
import { sharedFreePlans } from "./migrations/0042_shared_free_plans.ts"
import { reckonedSchedules } from "./migrations/0043_reckoned_schedules.ts"
import { severalRecipients } from "./migrations/0044_several_recipients.ts"
import { messagesOfAnySender } from "./migrations/0045_messages_of_any_sender.ts"
import { onCallSchedules } from "./migrations/0046_on_call_schedules.ts"
import { severities } from "./migrations/0047_severities.ts"
import { contactMethods } from "./migrations/0048_contact_methods.ts"
import { escalationPolicies } from "./migrations/0049_escalation_policies.ts"
import { escalations } from "./migrations/0050_escalations.ts"
import { askedPeople } from "./migrations/0051_asked_people.ts"
import { quietHours } from "./migrations/0052_quiet_hours.ts"
import { recordedChanges } from "./migrations/0053_recorded_changes.ts"
import { pageReasons } from "./migrations/0054_page_reasons.ts"
import { pageTests } from "./migrations/0055_page_tests.ts"
import { projectSummaries } from "./migrations/0056_project_summaries.ts"
import { operations } from "./migrations/0057_operations.ts"
import { resultBlocks } from "./migrations/0058_result_blocks.ts"
import { integrations } from "./migrations/0059_integrations.ts"
import { organizationKeys } from "./migrations/0060_organization_keys.ts"
import { openBlocks } from "./migrations/0061_open_blocks.ts"
import { pageReplies } from "./migrations/0062_page_replies.ts"
import { drills } from "./migrations/0063_drills.ts"
import { changedMessages } from "./migrations/0064_changed_messages.ts"

const migrations: ReadonlyArray<{ readonly id: number; readonly name: string; readonly statements: string }> = [
  { id: 1, name: "initial", statements: initial },
  { id: 2, name: "alerts", statements: alerts },
  { id: 3, name: "domains", statements: domains },
  { id: 4, name: "heartbeats", statements: heartbeats },
  { id: 5, name: "incidents", statements: incidents },
  { id: 6, name: "status_pages", statements: statusPages },
  { id: 7, name: "certificates", statements: certificates },
  { id: 8, name: "billing", statements: billing },
  { id: 9, name: "keys", statements: keys },
  { id: 10, name: "installation", statements: installation },
  { id: 11, name: "staleness", statements: staleness },
  { id: 12, name: "recipients", statements: recipients },
  { id: 13, name: "limits", statements: limits },
  { id: 14, name: "proofs_and_turns", statements: proofsAndTurns },
  { id: 15, name: "roles", statements: roles },
  { id: 16, name: "traces", statements: traces },
  { id: 17, name: "organize", statements: organize },
  { id: 18, name: "explain", statements: explain },
  { id: 19, name: "act", statements: act },
  { id: 20, name: "api_keys", statements: apiKeys },
  { id: 21, name: "audit_log", statements: auditLog },
  { id: 22, name: "check_more", statements: checkMore },
  { id: 23, name: "monitor_targets", statements: monitorTargets },
  { id: 24, name: "messages_of_bursts", statements: messagesOfBursts },
  { id: 25, name: "maintenance_keys", statements: maintenanceKeys },
  { id: 26, name: "wanted_retry_interval", statements: wantedRetryInterval },
  { id: 27, name: "summary_medians", statements: summaryMedians },
  { id: 28, name: "organizations", statements: organizations },
  { id: 29, name: "account_security", statements: accountSecurity },
  { id: 30, name: "single_sign_on", statements: singleSignOn },
  { id: 31, name: "devices", statements: devices },
  { id: 32, name: "operator", statements: operator },
  { id: 33, name: "provisioning", statements: provisioning },
  { id: 34, name: "failed_sign_ins", statements: failedSignIns },
  { id: 35, name: "running_processes", statements: runningProcesses },
  { id: 36, name: "confined_sessions", statements: confinedSessions },
  { id: 37, name: "natural_names", statements: naturalNames },
  { id: 38, name: "session_proofs", statements: sessionProofs },
  { id: 39, name: "signal_texts", statements: signalTexts },
  { id: 40, name: "time_zones", statements: timeZones },
  { id: 41, name: "embed_origins", statements: embedOrigins },
  { id: 42, name: "shared_free_plans", statements: sharedFreePlans },
  { id: 43, name: "reckoned_schedules", statements: reckonedSchedules },
  { id: 44, name: "several_recipients", statements: severalRecipients },
  { id: 45, name: "messages_of_any_sender", statements: messagesOfAnySender },
  { id: 46, name: "on_call_schedules", statements: onCallSchedules },
  { id: 47, name: "severities", statements: severities },
  { id: 48, name: "contact_methods", statements: contactMethods },
  { id: 49, name: "escalation_policies", statements: escalationPolicies },
  { id: 50, name: "escalations", statements: escalations },
  { id: 51, name: "asked_people", statements: askedPeople },
  { id: 52, name: "quiet_hours", statements: quietHours },
  { id: 53, name: "recorded_changes", statements: recordedChanges },
  { id: 54, name: "page_reasons", statements: pageReasons },
  { id: 55, name: "page_tests", statements: pageTests },
  { id: 56, name: "project_summaries", statements: projectSummaries },
  { id: 57, name: "operations", statements: operations },
  { id: 58, name: "result_blocks", statements: resultBlocks },
  { id: 59, name: "integrations", statements: integrations },
  { id: 60, name: "organization_keys", statements: organizationKeys },
  { id: 61, name: "open_blocks", statements: openBlocks },
  { id: 62, name: "page_replies", statements: pageReplies },
  { id: 63, name: "drills", statements: drills },
  { id: 64, name: "changed_messages", statements: changedMessages }
]

/** A newer Kanmon has changed this database since: this one would not know what it reads. */
export class DatabaseTooNew extends Data.TaggedError("DatabaseTooNew")<{ readonly level: number }> {
  override get message(): string {
    return `The database was migrated by a newer Kanmon (to ${this.level}, and this one knows ${newest}). Run that version, or restore the backup from before its migrations.`
  }
}

/** Any number that only Kanmon's migrations lock. */
const lock = 0x6b616e6d6f6e

const applied: Effect.Effect<ReadonlySet<number>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const present = yield* sql`SELECT 1 WHERE to_regclass('migrations') IS NOT NULL`
  if (present.length === 0) return new Set<number>()
  return new Set(decodeIds(yield* sql`SELECT id FROM migrations`).map(({ id }) => id))
})

const decodeIds = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ id: Schema.Int })))

/** The newest level that this version knows: the number of its last migration. */
export const newest: number = migrations.at(-1)!.id

/** How far this database has come; 0 when nothing of ours is in it. */
export const level = Effect.map(applied, (done) => Math.max(0, ...done))

/** Names of the migrations that have not been applied. */
export const pending = Effect.map(applied, (done) =>
  migrations.filter(({ id }) => !done.has(id)).map(({ name }) => name)
)

/** Applies what is pending up to a level; returns the names. Processes that start at once wait for each other. */
export const to = (
  level: number
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError | DatabaseTooNew, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`
        yield* sql`CREATE TABLE IF NOT EXISTS migrations (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)`
        const done = yield* applied
        const reached = Math.max(0, ...done)
        if (reached > newest) return yield* new DatabaseTooNew({ level: reached })
        const names: Array<string> = []
        for (const { id, name, statements } of migrations) {
          if (id > level || done.has(id)) continue
          for (const statement of split(statements)) yield* sql.unsafe(statement)
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* sql`INSERT INTO migrations (id, name, applied_at) VALUES (${id}, ${name}, ${now})`
          names.push(name)
        }
        yield* EngineLocks.migrate
        return names
      })
    )
  })

/** Brings the database to this version. */
export const run = to(newest)

const split = (statements: string): ReadonlyArray<string> =>
  statements
    .replaceAll(/^[\t ]*--.*$/gm, "")
    .split(";")
    .flatMap((statement) => statement.trim() || [])
