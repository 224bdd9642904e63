/** Better Auth's database adapter over the host's records. */
import type { AuthModel, AuthRecord, AuthRecords, Where } from "@kanmon/core/AuthRecords"
import { type CleanedWhere, createAdapterFactory } from "better-auth/adapters"
import type { Effect } from "effect"

type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

export const adapter = (records: AuthRecords["Service"], run: Run, newId: (model: string) => string) =>
  createAdapterFactory({
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
      create: async ({ data, model }) => typed(await run(records.create(model as AuthModel, data))),
      findOne: async ({ model, where }) =>
        first(await run(records.find(model as AuthModel, conditions(where), { limit: 1 }))),
      findMany: async ({ limit, model, offset, sortBy, where }) =>
        typed(
          await run(
            records.find(model as AuthModel, conditions(where ?? []), {
              ...(limit === undefined ? {} : { limit }),
              ...(offset === undefined ? {} : { offset }),
              ...(sortBy === undefined ? {} : { sortBy })
            })
          )
        ),
      update: async ({ model, update, where }) =>
        first(await run(records.update(model as AuthModel, conditions(where), update as AuthRecord))),
      updateMany: async ({ model, update, where }) =>
        (await run(records.update(model as AuthModel, conditions(where), update))).length,
      delete: async ({ model, where }) => void (await run(records.remove(model as AuthModel, conditions(where)))),
      deleteMany: async ({ model, where }) => (await run(records.remove(model as AuthModel, conditions(where)))).length,
      count: async ({ model, where }) => run(records.count(model as AuthModel, conditions(where ?? []))),
      consumeOne: async ({ model, where }: { readonly model: string; readonly where: Array<CleanedWhere> }) =>
        first(await run(records.remove(model as AuthModel, conditions(where)))),
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
      }) => first(await run(records.increment(model as AuthModel, conditions(where), increment, set ?? {})))
    })
  })

/** Better Auth's methods are generic in the type of the stored rows, which no implementation can know. */
const typed = <Row>(stored: AuthRecord | ReadonlyArray<AuthRecord> | null): Row => stored as Row

const first = <Row>(rows: ReadonlyArray<AuthRecord>): Row => typed(rows[0] ?? null)

const conditions = (where: ReadonlyArray<CleanedWhere>): ReadonlyArray<Where> =>
  where.map(({ connector = "AND", field, mode, operator = "eq", value }) => ({
    field,
    operator,
    value,
    connector,
    insensitive: mode === "insensitive"
  }))
