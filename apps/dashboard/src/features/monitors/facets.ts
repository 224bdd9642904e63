/** What monitors have in common, as filters of the list. */
export type Facet = "type" | "tag" | "group" | "region"

export const facets: ReadonlyArray<Facet> = ["type", "tag", "group", "region"]

export const labels = { type: "Type", tag: "Tag", group: "Group", region: "Region" } as const
