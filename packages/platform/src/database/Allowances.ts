/** Allowances in the database: they survive restarts, and all processes share them. */
import * as Allowance from "@kanmon/domain/Allowance"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "./Rows.ts"

const UsedRow = Schema.Struct({ key: Schema.String, usedUpTo: Rows.Time }).pipe(
  Schema.encodeKeys({ usedUpTo: "used_up_to" })
)

/** One of several allowances that something uses up together. */
export interface Claim {
  readonly key: string
  readonly rate: Allowance.Rate
}

/** `nextAt`: when all of them allow it again. `exhausted`: the claim that allows it last. */
type AllowanceResult =
  | { readonly _tag: "Allowed"; readonly nextAt: EpochMillis }
  | { readonly _tag: "Exhausted"; readonly nextAt: EpochMillis; readonly exhausted: Claim }

export class Allowances extends Context.Service<Allowances>()("@kanmon/platform/database/Allowances", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Takes one of each, or none when one of them is exhausted. */
    const take: (claims: readonly [Claim, ...ReadonlyArray<Claim>]) => Effect.Effect<AllowanceResult> = Effect.fn(
      "Allowances.take"
    )(function* (claims) {
      const now = yield* Clock.currentTimeMillis
      // Sorted: transactions that share keys lock them in the same order.
      const keys = claims.map(({ key }) => key).sort()
      return yield* sql.withTransaction(
        Effect.gen(function* () {
          // An update without a change: it locks the rows until the transaction ends.
          const rows = yield* sql`INSERT INTO allowances (key, used_up_to)
              SELECT key, ${new Date(now)} FROM unnest(${keys}::text[]) AS key ORDER BY key
              ON CONFLICT (key) DO UPDATE SET used_up_to = allowances.used_up_to RETURNING key, used_up_to`.pipe(
            Rows.all(UsedRow)
          )
          const usedUpTo = new Map(rows.map((row) => [row.key, row.usedUpTo]))
          const taken = claims.map((claim) => ({
            claim,
            answer: Allowance.take(usedUpTo.get(claim.key), claim.rate, now)
          }))
          const last = taken.reduce((one, other) => (other.answer.nextAt > one.answer.nextAt ? other : one))
          if (taken.some(({ answer }) => answer._tag === "Exhausted"))
            return { _tag: "Exhausted", nextAt: last.answer.nextAt, exhausted: last.claim } as const
          for (const { answer, claim } of taken)
            if (answer._tag === "Allowed")
              yield* sql`UPDATE allowances SET used_up_to = ${new Date(answer.usedUpTo)} WHERE key = ${claim.key}`
          return { _tag: "Allowed", nextAt: last.answer.nextAt } as const
        })
      )
    }, Effect.orDie)

    return { take }
  })
}) {
  static readonly layer = Layer.effect(Allowances, Allowances.make)
}
