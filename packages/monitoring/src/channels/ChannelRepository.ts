/** The table of notification channels. */
import { ChannelId, type ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import { writtenUnlessTaken } from "@kanmon/platform/database/KeyTaken"
import type { KeyedPageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import {
  type ChannelDraft,
  ChannelRow,
  decrypted,
  encrypted,
  type LastDelivery,
  type RecipientState,
  type RecipientStates,
  storedLastDelivery,
  storedQuietHours,
  storedRecipients
} from "./ChannelRecords.ts"

/** A draft without open questions. */
type CompleteDraft = Required<Omit<ChannelDraft, "confirmation" | "recipients">>

export class ChannelRepository extends Context.Service<ChannelRepository>()(
  "@kanmon/monitoring/channels/ChannelRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const columns = channelColumns(sql)
      const decrypt = decrypted(secrets)
      const encrypt = (id: ChannelId, config: Schema.JsonObject) => encrypted(secrets, id, config)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      const first = (statement: Parameters<typeof firstRow>[0]) =>
        Effect.map(firstRow(statement), (row) => (row === undefined ? undefined : decrypt(row)))

      const list = (projectId: ProjectId, { cursor, key, limit }: KeyedPageOptions) => {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`id < ${before}`]),
          ...(key === undefined ? [] : [sql`key = ${key}`])
        ]
        return allRows(
          sql`SELECT ${columns} FROM channels WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
        ).pipe(Effect.map((rows) => Cursor.page(rows.map(decrypt), limit)))
      }

      const insert = (
        projectId: ProjectId,
        id: ChannelId,
        draft: CompleteDraft & Required<Pick<ChannelDraft, "confirmation" | "recipients">>,
        at: EpochMillis
      ) => {
        const now = new Date(at)
        return written(sql`INSERT INTO channels
            (id, project_id, key, name, type, config_encrypted, quiet_hours, confirmation, confirmed_at, recipients, created_at, updated_at)
          VALUES (${id}, ${projectId}, ${draft.key}, ${draft.name}, ${draft.type}, ${encrypt(id, draft.config)},
            ${hoursJson(draft.quietHours)}::jsonb, ${draft.confirmation}, ${draft.confirmation === "confirmed" ? now : null}, ${recipientsJson(draft.recipients)}::jsonb, ${now}, ${now})
          RETURNING ${columns}`).pipe(Effect.map(decrypt))
      }

      /** Updates a locked channel. `enable` ends its failures and switches it on. */
      const update = (id: ChannelId, draft: CompleteDraft, enable: boolean, at: EpochMillis) => {
        const enabled = enable ? sql`, disabled_reason = NULL, failures = 0, resting_until = NULL` : sql``
        return written(sql`UPDATE channels SET key = ${draft.key}, name = ${draft.name}, type = ${draft.type},
            config_encrypted = ${encrypt(id, draft.config)}, quiet_hours = ${hoursJson(draft.quietHours)}::jsonb,
            updated_at = ${new Date(at)} ${enabled}
          WHERE id = ${id} RETURNING ${columns}`).pipe(Effect.map(decrypt))
      }

      return {
        list,
        find: (projectId: ProjectId, id: ChannelId) =>
          first(sql`SELECT ${columns} FROM channels WHERE id = ${id} AND project_id = ${projectId}`),
        lock: (projectId: ProjectId, id: ChannelId) =>
          first(sql`SELECT ${columns} FROM channels WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`),
        /** Locks a channel of any project. */
        lockAny: (id: ChannelId) => first(sql`SELECT ${columns} FROM channels WHERE id = ${id} FOR UPDATE`),
        insert,
        update,
        /** `whole`: the confirmation of all recipients together. */
        setConfirmations: (id: ChannelId, { confirmation, confirmedAt }: RecipientState, recipients: RecipientStates) =>
          run(sql`UPDATE channels SET confirmation = ${confirmation},
            confirmed_at = ${confirmedAt === null ? null : new Date(confirmedAt)},
            recipients = ${recipientsJson(recipients)}::jsonb WHERE id = ${id}`),
        setLastDelivery: (id: ChannelId, delivery: LastDelivery) =>
          run(sql`UPDATE channels SET last_delivery = ${JSON.stringify(storedLastDelivery.encode(delivery))}::jsonb
            WHERE id = ${id}`),
        /** Deletes the channel with its deliveries; returns whether it existed. */
        remove: (projectId: ProjectId, id: ChannelId) =>
          Rows.any(sql`DELETE FROM channels WHERE id = ${id} AND project_id = ${projectId} RETURNING id`),
        /** Switches the channels of a project off that are on, and returns them. */
        disableAll: (projectId: ProjectId, reason: string, at: EpochMillis) =>
          allRows(sql`UPDATE channels SET disabled_reason = ${reason}, updated_at = ${new Date(at)}
            WHERE project_id = ${projectId} AND disabled_reason IS NULL RETURNING ${columns}`).pipe(
            Effect.map((rows) => rows.map(decrypt))
          ),
        /** Whether any project has a channel. */
        exist: Rows.any(sql`SELECT 1 FROM channels LIMIT 1`),
        /** The ids that are channels of the project. */
        findIds: (projectId: ProjectId, ids: ReadonlyArray<ChannelId>) =>
          idRows(sql`SELECT id FROM channels WHERE project_id = ${projectId} AND id = ANY(${ids}::text[])`).pipe(
            Effect.map((rows) => rows.map(({ id }) => id))
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ChannelRepository, ChannelRepository.make)
}

const hoursJson = (hours: CompleteDraft["quietHours"]) =>
  hours === null ? null : JSON.stringify(storedQuietHours.encode(hours))

const recipientsJson = (recipients: RecipientStates) => JSON.stringify(storedRecipients.encode(recipients))

const allRows = Rows.all(ChannelRow)
const firstRow = Rows.first(ChannelRow)
const written = writtenUnlessTaken(ChannelRow)
const idRows = Rows.all(Schema.Struct({ id: ChannelId }))

/** The columns that `ChannelRow` decodes. */
export const channelColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`id, project_id AS "projectId", key, name, type, config_encrypted AS "configEncrypted", confirmation,
    confirmed_at AS "confirmedAt", recipients, quiet_hours AS "quietHours", disabled_reason AS "disabledReason", last_delivery AS "lastDelivery",
    created_at AS "createdAt", updated_at AS "updatedAt"`
