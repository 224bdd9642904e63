/** The records of accounts in the database, as the driver of sign-in asks for them: models are tables, fields are columns in snake case. */
import type { AuthModel, AuthRecord, AuthRecords, Where } from "./AuthRecords.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const tables: Record<AuthModel, string> = {
  user: "users",
  session: "sessions",
  account: "accounts",
  verification: "verifications",
  twoFactor: "two_factors",
  passkey: "passkeys",
  deviceCode: "device_codes"
}

export class UserRecordRepository extends Context.Service<
  UserRecordRepository,
  Pick<AuthRecords["Service"], "find" | "update" | "remove" | "increment" | "count"> & {
    /** Inserts a record. A session that an account began itself is noted as its last sign-in. */
    readonly insert: (model: AuthModel, fields: AuthRecord) => Effect.Effect<AuthRecord>
  }
>()("@kanmon/identity/users/UserRecordRepository") {
  static readonly layer = Layer.effect(
    UserRecordRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const many = (statement: Statement.Statement<unknown>) =>
        Effect.map(Rows.all(Row)(statement), (rows) => rows.map(read))

      const matching = (where: ReadonlyArray<Where>): Statement.Fragment => {
        if (where.length === 0) return sql`TRUE`
        // Better Auth joins conditions flatly: all ANDs hold, and of the ORs at least one.
        const all = where.filter(({ connector }) => connector === "AND").map(condition)
        const any = where.filter(({ connector }) => connector === "OR").map(condition)
        return sql.and([...all, ...(any.length === 0 ? [] : [sql.or(any)])])
      }

      const condition = ({ field, insensitive, operator, value }: Where): Statement.Fragment => {
        const column = insensitive ? sql`lower(${sql(snake(field))})` : sql`${sql(snake(field))}`
        const operand = insensitive && typeof value === "string" ? value.toLowerCase() : value
        if (value === null) return operator === "ne" ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`
        switch (operator) {
          case "eq":
            return sql`${column} = ${operand}`
          case "ne":
            return sql`${column} <> ${operand}`
          case "lt":
            return sql`${column} < ${operand}`
          case "lte":
            return sql`${column} <= ${operand}`
          case "gt":
            return sql`${column} > ${operand}`
          case "gte":
            return sql`${column} >= ${operand}`
          case "in":
            return sql`${column} = ANY(${texts(operand)}::text[])`
          case "not_in":
            return sql`${column} <> ALL(${texts(operand)}::text[])`
          case "contains":
            return sql`position(${String(operand)} IN ${column}) > 0`
          case "starts_with":
            return sql`starts_with(${column}, ${String(operand)})`
          case "ends_with":
            return sql`right(${column}, length(${String(operand)})) = ${String(operand)}`
        }
      }

      const insert: UserRecordRepository["Service"]["insert"] = Effect.fn("UserRecordRepository.insert")((
        model,
        fields
      ) => {
        const insertion = sql`INSERT INTO ${sql(tables[model])} ${sql.insert(columns(fields))} RETURNING *`
        // With each sign-in, unless somebody else acts as the account.
        const isOwn = model === "session" && typeof fields["impersonatedBy"] !== "string"
        const noted = sql`WITH made AS (${insertion}), noted AS (UPDATE users SET last_signed_in_at = ${fields["createdAt"]}
        WHERE id = ${fields["userId"]}) SELECT * FROM made`
        return Effect.map(Rows.one(Row)(isOwn ? noted : insertion), read)
      })

      const find: UserRecordRepository["Service"]["find"] = Effect.fn("UserRecordRepository.find")(function* (
        model,
        where,
        options = {}
      ) {
        const { limit = 100, offset = 0, sortBy } = options
        const order =
          sortBy === undefined
            ? sql``
            : sql`ORDER BY ${sql(snake(sortBy.field))} ${sql.literal(sortBy.direction === "asc" ? "ASC" : "DESC")}`
        return yield* many(
          sql`SELECT * FROM ${sql(tables[model])} WHERE ${matching(where)} ${order} LIMIT ${limit} OFFSET ${offset}`
        )
      })

      const update: UserRecordRepository["Service"]["update"] = Effect.fn("UserRecordRepository.update")(
        (model, where, changes) =>
          many(
            sql`UPDATE ${sql(tables[model])} SET ${sql.update(columns(changes))} WHERE ${matching(where)} RETURNING *`
          )
      )

      const remove: UserRecordRepository["Service"]["remove"] = Effect.fn("UserRecordRepository.remove")(
        (model, where) => many(sql`DELETE FROM ${sql(tables[model])} WHERE ${matching(where)} RETURNING *`)
      )

      const increment: UserRecordRepository["Service"]["increment"] = Effect.fn("UserRecordRepository.increment")(
        function* (model, where, increments, set) {
          const assignments = [
            ...Object.entries(increments).map(
              ([field, by]) => sql`${sql(snake(field))} = ${sql(snake(field))} + ${by}`
            ),
            ...Object.entries(set).map(([field, value]) => sql`${sql(snake(field))} = ${value}`)
          ]
          return yield* many(
            sql`UPDATE ${sql(tables[model])} SET ${sql.csv(assignments)} WHERE ${matching(where)} RETURNING *`
          )
        }
      )

      const count: UserRecordRepository["Service"]["count"] = Effect.fn("UserRecordRepository.count")((model, where) =>
        Effect.map(
          Rows.one(Total)(sql`SELECT count(*) AS total FROM ${sql(tables[model])} WHERE ${matching(where)}`),
          ({ total }) => total
        )
      )

      return UserRecordRepository.of({ insert, find, update, remove, increment, count })
    })
  )
}

const texts = Schema.decodeUnknownSync(Schema.Array(Schema.String))

const Row = Schema.Record(Schema.String, Schema.Unknown)
const Total = Schema.Struct({ total: Rows.Count })

const snake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const columns = (record: AuthRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([field, value]) => [snake(field), value ?? null]))

const read = (row: typeof Row.Type): AuthRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [camel(column), value]))
