/**
 * Writes: what an operation sends, what is shown meanwhile, what its answer says, and which queries it makes stale. Each
 * operation is a hook beside its resource, so that no component decides any of this.
 */
import {
  type MutationOptions,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient
} from "@tanstack/react-query"
import { reasonOf } from "./problem.ts"

type Stale = ReadonlyArray<QueryKey>

export interface Write<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>
  /** Names what is written, for queries that ask whether a write is under way. */
  readonly key?: QueryKey
  /** Writes of the same scope are sent one after another: what was asked for last holds. */
  readonly scope?: string
  /** Shows the expected result when the request leaves; the answer takes it back. */
  readonly expect?: (client: QueryClient, input: Input) => Promise<() => unknown>
  /** Leaves the pages of what is gone, before anything about it is asked for again. */
  readonly leave?: () => unknown
  /** Keeps what the answer says. The form then does not wait for the stale queries. */
  readonly learn?: (client: QueryClient, answer: Answer, input: Input) => unknown
  /** Queries whose answers the write changes, also when it is refused: somebody else may have been faster. */
  readonly stale?: Stale | ((input: Input, isDone: boolean) => Stale)
}

/** The mutation of a write. */
export const mutationOf = <Answer, Input>(
  client: QueryClient,
  { expect, key, learn, leave, scope, send, stale = [] }: Write<Input, Answer>
): MutationOptions<Answer, Error, Input> => {
  const refresh = (input: Input, isDone: boolean) =>
    Promise.all(
      (typeof stale === "function" ? stale(input, isDone) : stale).map((queryKey) =>
        client.invalidateQueries({ queryKey })
      )
    )
  return {
    ...(key === undefined ? {} : { mutationKey: key }),
    ...(scope === undefined ? {} : { scope: { id: scope } }),
    // Browsers are wrong about being offline, and passwords are not kept.
    networkMode: "always",
    gcTime: 0,
    mutationFn: async (input) => {
      const undo = await expect?.(client, input)
      try {
        return await send(input)
      } catch (error) {
        await undo?.()
        throw error
      }
    },
    onSuccess: async (answer, input) => {
      await leave?.()
      await learn?.(client, answer, input)
      const refreshed = refresh(input, true)
      if (learn === undefined) await refreshed
    },
    onError: (_, input) => void refresh(input, false)
  }
}

/** The hook of one operation. A refusal is its `error` until the next attempt or `reset`. */
export const useWrite = <Answer, Input = void>(write: Write<Input, Answer>) =>
  useMutation(mutationOf(useQueryClient(), write))

interface Attempt {
  readonly error: Error | null
  readonly reset: () => void
}

/** The refusal of several writes with one place for it, and the way to take it away. */
export const refusalOf = (attempts: ReadonlyArray<Attempt>) => {
  const refused = attempts.filter(({ error }) => error !== null)
  return {
    refusal: refused[0] === undefined ? undefined : reasonOf(refused[0].error),
    dismiss: () => {
      for (const { reset } of refused) reset()
    }
  }
}

interface Entry {
  readonly id: string
}

/** Takes an entry out of the list of a query; the answer puts it back to its place. */
export const withoutEntry =
  (list: QueryKey) =>
  async (client: QueryClient, id: string): Promise<() => void> => {
    // An answer that is under way still has the entry.
    await client.cancelQueries({ queryKey: list })
    const before = client.getQueryData<ReadonlyArray<Entry>>(list) ?? []
    const index = before.findIndex((each) => each.id === id)
    client.setQueryData<ReadonlyArray<Entry>>(list, (known) => known?.filter((each) => each.id !== id))
    return () => {
      const below = new Set(before.slice(index + 1).map((each) => each.id))
      client.setQueryData<ReadonlyArray<Entry>>(list, (known) => {
        const place = known?.findIndex((each) => below.has(each.id)) ?? -1
        return known?.toSpliced(place === -1 ? known.length : place, 0, ...before.slice(index, index + 1))
      })
    }
  }

/** Puts a new record at the top of the list of a query, or the changed one in its place. */
export const keepEntry = <A extends Entry>(client: QueryClient, list: QueryKey, record: A, isNew: boolean): void => {
  client.setQueryData<ReadonlyArray<A>>(list, (known) =>
    isNew
      ? [record, ...(known ?? []).filter(({ id }) => id !== record.id)]
      : known?.map((each) => (each.id === record.id ? record : each))
  )
}

/** Notes the result of a test as the last delivery of what was tested. */
export const keepDelivery = (
  client: QueryClient,
  list: QueryKey,
  id: string,
  { at, detail }: { readonly at: string; readonly detail: string }
): void => {
  const lastDelivery = { at, status: "delivered", detail }
  client.setQueryData<ReadonlyArray<Entry>>(list, (known) =>
    known?.map((each) => (each.id === id ? { ...each, lastDelivery } : each))
  )
}
