/**
 * The parts of a page, which load by themselves. Each appears with the first answers that it waits for, and after those
 * above it: how high a list will be is not known before its answer, and nothing that is shown may move.
 */
import {
  type DefaultError,
  type Query,
  type QueryClient,
  type QueryKey,
  useIsFetching,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions
} from "@tanstack/react-query"
import { type ReactNode, Suspense, use, useEffect, useRef } from "react"
import { isAwaited } from "./Main.tsx"

export const Parts = ({ children }: { readonly children: ReactNode }) => {
  // Each answer renders what waits at once; React by itself would show one part in 300 ms.
  useIsFetching({ predicate: isAwaited })
  // A part that is left out keeps its place, so that the others stay the same.
  const [first, ...rest] = Array.isArray(children) ? (children as ReadonlyArray<ReactNode>) : [children]
  return (
    <Suspense fallback={<div aria-hidden className="skeleton h-24 rounded-xl bg-ink/5" />}>
      {first}
      {rest.length > 0 && <Parts>{rest}</Parts>}
    </Suspense>
  )
}

/** A refusal that the part just waited for is not asked for again when it appears. */
const fresh = 1_000

// oxlint-disable-next-line typescript/no-explicit-any -- queries of any answer
type Options = UseQueryOptions<any, any, any, any> | UseInfiniteQueryOptions<any, any, any, any, any>

/** The query, which is under way unless its answer is there. */
const begun = (client: QueryClient, options: Options): Query | undefined => {
  const cache = client.getQueryCache()
  const { queryKey } = options
  const state = client.getQueryState(queryKey)
  if (
    state === undefined ||
    (state.data === undefined && state.fetchStatus === "idle" && Date.now() - state.errorUpdatedAt > fresh)
  )
    void ("getNextPageParam" in options ? client.prefetchInfiniteQuery(options) : client.prefetchQuery(options))
  return cache.find({ queryKey, exact: true })
}

/** Holds the part back, when it is new, until all of these have been answered. */
export const useFirsts = (...queries: ReadonlyArray<Options>): void => {
  const client = useQueryClient()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
  }, [])
  if (isShown.current) return
  const awaited = queries
    .filter(({ enabled }) => enabled !== false)
    .map((options) => begun(client, options))
    .find((query) => query !== undefined && isAwaited(query))
  if (awaited?.promise !== undefined) use(awaited.promise)
}

/** `useQuery` of a part that waits for the first answer. */
export const useFirst = <Fetched, Shown = Fetched, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Fetched, DefaultError, Shown, Key>
) => {
  useFirsts(options)
  return useQuery({ ...options, retryOnMount: false })
}

/** `useInfiniteQuery` of a part that waits for the first page. */
export const useFirstPage = <Fetched, Shown, Key extends QueryKey, Cursor>(
  options: UseInfiniteQueryOptions<Fetched, DefaultError, Shown, Key, Cursor>
) => {
  useFirsts(options)
  return useInfiniteQuery({ ...options, retryOnMount: false })
}
