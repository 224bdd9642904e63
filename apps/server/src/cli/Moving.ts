/** What `kanmon export` and `kanmon import` have in common. */
import type { Exported } from "@kanmon/store/moving/Exporting"
import { Layer } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { Settings } from "../Settings.ts"

/** The database as it is, on a single connection: what is read and written belongs to one transaction. */
export const database = DatabaseChoice.connectedWith({ maxConnections: 1 }).pipe(
  Layer.provideMerge(DataDirectory.layerLocked),
  Layer.provideMerge(Settings.layer)
)

/** How much it was, for people. */
export const sum = ({ rows, unjudged }: Exported): string => {
  const total = Object.values(rows).reduce((all, count) => all + count, 0)
  return `${total} rows${unjudged === 0 ? "" : ` and ${unjudged} observations not yet judged`}`
}
