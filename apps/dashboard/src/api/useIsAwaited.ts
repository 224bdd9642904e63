import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"

/** Somebody waits for its first answer. A refusal is one, and so is a failure that is tried again. */
const predicate = (query: Query): boolean => {
  const { fetchFailureCount, fetchStatus, status } = query.state
  return query.isActive() && status === "pending" && fetchStatus === "fetching" && fetchFailureCount === 0
}

/** Whether anything on the page waits for its first answer; true at first. */
export const useIsAwaited = (): boolean => {
  const client = useQueryClient()
  const awaited = useIsFetching({ predicate })
  const [isAwaited, setAwaited] = useState(true)
  useEffect(() => {
    // Children begin to ask in effects of their own, which are run before this one.
    setAwaited(client.isFetching({ predicate }) > 0)
  }, [client, awaited])
  return isAwaited
}
