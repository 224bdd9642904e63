/**
 * Alert rules. Changing or removing one closes, without a word, the open alerts that it no longer stands for. One that is made or
 * changed waits to be held against the monitors as they are (`Judging.review`).
 */
import { type AlertRule, expiryTriggers } from "@kanmon/domain/AlertRule"
import { type MonitorId, nextRuleId, type ProjectId, RuleId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as AlertBook from "./AlertBook.ts"
import * as Cursor from "../database/Cursor.ts"
import { databaseDies } from "../database/Database.ts"
import { type KeyTaken, keyTakenAsAnswer } from "../database/KeyTaken.ts"
import type { KeyedPageOptions, Page } from "../database/Page.ts"
import { readRule, type RuleRow } from "./RuleRow.ts"

export class RuleNotFound extends Schema.TaggedError<RuleNotFound>()("RuleNotFound", { id: RuleId }) {}

/** What a user decides about a rule. */
export type RuleDraft = Pick<
  AlertRule,
  "name" | "monitorIds" | "channelIds" | "triggers" | "consecutiveFailures" | "resendEvery"
> & {
  /** Left out, it stays as it is; a new rule has none. */
  readonly key?: AlertRule["key"]
}

/** The rule every new project has. */
const defaultRule: RuleDraft = {
  name: "Certificates and domains",
  monitorIds: [],
  channelIds: [],
  triggers: expiryTriggers,
  consecutiveFailures: 1,
  resendEvery: 0
}

export class AlertRules extends Context.Service<
  AlertRules,
  {
    readonly list: (projectId: ProjectId, options: KeyedPageOptions) => Effect.Effect<Page<AlertRule>>
    readonly get: (projectId: ProjectId, id: RuleId) => Effect.Effect<AlertRule, RuleNotFound>
    readonly create: (projectId: ProjectId, draft: RuleDraft) => Effect.Effect<AlertRule, KeyTaken>
    readonly update: <E>(
      projectId: ProjectId,
      id: RuleId,
      change: (current: AlertRule) => Effect.Effect<RuleDraft, E>
    ) => Effect.Effect<AlertRule, RuleNotFound | KeyTaken | E>
    readonly remove: (projectId: ProjectId, id: RuleId) => Effect.Effect<void, RuleNotFound>
    /** Those of the ids that are no monitors of this project. */
    readonly unknownMonitors: (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>
    ) => Effect.Effect<ReadonlySet<MonitorId>>
  }
>()("@kanmon/store/alerts/AlertRules") {
  static readonly layer = Layer.effect(
    AlertRules,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const provide = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | SecureRandom.SecureRandom>) =>
        effect.pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(SecureRandom.SecureRandom, random)
        )

      const list: AlertRules["Service"]["list"] = Effect.fn("AlertRules.list")(function* (projectId, options) {
        const before = Cursor.decode(options.cursor)
        const conditions = [
          sql`project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`id < ${before}`]),
          ...(options.key === undefined ? [] : [sql`key = ${options.key}`])
        ]
        const rows = yield* Effect.orDie(
          sql<RuleRow>`SELECT * FROM alert_rules WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${options.limit + 1}`
        )
        return Cursor.page(rows.map(readRule), options.limit)
      })

      const get: AlertRules["Service"]["get"] = Effect.fn("AlertRules.get")(function* (projectId, id) {
        const [row] = yield* Effect.orDie(
          sql<RuleRow>`SELECT * FROM alert_rules WHERE id = ${id} AND project_id = ${projectId}`
        )
        if (row === undefined) return yield* new RuleNotFound({ id })
        return readRule(row)
      })

      const create: AlertRules["Service"]["create"] = Effect.fn("AlertRules.create")((projectId, draft) =>
        insertRule(projectId, draft).pipe(provide, keyTakenAsAnswer, databaseDies)
      )

      const update: AlertRules["Service"]["update"] = (projectId, id, change) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const [row] =
                yield* sql<RuleRow>`SELECT * FROM alert_rules WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
              if (row === undefined) return yield* new RuleNotFound({ id })
              const draft = yield* change(readRule(row))
              const key = draft.key === undefined ? row.key : draft.key
              const at = yield* Clock.currentTimeMillis
              const [written] = yield* sql<RuleRow>`UPDATE alert_rules SET key = ${key}, name = ${draft.name},
                monitor_ids = ${draft.monitorIds}::text[], channel_ids = ${draft.channelIds}::text[],
                triggers = ${draft.triggers}::text[], consecutive_failures = ${draft.consecutiveFailures},
                resend_every = ${draft.resendEvery}, updated_at = ${new Date(at)}, review_after = ''
                WHERE id = ${id} RETURNING *`
              yield* AlertBook.dropWhere(
                sql`rule_id = ${id} AND NOT (trigger = ANY(${draft.triggers}::text[])
                  AND (${draft.monitorIds.length === 0} OR monitor_id = ANY(${draft.monitorIds}::text[])))`,
                at,
                "The rule no longer watches this"
              ).pipe(provide)
              return readRule(written!)
            })
          )
          .pipe(keyTakenAsAnswer, databaseDies, Effect.withSpan("AlertRules.update"))

      const remove: AlertRules["Service"]["remove"] = Effect.fn("AlertRules.remove")(function* (projectId, id) {
        const at = yield* Clock.currentTimeMillis
        const found = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              const gone =
                yield* sql`DELETE FROM alert_rules WHERE id = ${id} AND project_id = ${projectId} RETURNING id`
              if (gone.length === 0) return false
              yield* AlertBook.dropWhere(sql`rule_id = ${id}`, at, "The rule was deleted").pipe(provide)
              return true
            })
          )
          .pipe(Effect.orDie)
        if (!found) return yield* new RuleNotFound({ id })
      })

      const unknownMonitors: AlertRules["Service"]["unknownMonitors"] = Effect.fn("AlertRules.unknownMonitors")(
        function* (projectId, ids) {
          if (ids.length === 0) return new Set<MonitorId>()
          const rows = yield* Effect.orDie(
            sql<{ id: MonitorId }>`SELECT id FROM monitors WHERE project_id = ${projectId} AND id = ANY(${ids}::text[])`
          )
          const known = new Set(rows.map(({ id }) => id))
          return new Set(ids.filter((id) => !known.has(id)))
        }
      )

      return AlertRules.of({ list, get, create, update, remove, unknownMonitors })
    })
  )
}

const insertRule = Effect.fnUntraced(function* (projectId: ProjectId, draft: RuleDraft) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* nextRuleId
  const now = new Date(yield* Clock.currentTimeMillis)
  const [row] = yield* sql<RuleRow>`INSERT INTO alert_rules
      (id, project_id, key, name, monitor_ids, channel_ids, triggers, consecutive_failures, resend_every,
        created_at, updated_at, review_after)
    VALUES (${id}, ${projectId}, ${draft.key ?? null}, ${draft.name}, ${draft.monitorIds}::text[], ${draft.channelIds}::text[],
      ${draft.triggers}::text[], ${draft.consecutiveFailures}, ${draft.resendEvery}, ${now}, ${now}, '') RETURNING *`
  return readRule(row!)
})

/** Inserts the rule every new project has; run inside the transaction that creates the project. */
export const insertDefaultRule = (projectId: ProjectId) => insertRule(projectId, defaultRule)
