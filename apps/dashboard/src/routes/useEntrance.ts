/** What follows a sign-in and a sign-up: the session is read again, and the visitor goes on to where they wanted to be. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { methodsQuery } from "../api/methods.ts"
import { projectsQuery, sessionQuery } from "../api/session.ts"
import { rootPath } from "../browser/place.ts"

export const useEntrance = (to: string | undefined) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    client.removeQueries({ queryKey: projectsQuery.queryKey })
    // The first account was perhaps made just now.
    void client.invalidateQueries({ queryKey: methodsQuery.queryKey, refetchType: "none" })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await navigate({ href: rootPath + (to ?? "/"), replace: true })
  }
}
