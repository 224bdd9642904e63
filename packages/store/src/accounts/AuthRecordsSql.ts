/** The auth plugins' records in PostgreSQL: models are tables, fields are columns in snake case. */
import { type AuthModel, type AuthRecord, AuthRecords, type Where } from "@kanmon/core/AuthRecords"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { insertProject } from "./Projects.ts"
import { Secrets } from "../database/Secrets.ts"

const tables: Record<AuthModel, string> = {
  user: "users",
  session: "sessions",
  account: "accounts",
  verification: "verifications"
}

const firstProject = "Default"

export const layer = Layer.effect(
  AuthRecords,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const random = yield* SecureRandom.SecureRandom

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
          return sql`${column} = ANY(${operand as ReadonlyArray<string>}::text[])`
        case "not_in":
          return sql`${column} <> ALL(${operand as ReadonlyArray<string>}::text[])`
        case "contains":
          return sql`position(${String(operand)} IN ${column}) > 0`
        case "starts_with":
          return sql`starts_with(${column}, ${String(operand)})`
        case "ends_with":
          return sql`right(${column}, length(${String(operand)})) = ${String(operand)}`
      }
    }

    const create: AuthRecords["Service"]["create"] = Effect.fn("AuthRecords.create")(
      function* (model, row) {
        const insert = sql<Row>`INSERT INTO ${sql(tables[model])} ${sql.insert(columns(row))} RETURNING *`
        if (model !== "user") return read((yield* insert)[0]!)
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const user = read((yield* insert)[0]!)
            yield* insertProject(String(user["id"]), firstProject)
            return user
          })
        )
      },
      Effect.orDie,
      provide
    )

    const find: AuthRecords["Service"]["find"] = Effect.fn("AuthRecords.find")(function* (model, where, options = {}) {
      const { limit = 100, offset = 0, sortBy } = options
      const order =
        sortBy === undefined
          ? sql``
          : sql`ORDER BY ${sql(snake(sortBy.field))} ${sql.literal(sortBy.direction === "asc" ? "ASC" : "DESC")}`
      const rows =
        yield* sql<Row>`SELECT * FROM ${sql(tables[model])} WHERE ${matching(where)} ${order} LIMIT ${limit} OFFSET ${offset}`
      return rows.map(read)
    }, Effect.orDie)

    const update: AuthRecords["Service"]["update"] = Effect.fn("AuthRecords.update")(function* (model, where, changes) {
      const rows =
        yield* sql<Row>`UPDATE ${sql(tables[model])} SET ${sql.update(columns(changes))} WHERE ${matching(where)} RETURNING *`
      return rows.map(read)
    }, Effect.orDie)

    const remove: AuthRecords["Service"]["remove"] = Effect.fn("AuthRecords.remove")(function* (model, where) {
      const rows = yield* sql<Row>`DELETE FROM ${sql(tables[model])} WHERE ${matching(where)} RETURNING *`
      return rows.map(read)
    }, Effect.orDie)

    const increment: AuthRecords["Service"]["increment"] = Effect.fn("AuthRecords.increment")(function* (
      model,
      where,
      increments,
      set
    ) {
      const assignments = [
        ...Object.entries(increments).map(([field, by]) => sql`${sql(snake(field))} = ${sql(snake(field))} + ${by}`),
        ...Object.entries(set).map(([field, value]) => sql`${sql(snake(field))} = ${value}`)
      ]
      const rows =
        yield* sql<Row>`UPDATE ${sql(tables[model])} SET ${sql.csv(assignments)} WHERE ${matching(where)} RETURNING *`
      return rows.map(read)
    }, Effect.orDie)

    const count: AuthRecords["Service"]["count"] = Effect.fn("AuthRecords.count")(function* (model, where) {
      const [row] = yield* sql<{
        total: bigint
      }>`SELECT count(*) AS total FROM ${sql(tables[model])} WHERE ${matching(where)}`
      return Number(row?.total ?? 0)
    }, Effect.orDie)

    function provide<A, E, R>(effect: Effect.Effect<A, E, R>) {
      return effect.pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Secrets, secrets),
        Effect.provideService(SecureRandom.SecureRandom, random)
      )
    }

    return AuthRecords.of({ create, find, update, remove, increment, count })
  })
)

type Row = Readonly<Record<string, unknown>>

const snake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const columns = (record: AuthRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([field, value]) => [snake(field), value ?? null]))

const read = (row: Row): AuthRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [camel(column), value]))
