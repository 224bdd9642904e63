/** By what people are paged: the verified e-mail address of their account, at once. */
import type { Person } from "@kanmon/domain/EscalationLists"
import { UserId } from "@kanmon/domain/Ids"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** The method of an account's own address. */
const emailMethod = "email"

export class PersonListRepository extends Context.Service<
  PersonListRepository,
  {
    /** The lists of people, in their order; empty where nothing is confirmed. */
    readonly of: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Person>>
  }
>()("@kanmon/monitoring/escalation/PersonListRepository") {
  static readonly layer = Layer.effect(
    PersonListRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      PersonListRepository.of({
        of: Effect.fn("PersonListRepository.of")(function* (userIds) {
          const rows = yield* verified(sql`SELECT id FROM users WHERE id = ANY(${userIds}::text[]) AND email_verified`)
          const reachable = new Set(rows.map(({ id }) => id))
          return userIds.map((userId) => ({
            userId,
            entries: reachable.has(userId) ? [{ afterMinutes: 0, methodId: emailMethod }] : []
          }))
        })
      })
    )
  )
}

const verified = Rows.all(Schema.Struct({ id: UserId }))
