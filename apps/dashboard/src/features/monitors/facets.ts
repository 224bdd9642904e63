/** What monitors have in common, as filters of the list. */
import { type Text, t } from "../../locales/text.ts"

export type Facet = "type" | "tag" | "group" | "region" | "results"

export const facets: ReadonlyArray<Facet> = ["type", "tag", "group", "region", "results"]

export const labels = {
  type: "Type",
  tag: "Tag",
  group: "Group",
  region: "Region",
  results: "Results"
} as const satisfies Record<Facet, Text>

/** A value as people read it: most are names that somebody gave. */
export const wordOf = (facet: Facet, value: string): string => (facet === "results" ? t("Overdue") : value)
