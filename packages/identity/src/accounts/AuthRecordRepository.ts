/** The auth plugins' records in the database: models are tables, fields are columns in snake case. */
import { type AuthModel, type AuthRecord, AuthRecords, type Where } from "./AuthRecords.ts"
import { UserId } from "@kanmon/domain/Ids"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { AuditLog } from "../audit/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Transaction } from "@kanmon/platform/Transaction"
import { Invitations, Organizations } from "../organizations/index.ts"

const tables: Record<AuthModel, string> = {
  user: "users",
  session: "sessions",
  account: "accounts",
  verification: "verifications",
  twoFactor: "two_factors",
  passkey: "passkeys",
  deviceCode: "device_codes"
}

export const layer = Layer.effect(
  AuthRecords,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const organizations = yield* Organizations
    const invitations = yield* Invitations
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

    const create: AuthRecords["Service"]["create"] = Effect.fn("AuthRecords.create")(function* (model, row) {
      const { invitation, ...fields } = row
      const insertion = sql`INSERT INTO ${sql(tables[model])} ${sql.insert(columns(fields))} RETURNING *`
      // With each sign-in, unless somebody else acts as the account.
      const isOwn = model === "session" && typeof row["impersonatedBy"] !== "string"
      const noted = sql`WITH made AS (${insertion}), noted AS (UPDATE users SET last_signed_in_at = ${row["createdAt"]}
        WHERE id = ${row["userId"]}) SELECT * FROM made`
      const insert = Effect.map(Rows.one(Row)(isOwn ? noted : insertion), read)
      if (model !== "user") return yield* insert
      return yield* transaction.run(
        Effect.flatMap(
          insert,
          Effect.fnUntraced(function* (user) {
            const [id, email] = [decodeUserId(user["id"]), String(user["email"])]
            const acting = Effect.provideService(CurrentActor, {
              actor: { kind: "person", id, name: email },
              address: null
            })
            const name = String(user["name"])
            yield* acting(
              audit.record([
                { action: "account.created", target: { id, name: email }, accountId: id, after: { email, name } }
              ])
            )
            if (typeof invitation !== "string") {
              yield* acting(organizations.create(id, name))
              return user
            }
            // Without room for a member, or when somebody else was faster, the invitation stays as it is.
            const joined = yield* acting(Effect.option(invitations.accept(invitation, { userId: id, email })))
            return Option.isSome(joined) ? { ...user, emailVerified: true } : user
          })
        )
      )
    })

    const find: AuthRecords["Service"]["find"] = Effect.fn("AuthRecords.find")(function* (model, where, options = {}) {
      const { limit = 100, offset = 0, sortBy } = options
      const order =
        sortBy === undefined
          ? sql``
          : sql`ORDER BY ${sql(snake(sortBy.field))} ${sql.literal(sortBy.direction === "asc" ? "ASC" : "DESC")}`
      return yield* many(
        sql`SELECT * FROM ${sql(tables[model])} WHERE ${matching(where)} ${order} LIMIT ${limit} OFFSET ${offset}`
      )
    })

    const update: AuthRecords["Service"]["update"] = Effect.fn("AuthRecords.update")((model, where, changes) =>
      many(sql`UPDATE ${sql(tables[model])} SET ${sql.update(columns(changes))} WHERE ${matching(where)} RETURNING *`)
    )

    const remove: AuthRecords["Service"]["remove"] = Effect.fn("AuthRecords.remove")(function* (model, where) {
      const removed = many(sql`DELETE FROM ${sql(tables[model])} WHERE ${matching(where)} RETURNING *`)
      if (model !== "user") return yield* removed
      // Organizations of which they are the only members go with them.
      const leaving = yield* many(sql`SELECT id FROM users WHERE ${matching(where)}`)
      yield* Effect.forEach(leaving, ({ id }) => organizations.removeAlone(decodeUserId(id)))
      return yield* removed
    }, transaction.run)

    const increment: AuthRecords["Service"]["increment"] = Effect.fn("AuthRecords.increment")(
      function* (model, where, increments, set) {
        const assignments = [
          ...Object.entries(increments).map(([field, by]) => sql`${sql(snake(field))} = ${sql(snake(field))} + ${by}`),
          ...Object.entries(set).map(([field, value]) => sql`${sql(snake(field))} = ${value}`)
        ]
        return yield* many(
          sql`UPDATE ${sql(tables[model])} SET ${sql.csv(assignments)} WHERE ${matching(where)} RETURNING *`
        )
      }
    )

    const count: AuthRecords["Service"]["count"] = Effect.fn("AuthRecords.count")((model, where) =>
      Effect.map(
        Rows.one(Total)(sql`SELECT count(*) AS total FROM ${sql(tables[model])} WHERE ${matching(where)}`),
        ({ total }) => total
      )
    )

    return AuthRecords.of({ create, find, update, remove, increment, count })
  })
)

const texts = Schema.decodeUnknownSync(Schema.Array(Schema.String))
const decodeUserId = Schema.decodeUnknownSync(UserId)

const Row = Schema.Record(Schema.String, Schema.Unknown)
const Total = Schema.Struct({ total: Rows.Count })

const snake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const columns = (record: AuthRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([field, value]) => [snake(field), value ?? null]))

const read = (row: typeof Row.Type): AuthRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [camel(column), value]))
