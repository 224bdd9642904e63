/** Parts of a page that load by themselves, shown together: what appears later above a button moves it from under the finger. */
import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect, useState } from "react"

/** Somebody waits for its first answer. A refusal is one, and so is a failure that is tried again. */
const predicate = (query: Query): boolean => {
  const { fetchFailureCount, fetchStatus, status } = query.state
  return query.isActive() && status === "pending" && fetchStatus === "fetching" && fetchFailureCount === 0
}

/** Shows its children once everything that they first ask for has been answered; from then on they stay. */
export const Together = ({ children }: { readonly children: ReactNode }) => {
  const client = useQueryClient()
  const awaited = useIsFetching({ predicate })
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    // Children begin to ask in effects of their own, which are run before this one.
    if (client.isFetching({ predicate }) === 0) setShown(true)
  }, [client, awaited])
  return <div className={isShown ? "contents" : "invisible contents"}>{children}</div>
}
