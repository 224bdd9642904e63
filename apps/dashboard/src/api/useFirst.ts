/** The first answers of queries: a part of a page waits for them (`Parts`), then shows them and all later ones. */
import {
  type DefaultError,
  type Query,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions
} from "@tanstack/react-query"
import { use, useEffect, useRef } from "react"

/** Has no answer yet. A refusal is one, and so is a failure that is tried again. */
export const isAwaited = ({ state: { fetchFailureCount, fetchStatus, status } }: Query): boolean =>
  status === "pending" && fetchStatus === "fetching" && fetchFailureCount === 0

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
