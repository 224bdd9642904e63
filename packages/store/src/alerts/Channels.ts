/** Notification channels. Their configuration is stored encrypted as a whole; who reads it decides what to show. */
import { ChannelId, nextChannelId, type ProjectId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Cursor from "../database/Cursor.ts"
import { databaseDies } from "../database/Database.ts"
import { type KeyTaken, keyTakenAsAnswer } from "../database/KeyTaken.ts"
import type { KeyedPageOptions, Page } from "../database/Page.ts"
import { Secrets } from "../database/Secrets.ts"

export class ChannelNotFound extends Schema.TaggedError<ChannelNotFound>()("ChannelNotFound", { id: ChannelId }) {}

/** Whether the recipient has agreed to get notifications. */
export type Confirmation = "not_needed" | "pending" | "confirmed"

/** What a user decides about a channel. `config` in the clear, as its plugin encoded it. */
export interface ChannelDraft {
  readonly name: string
  readonly type: string
  readonly config: Schema.JsonObject
  /** Left out, it stays as it is; a new channel has none. */
  readonly key?: string | null
  /** Of a new recipient. Left out, it stays as it is; a new channel needs none. */
  readonly confirmation?: Confirmation
}

/** How the newest attempt went. */
export interface LastDelivery {
  readonly at: string
  readonly status: "delivered" | "retrying" | "failed"
  readonly detail: string
}

export interface StoredChannel extends ChannelDraft {
  readonly id: ChannelId
  readonly projectId: ProjectId
  readonly key: string | null
  readonly confirmation: Confirmation
  readonly confirmedAt: EpochMillis | null
  /** Why nothing is sent there any more; null while it works. */
  readonly disabledReason: string | null
  readonly lastDelivery: LastDelivery | null
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export class Channels extends Context.Service<
  Channels,
  {
    readonly list: (projectId: ProjectId, options: KeyedPageOptions) => Effect.Effect<Page<StoredChannel>>
    readonly get: (projectId: ProjectId, id: ChannelId) => Effect.Effect<StoredChannel, ChannelNotFound>
    /** Rules that notify every channel notify the new one of the alerts that are open. */
    readonly create: (projectId: ProjectId, draft: ChannelDraft) => Effect.Effect<StoredChannel, KeyTaken>
    /** Reads, changes and writes under a row lock. A change of the configuration switches a disabled channel on again. */
    readonly update: <E>(
      projectId: ProjectId,
      id: ChannelId,
      change: (current: StoredChannel) => Effect.Effect<ChannelDraft, E>
    ) => Effect.Effect<StoredChannel, ChannelNotFound | KeyTaken | E>
    /** Removes the channel, what still waited for it, and its place in rules. */
    readonly remove: (projectId: ProjectId, id: ChannelId) => Effect.Effect<void, ChannelNotFound>
    /** Notes how an attempt outside the queue went. */
    readonly noteDelivery: (id: ChannelId, delivery: LastDelivery) => Effect.Effect<void>
    /** Whether there is any channel at all, of any project. */
    readonly exist: Effect.Effect<boolean>
    /** Those of the ids that are no channels of this project. */
    readonly unknown: (projectId: ProjectId, ids: ReadonlyArray<ChannelId>) => Effect.Effect<ReadonlySet<ChannelId>>
  }
>()("@kanmon/store/alerts/Channels") {
  static readonly layer = Layer.effect(
    Channels,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const random = yield* SecureRandom.SecureRandom
      const read = readChannel(secrets)
      const encrypt = (id: ChannelId, config: Schema.JsonObject) => secrets.encrypt(JSON.stringify(config), id)

      const list: Channels["Service"]["list"] = Effect.fn("Channels.list")(function* (
        projectId,
        { cursor, key, limit }
      ) {
        const before = Cursor.decode(cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`id < ${before}`]),
          ...(key === undefined ? [] : [sql`key = ${key}`])
        ]
        const rows = yield* Effect.orDie(
          sql<ChannelRow>`SELECT * FROM channels WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
        )
        return Cursor.page(rows.map(read), limit)
      })

      const get: Channels["Service"]["get"] = Effect.fn("Channels.get")(function* (projectId, id) {
        const [row] = yield* Effect.orDie(
          sql<ChannelRow>`SELECT * FROM channels WHERE id = ${id} AND project_id = ${projectId}`
        )
        if (row === undefined) return yield* new ChannelNotFound({ id })
        return read(row)
      })

      const create: Channels["Service"]["create"] = Effect.fn("Channels.create")(function* (projectId, draft) {
        const id = yield* Effect.provideService(nextChannelId, SecureRandom.SecureRandom, random)
        const now = new Date(yield* Clock.currentTimeMillis)
        const { config, confirmation = "not_needed", key = null, name, type } = draft
        const confirmedAt = confirmation === "confirmed" ? now : null
        return yield* sql
          .withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<ChannelRow>`INSERT INTO channels
                (id, project_id, key, name, type, config_encrypted, confirmation, confirmed_at, created_at, updated_at)
                VALUES (${id}, ${projectId}, ${key}, ${name}, ${type}, ${encrypt(id, config)}, ${confirmation},
                  ${confirmedAt}, ${now}, ${now})
                RETURNING *`
              // Rules for every channel have one more: it is notified of what is open.
              yield* sql`UPDATE alert_rules SET review_after = ''
                WHERE project_id = ${projectId} AND cardinality(channel_ids) = 0`
              return read(row!)
            })
          )
          .pipe(keyTakenAsAnswer, databaseDies)
      })

      const update: Channels["Service"]["update"] = (projectId, id, change) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const [row] =
                yield* sql<ChannelRow>`SELECT * FROM channels WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
              if (row === undefined) return yield* new ChannelNotFound({ id })
              const current = read(row)
              const draft = yield* change(current)
              const key = draft.key === undefined ? current.key : draft.key
              const now = new Date(yield* Clock.currentTimeMillis)
              const same =
                draft.type === current.type && JSON.stringify(draft.config) === JSON.stringify(current.config)
              const revived = same ? sql`` : sql`, disabled_reason = NULL, failures = 0, resting_until = NULL`
              const { confirmation } = draft
              if (confirmation !== undefined) {
                const confirmedAt = confirmation === "confirmed" ? now : null
                yield* sql`UPDATE channels SET confirmation = ${confirmation}, confirmed_at = ${confirmedAt} WHERE id = ${id}`
                yield* sql`DELETE FROM confirmation_codes WHERE channel_id = ${id}`
              }
              const [written] =
                yield* sql<ChannelRow>`UPDATE channels SET key = ${key}, name = ${draft.name}, type = ${draft.type},
                config_encrypted = ${encrypt(id, draft.config)}, updated_at = ${now} ${revived}
                WHERE id = ${id} RETURNING *`
              return read(written!)
            })
          )
          .pipe(keyTakenAsAnswer, databaseDies, Effect.withSpan("Channels.update"))

      const remove: Channels["Service"]["remove"] = Effect.fn("Channels.remove")(function* (projectId, id) {
        const found = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              const gone = yield* sql`DELETE FROM channels WHERE id = ${id} AND project_id = ${projectId} RETURNING id`
              if (gone.length === 0) return false
              yield* sql`UPDATE alert_history SET status = 'failed', error = 'The channel was deleted'
                WHERE project_id = ${projectId} AND channel_id = ${id} AND status = 'pending'`
              // A rule that named this channel alone must not turn into one for every channel.
              yield* sql`UPDATE alert_rules SET channel_ids = array_remove(channel_ids, ${id})
                WHERE project_id = ${projectId} AND ${id} = ANY(channel_ids) AND cardinality(channel_ids) > 1`
              return true
            })
          )
          .pipe(Effect.orDie)
        if (!found) return yield* new ChannelNotFound({ id })
      })

      const noteDelivery: Channels["Service"]["noteDelivery"] = Effect.fn("Channels.noteDelivery")((id, delivery) =>
        sql`UPDATE channels SET last_delivery = ${JSON.stringify(delivery)}::jsonb WHERE id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      const unknown: Channels["Service"]["unknown"] = Effect.fn("Channels.unknown")(function* (projectId, ids) {
        if (ids.length === 0) return new Set<ChannelId>()
        const rows = yield* Effect.orDie(
          sql<{ id: ChannelId }>`SELECT id FROM channels WHERE project_id = ${projectId} AND id = ANY(${ids}::text[])`
        )
        const known = new Set(rows.map(({ id }) => id))
        return new Set(ids.filter((id) => !known.has(id)))
      })

      const exist = sql<{ found: boolean }>`SELECT EXISTS (SELECT FROM channels) AS found`.pipe(
        Effect.map(([row]) => row?.found === true),
        Effect.orDie
      )

      return Channels.of({ exist, list, get, create, update, remove, noteDelivery, unknown })
    })
  )
}

export interface ChannelRow {
  readonly id: ChannelId
  readonly project_id: ProjectId
  readonly key: string | null
  readonly name: string
  readonly type: string
  readonly config_encrypted: string
  readonly confirmation: Confirmation
  readonly confirmed_at: Date | null
  readonly disabled_reason: string | null
  readonly last_delivery: LastDelivery | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Reads a row with the installation's key. */
export const readChannel =
  (secrets: Secrets["Service"]) =>
  (row: ChannelRow): StoredChannel => ({
    id: row.id,
    projectId: row.project_id,
    key: row.key,
    name: row.name,
    type: row.type,
    config: JSON.parse(secrets.decrypt(row.config_encrypted, row.id)) as Schema.JsonObject,
    confirmation: row.confirmation,
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    disabledReason: row.disabled_reason,
    lastDelivery: row.last_delivery,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime()
  })

/** An attempt, as the channel remembers its newest one. */
export const lastDelivery = (at: EpochMillis, status: LastDelivery["status"], detail: string): LastDelivery => ({
  at: toIso(at),
  status,
  detail
})
