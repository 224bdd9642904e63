/** What follows a sign-in and a sign-up: the session is read again, and the visitor goes on to where they wanted to be. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { enter } from "../api/entrance.ts"
import { rootPath } from "../browser/place.ts"

export const useEntrance = (to: string | undefined) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await enter(client)
    await navigate({ href: rootPath + (to ?? "/"), replace: true })
  }
}
