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
      create: async ({ data, model }) => (await run(records.create(model as AuthModel, data))) as never,
      findOne: async ({ model, where }) =>
        ((await run(records.find(model as AuthModel, conditions(where), { limit: 1 })))[0] ?? null) as never,
      findMany: async ({ limit, model, offset, sortBy, where }) =>
        (await run(
          records.find(model as AuthModel, conditions(where ?? []), {
            ...(limit === undefined ? {} : { limit }),
            ...(offset === undefined ? {} : { offset }),
            ...(sortBy === undefined ? {} : { sortBy })
          })
        )) as never,
      update: async ({ model, update, where }) =>
        ((await run(records.update(model as AuthModel, conditions(where), update as AuthRecord)))[0] ?? null) as never,
      updateMany: async ({ model, update, where }) =>
        (await run(records.update(model as AuthModel, conditions(where), update))).length,
      delete: async ({ model, where }) => void (await run(records.remove(model as AuthModel, conditions(where)))),
      deleteMany: async ({ model, where }) => (await run(records.remove(model as AuthModel, conditions(where)))).length,
      count: async ({ model, where }) => run(records.count(model as AuthModel, conditions(where ?? []))),
      consumeOne: async ({ model, where }: { readonly model: string; readonly where: Array<CleanedWhere> }) =>
        ((await run(records.remove(model as AuthModel, conditions(where))))[0] ?? null) as never,
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
      }) =>
        ((await run(records.increment(model as AuthModel, conditions(where), increment, set ?? {})))[0] ??
          null) as never
    })
  })

const conditions = (where: ReadonlyArray<CleanedWhere>): ReadonlyArray<Where> =>
  where.map(({ connector = "AND", field, mode, operator = "eq", value }) => ({
    field,
    operator,
    value,
    connector,
    insensitive: mode === "insensitive"
  }))
