/** Removals from lists: the entry leaves its list at once, and returns to it when the API refuses. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "./problem.ts"

interface Entry {
  readonly id: string
}

export interface OptimisticRemoval {
  readonly remove: (entry: Entry) => Promise<void>
  /** The reason of the last refusal. */
  readonly error: string | undefined
  readonly dismiss: () => void
}

/** `list` is the query of the list; `stale` are further queries whose answers the removal changes. */
export const useOptimisticRemoval = (
  list: QueryKey,
  send: (id: string) => Promise<unknown>,
  stale: ReadonlyArray<QueryKey> = []
): OptimisticRemoval => {
  const client = useQueryClient()
  const [error, setError] = useState<string | undefined>(undefined)
  const remove = async ({ id }: Entry) => {
    setError(undefined)
    // An answer that is under way still has the entry.
    await client.cancelQueries({ queryKey: list })
    const before = client.getQueryData(list)
    client.setQueryData<ReadonlyArray<Entry>>(list, (known) => known?.filter((each) => each.id !== id))
    try {
      await send(id)
    } catch (cause) {
      client.setQueryData(list, before)
      setError(reasonOf(cause))
    }
    await Promise.all([list, ...stale].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return { remove, error, dismiss: () => setError(undefined) }
}
