/** The monitors of a page as rows of one list, in which headings are rows too. Pure. */
import type { StatusPage } from "./queries.ts"

export type Row =
  | { readonly kind: "heading"; readonly id: string; readonly text: string }
  | { readonly kind: "monitor"; readonly id: string }

type Shown = StatusPage["monitors"]

let made = 0

export const newHeading = (text = ""): Row => ({ kind: "heading", id: `heading-${++made}`, text })

/** Monitors without a heading come first, since a heading covers all that follow it. */
export const rowsOf = (monitors: Shown): ReadonlyArray<Row> => {
  const groups = new Map<string | null, Array<Row>>([[null, []]])
  for (const { displayGroup, monitorId } of monitors) {
    const rows = groups.get(displayGroup) ?? []
    rows.push({ kind: "monitor", id: monitorId })
    groups.set(displayGroup, rows)
  }
  return [...groups].flatMap(([heading, rows]) => (heading === null ? rows : [newHeading(heading), ...rows]))
}

/** The content of the page: each monitor with the heading above it. */
export const monitorsOf = (rows: ReadonlyArray<Row>): Shown => {
  let heading: string | null = null
  const found: Array<Shown[number]> = []
  for (const row of rows) {
    if (row.kind === "heading") heading = row.text.trim() === "" ? null : row.text.trim()
    else found.push({ monitorId: row.id, displayGroup: heading })
  }
  return found
}

/** The rows with some of them moved before or after another one, in the order in which they were. */
export const moved = (
  rows: ReadonlyArray<Row>,
  keys: ReadonlySet<string>,
  target: string,
  position: "before" | "after"
): ReadonlyArray<Row> => {
  if (keys.has(target)) return rows
  const rest = rows.filter(({ id }) => !keys.has(id))
  const at = rest.findIndex(({ id }) => id === target) + (position === "after" ? 1 : 0)
  return [...rest.slice(0, at), ...rows.filter(({ id }) => keys.has(id)), ...rest.slice(at)]
}
