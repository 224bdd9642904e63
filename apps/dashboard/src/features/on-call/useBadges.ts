/** The badges of people, the same as long as they are the same people. */
import { useMemo } from "react"
import type { People } from "./queries.ts"
import { type Badge, badgesOf } from "./timeline.ts"

export const useBadges = (ids: ReadonlyArray<string>, people: People): ReadonlyMap<string, Badge> => {
  const key = ids.join()
  return useMemo(() => badgesOf(key.split(",").map((id) => ({ id, name: people.nameOf(id) ?? "?" }))), [key, people])
}
