/** The tables of integrations, and of the bodies that they did not understand. A token is stored as its hash alone. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { FieldError } from "@kanmon/domain/FieldErrors"
import { type InboundBodyId, type IntegrationId, type ProjectId, type RuleId } from "@kanmon/domain/Ids"
import { InboundBody, Integration, keptBodies } from "@kanmon/domain/Integration"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Cursor from "@kanmon/platform/database/Cursor"
import { writtenUnlessTaken } from "@kanmon/platform/database/KeyTaken"
import type { KeyedPageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"
import type { IntegrationDraft } from "@kanmon/protocol/IntegrationBody"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

/** Whether an integration has been silent for too long. */
export const isQuietDue: Question = (sql, now) => sql`EXISTS (SELECT FROM integrations WHERE quiet_at <= ${now})`

export class IntegrationRepository extends Context.Service<IntegrationRepository>()(
  "@kanmon/monitoring/integrations/IntegrationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      const own = sql`i.id, i.project_id AS "projectId", i.key, i.name, i.type, i.rule_id AS "ruleId", i.mapping,
        i.resolve_after_minutes AS "resolveAfterMinutes", i.quiet_after_minutes AS "quietAfterMinutes",
        i.last_received_at AS "lastReceivedAt",
        i.quiet_after_minutes IS NOT NULL AND i.quiet_at IS NULL AND i.last_received_at IS NOT NULL AS quiet,
        i.created_at AS "createdAt", i.updated_at AS "updatedAt"`
      const columns = sql`${own},
        (SELECT count(*)::integer FROM alerts a WHERE a.integration_id = i.id AND a.resolved_at IS NULL) AS "openAlerts",
        (SELECT count(*)::integer FROM inbound_bodies b WHERE b.integration_id = i.id) AS rejected`

      const of = (projectId: ProjectId, id: IntegrationId) => sql`i.id = ${id} AND i.project_id = ${projectId}`

      /** When the silence of an integration opens an alert that was heard last at an instant. */
      const quietAt = (heard: EpochMillis | null, minutes: number | null) =>
        heard === null || minutes === null ? null : new Date(heard + minutes * 60_000)

      return {
        list: (projectId: ProjectId, options: KeyedPageOptions) => {
          const before = Cursor.decode(options.cursor)
          const conditions = [
            sql`i.project_id = ${projectId}`,
            ...(before === undefined ? [] : [sql`i.id < ${before}`]),
            ...(options.key === undefined ? [] : [sql`i.key = ${options.key}`])
          ]
          return all(sql`SELECT ${columns} FROM integrations i WHERE ${sql.and(conditions)}
            ORDER BY i.id DESC LIMIT ${options.limit + 1}`).pipe(Effect.map((rows) => Cursor.page(rows, options.limit)))
        },
        find: (projectId: ProjectId, id: IntegrationId) =>
          first(sql`SELECT ${columns} FROM integrations i WHERE ${of(projectId, id)}`),
        /** The same, locked. */
        lock: (projectId: ProjectId, id: IntegrationId) =>
          first(sql`SELECT ${columns} FROM integrations i WHERE ${of(projectId, id)} FOR UPDATE OF i`),
        /** Waits for other creations in the project, and counts its integrations. */
        countLocked: (projectId: ProjectId) =>
          Effect.map(
            counted(sql`SELECT (SELECT count(*) FROM integrations WHERE project_id = p.id) AS count
              FROM (SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE) p`),
            (row) => row?.count ?? 0
          ),
        /** Whether the project has the rule, and whether it is for integrations. It cannot be deleted until the transaction ends. */
        triggersOf: (projectId: ProjectId, id: RuleId) =>
          Effect.map(
            triggers(
              sql`SELECT triggers FROM alert_rules WHERE id = ${id} AND project_id = ${projectId} FOR KEY SHARE`
            ),
            (row) => row?.triggers
          ),
        insert: (
          projectId: ProjectId,
          id: IntegrationId,
          draft: IntegrationDraft,
          tokenHash: string,
          at: EpochMillis
        ) =>
          written(sql`INSERT INTO integrations AS i (id, project_id, key, name, type, rule_id, mapping, resolve_after_minutes,
              quiet_after_minutes, token_hash, created_at, updated_at)
            VALUES (${id}, ${projectId}, ${draft.key}, ${draft.name}, ${draft.type}, ${draft.ruleId},
              ${draft.mapping === null ? null : JSON.stringify(draft.mapping)}::jsonb, ${draft.resolveAfterMinutes},
              ${draft.quietAfterMinutes}, ${tokenHash}, ${new Date(at)}, ${new Date(at)}) RETURNING ${columns}`),
        update: ({ id, lastReceivedAt, quiet }: Integration, draft: IntegrationDraft, at: EpochMillis) =>
          written(sql`UPDATE integrations i SET key = ${draft.key}, name = ${draft.name}, type = ${draft.type},
              rule_id = ${draft.ruleId}, mapping = ${draft.mapping === null ? null : JSON.stringify(draft.mapping)}::jsonb,
              resolve_after_minutes = ${draft.resolveAfterMinutes}, quiet_after_minutes = ${draft.quietAfterMinutes},
              quiet_at = ${quiet ? null : quietAt(lastReceivedAt, draft.quietAfterMinutes)}, updated_at = ${new Date(at)}
            WHERE i.id = ${id} RETURNING ${columns}`),
        rotate: (id: IntegrationId, tokenHash: string, at: EpochMillis) =>
          one(sql`UPDATE integrations i SET token_hash = ${tokenHash}, updated_at = ${new Date(at)}
            WHERE i.id = ${id} RETURNING ${columns}`),
        remove: (id: IntegrationId) => run(sql`DELETE FROM integrations WHERE id = ${id}`),
        /** Whether an integration has a token. */
        hasToken: (tokenHash: string) => Rows.any(sql`SELECT 1 FROM integrations WHERE token_hash = ${tokenHash}`),
        /** Locks the integration of a token: its requests follow each other. */
        lockOfToken: (tokenHash: string) =>
          sender(sql`SELECT ${own} FROM integrations i WHERE i.token_hash = ${tokenHash} FOR UPDATE OF i`),
        heard: ({ id, quietAfterMinutes }: Sender, at: EpochMillis) =>
          run(sql`UPDATE integrations SET last_received_at = ${new Date(at)}, quiet_at = ${quietAt(at, quietAfterMinutes)}
            WHERE id = ${id}`),
        /** Locks integrations that have been silent for too long, and notes that this is told. */
        takeQuiet: Effect.fn("IntegrationRepository.takeQuiet")(function* (at: EpochMillis, limit: number) {
          const due = yield* senders(sql`SELECT ${own} FROM integrations i WHERE i.quiet_at <= ${new Date(at)}
            ORDER BY i.id LIMIT ${limit} FOR UPDATE OF i SKIP LOCKED`)
          const ids = due.map(({ id }) => id)
          yield* run(sql`UPDATE integrations SET quiet_at = NULL WHERE id = ANY(${ids}::text[])`)
          return due
        }),
        /** Keeps a body, and only the newest ones of the integration. */
        keep: Effect.fn("IntegrationRepository.keep")(function* (
          integrationId: IntegrationId,
          id: InboundBodyId,
          { at, body, errors, refused, truncated }: Omit<InboundBody, "id">
        ) {
          yield* run(sql`INSERT INTO inbound_bodies (id, integration_id, at, refused, errors, body, truncated)
            VALUES (${id}, ${integrationId}, ${new Date(at)}, ${refused}, ${JSON.stringify(errors)}::jsonb, ${body}, ${truncated})`)
          yield* run(sql`DELETE FROM inbound_bodies WHERE integration_id = ${integrationId} AND id NOT IN (
            SELECT id FROM inbound_bodies WHERE integration_id = ${integrationId} ORDER BY at DESC, id DESC LIMIT ${keptBodies})`)
        }),
        /** The kept bodies, newest first. */
        bodies: (id: IntegrationId) =>
          bodies(sql`SELECT id, at, refused, errors, body, truncated FROM inbound_bodies
            WHERE integration_id = ${id} ORDER BY at DESC, id DESC`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(IntegrationRepository, IntegrationRepository.make)
}

const SenderRow = Schema.Struct({
  ...Struct.omit(Integration.fields, ["openAlerts", "rejected"]),
  lastReceivedAt: Schema.NullOr(Rows.Time),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})
/** An integration without its counts, which requests of senders do not need. */
export type Sender = typeof SenderRow.Type

const Row = Schema.Struct({
  ...Integration.fields,
  ...SenderRow.fields
})
const sender = Rows.first(SenderRow)
const senders = Rows.all(SenderRow)
const all = Rows.all(Row)
const first = Rows.first(Row)
const one = Rows.one(Row)
const written = writtenUnlessTaken(Row)
const counted = Rows.first(Schema.Struct({ count: Rows.Count }))
const triggers = Rows.first(Schema.Struct({ triggers: Schema.Array(Trigger) }))
const bodies = Rows.all(Schema.Struct({ ...InboundBody.fields, at: Rows.Time, errors: Schema.Array(FieldError) }))
