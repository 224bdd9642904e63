/**
 * How much one account may have over all its projects, whatever its plan. Counted and created in one transaction that holds
 * the account, so that of many requests at once no more succeed than there is room for.
 */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Standing from "../billing/Standing.ts"
import { databaseDies, isBrokenOff } from "../database/Database.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"

/** What is counted. Incidents and maintenance windows count until they are resolved. */
export const countedKinds = ["projects", "channels", "alertRules", "statusPages", "openIncidents"] as const
export type CountedKind = (typeof countedKinds)[number]

/** The account has as many of a kind as it may have. */
export class AccountLimitReached extends Schema.TaggedError<AccountLimitReached>()("AccountLimitReached", {
  kind: Schema.Literals(countedKinds),
  limit: Schema.Int,
  current: Schema.Int
}) {}

/** An account, by itself or by one of its projects. */
export type AccountOf = { readonly userId: UserId } | { readonly projectId: ProjectId }

export class AccountLimits extends Context.Service<
  AccountLimits,
  {
    /** Creates one more of a kind, or refuses because there are `limit` of them. Everything that `create` writes is undone with it. */
    readonly within: <A, E, R>(
      account: AccountOf,
      kind: CountedKind,
      limit: number,
      create: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | AccountLimitReached, R>
  }
>()("@kanmon/store/accounts/AccountLimits") {
  static readonly layer = Layer.effect(
    AccountLimits,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxSignal

      const holdAccount = (account: AccountOf) =>
        "userId" in account
          ? Effect.as(Standing.hold(account.userId), account.userId)
          : Standing.holdOwner(account.projectId)

      const count = (userId: UserId, kind: CountedKind) => {
        const ofProjects = (table: string) =>
          sql<{ count: number }>`SELECT count(*)::integer AS count FROM ${sql(table)} t
            JOIN projects p ON p.id = t.project_id WHERE p.user_id = ${userId}`
        switch (kind) {
          case "projects":
            return sql<{ count: number }>`SELECT count(*)::integer AS count FROM projects WHERE user_id = ${userId}`
          case "channels":
            return ofProjects("channels")
          case "alertRules":
            return ofProjects("alert_rules")
          case "statusPages":
            return ofProjects("status_pages")
          case "openIncidents":
            return sql<{ count: number }>`${ofProjects("incidents")} AND t.resolved_at IS NULL`
        }
      }

      const within: AccountLimits["Service"]["within"] = (account, kind, limit, create) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const userId = yield* Effect.provideService(holdAccount(account), SqlClient.SqlClient, sql)
              // Of a project that is gone: what creates says so.
              if (userId !== undefined) {
                const [{ count: current } = { count: 0 }] = yield* count(userId, kind)
                if (current >= limit) return yield* new AccountLimitReached({ kind, limit, current })
              }
              // As a failure, so that the whole transaction is retried.
              return yield* Effect.catchDefect(create, (defect) =>
                isBrokenOff(defect) ? Effect.fail(defect) : Effect.die(defect)
              )
            })
          )
          .pipe(
            databaseDies,
            // `create` raised it before this transaction was committed.
            Effect.tap(outbox.raise),
            Effect.withSpan("AccountLimits.within")
          )

      return AccountLimits.of({
        within: (account, kind, limit, create) =>
          Number.isFinite(limit) ? within(account, kind, limit, create) : create
      })
    })
  )
}
