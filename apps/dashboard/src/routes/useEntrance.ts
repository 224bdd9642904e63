/** What follows a sign-in and a sign-up: the session is read again, and the visitor goes on to where they wanted to be. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { projectsQuery, sessionQuery } from "../api/session.ts"

export const useEntrance = (to: string | undefined) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    client.removeQueries({ queryKey: projectsQuery.queryKey })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await navigate({ href: to ?? "/", replace: true })
  }
}
