/** After a sign-in or sign-up, reads the session again and returns the visitor to their destination. */
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
