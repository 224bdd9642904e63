/** Queries after a sign-in. */
import type { QueryClient } from "@tanstack/react-query"
import { methodsQuery } from "./methods.ts"
import { projectsQuery, sessionQuery } from "./session.ts"

/** Somebody has signed in or signed up: the session is read again. */
export const enter = async (client: QueryClient): Promise<void> => {
  client.removeQueries({ queryKey: projectsQuery.queryKey })
  // The first account was perhaps made just now.
  void client.invalidateQueries({ queryKey: methodsQuery.queryKey, refetchType: "none" })
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** The same account has signed in again: what was refused meanwhile is asked for again. */
export const enterAgain = (client: QueryClient): Promise<void> => client.invalidateQueries()
