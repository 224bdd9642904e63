import { useIsFetching, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { isAwaited as predicate } from "./useFirst.ts"

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
