/** The content of a page. It is marked as busy until everything that it first asks for has been answered. */
import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { type ComponentProps, useEffect, useState } from "react"

/** Has no answer yet. A refusal is one, and so is a failure that is tried again. */
export const isAwaited = ({ state: { fetchFailureCount, fetchStatus, status } }: Query): boolean =>
  status === "pending" && fetchStatus === "fetching" && fetchFailureCount === 0

const filter = { predicate: isAwaited }

export const Main = ({ isLoading = false, ...props }: ComponentProps<"main"> & { readonly isLoading?: boolean }) => {
  const client = useQueryClient()
  const awaited = useIsFetching(filter)
  const [isBusy, setBusy] = useState(true)
  useEffect(() => {
    // Children begin to ask in effects of their own, which are run before this one.
    setBusy(client.isFetching(filter) > 0)
  }, [client, awaited])
  return <main {...props} aria-busy={isBusy || isLoading} />
}
