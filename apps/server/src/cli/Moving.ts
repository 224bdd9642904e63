/** Shared by `kanmon export` and `kanmon import`. */
import { counted } from "@kanmon/domain/Counted"
import type { Exported } from "@kanmon/monitoring/backup"
import { Layer } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { Settings } from "../Settings.ts"

/** The database without migration, on a single connection, because an export or import is one transaction. */
export const database = DatabaseChoice.connectedWith({ maxConnections: 1 }).pipe(
  Layer.provideMerge(DataDirectory.layerLocked),
  Layer.provideMerge(Settings.layer)
)

/** The size of an export, in words. */
export const sum = ({ rows, unjudged }: Exported): string => {
  const total = Object.values(rows).reduce((all, count) => all + count, 0)
  return `${counted(total, "row")}${unjudged === 0 ? "" : ` and ${counted(unjudged, "observation")} not yet evaluated`}`
}
