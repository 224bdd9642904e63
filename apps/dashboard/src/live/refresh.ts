/** Queries that are asked again when an event says that their answer has changed. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import type { LiveEvent } from "./Live.ts"
import { useProjectData } from "./ProjectData.tsx"

/** Milliseconds after the first of a group of events: they seldom come alone. */
const pause = 150

/** Asks again for every query below `queryKey`, a little after an event that concerns them. */
export const useRefresh = (queryKey: QueryKey, concerns: (event: LiveEvent) => boolean): void => {
  const { onEvent } = useProjectData()
  const client = useQueryClient()
  const isConcerned = useEffectEvent(concerns)
  const refresh = useEffectEvent(() => client.invalidateQueries({ queryKey }))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvent((event) => {
      if (timer !== undefined || !isConcerned(event)) return
      timer = setTimeout(() => {
        timer = undefined
        void refresh()
      }, pause)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [onEvent])
}
