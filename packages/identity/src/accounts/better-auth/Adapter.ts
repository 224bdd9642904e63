/** Better Auth's database adapter over the host's records. */
import type { AuthModel, AuthRecord, AuthRecords, Where } from "../../users/index.ts"
import { type CleanedWhere, createAdapterFactory } from "better-auth/adapters"
import type { Effect } from "effect"
import type { Expected } from "./Accidents.ts"
import { seal } from "./SessionTokens.ts"

export type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

/** How writes are made: some are recorded. */
type Write = <A>(write: Expected["write"], model: string, effect: Effect.Effect<A>) => Effect.Effect<A>

export const adapter = (records: AuthRecords["Service"], run: Run, write: Write, newId: (model: string) => string) => {
  const written = (model: string, where: ReadonlyArray<CleanedWhere>, changes: AuthRecord) =>
    write("update", model, records.update(model as AuthModel, conditions(where, model), sealedRow(model, changes)))

  const removed = (model: string, where: ReadonlyArray<CleanedWhere>) =>
    write("remove", model, records.remove(model as AuthModel, conditions(where, model)))

  return createAdapterFactory({
    config: {
      adapterId: "kanmon",
      adapterName: "Kanmon",
      supportsJSON: false,
      supportsDates: true,
      supportsBooleans: true,
      supportsNumericIds: false,
      customIdGenerator: ({ model }) => newId(model)
    },
    adapter: () => ({
      create: async ({ data, model }) => {
        const sealed = sealedRow(model, data)
        const row = await run(write("create", model, records.create(model as AuthModel, sealed)))
        return typed("token" in data ? { ...row, token: data["token"] } : row)
      },
      findOne: async ({ model, where }) =>
        first(named(where, await run(records.find(model as AuthModel, conditions(where, model), { limit: 1 })))),
      findMany: async ({ limit, model, offset, sortBy, where }) =>
        typed(
          await run(
            records.find(model as AuthModel, conditions(where ?? [], model), {
              ...(limit === undefined ? {} : { limit }),
              ...(offset === undefined ? {} : { offset }),
              ...(sortBy === undefined ? {} : { sortBy })
            })
          )
        ),
      update: async ({ model, update, where }) =>
        first(named(where, await run(written(model, where, update as AuthRecord)))),
      updateMany: async ({ model, update, where }) => (await run(written(model, where, update))).length,
      delete: async ({ model, where }) => void (await run(removed(model, where))),
      deleteMany: async ({ model, where }) => (await run(removed(model, where))).length,
      count: async ({ model, where }) => run(records.count(model as AuthModel, conditions(where ?? [], model))),
      consumeOne: async ({ model, where }: { readonly model: string; readonly where: Array<CleanedWhere> }) =>
        first(await run(removed(model, where))),
      incrementOne: async ({
        increment,
        model,
        set,
        where
      }: {
        readonly model: string
        readonly where: Array<CleanedWhere>
        readonly increment: Record<string, number>
        readonly set?: Record<string, unknown> | undefined
      }) => first(await run(records.increment(model as AuthModel, conditions(where, model), increment, set ?? {})))
    })
  })
}

/** Better Auth's methods are generic in the type of the stored rows, which no implementation can know. */
const typed = <Row>(stored: AuthRecord | ReadonlyArray<AuthRecord> | null): Row => stored as Row

const first = <Row>(rows: ReadonlyArray<AuthRecord>): Row => typed(rows[0] ?? null)

const isToken = (model: string, field: string): boolean => model === "session" && field === "token"

const sealedRow = (model: string, row: AuthRecord): AuthRecord =>
  isToken(model, "token") && typeof row["token"] === "string" ? { ...row, token: seal(row["token"]) } : row

/** Rows that were found by a session's token carry it. */
const named = (where: ReadonlyArray<CleanedWhere>, rows: ReadonlyArray<AuthRecord>): ReadonlyArray<AuthRecord> => {
  const token = where.find(({ field, operator = "eq" }) => field === "token" && operator === "eq")?.value
  return typeof token === "string" ? rows.map((row) => ({ ...row, token })) : rows
}

const sealedValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sealedValue)
  return typeof value === "string" ? seal(value) : value
}

const conditions = (where: ReadonlyArray<CleanedWhere>, model: string): ReadonlyArray<Where> =>
  where.map(({ connector = "AND", field, mode, operator = "eq", value }) => ({
    field,
    operator,
    value: isToken(model, field) ? sealedValue(value) : value,
    connector,
    insensitive: mode === "insensitive"
  }))
