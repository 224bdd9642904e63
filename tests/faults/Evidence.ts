/** What was seen from outside and what the product stored, as the ledgers compare it. Instants are epoch milliseconds. */
import type { Absence } from "./Process.ts"
import type { Window } from "./Script.ts"

/** A request that a target had, and whether it was answered well. */
export interface Asked {
  readonly at: number
  readonly target: number
  readonly probe: string
  readonly well: boolean
}

/** An observation as it was published. */
export interface Published {
  readonly target: number
  readonly region: string
  /** Who made it, where it says so: one that reached nothing does not. */
  readonly probe: string | undefined
  readonly slot: number
  readonly checkedAt: number
}

/** An observation as it was stored. */
export interface Observed extends Published {
  readonly status: string
  /** Of the failure; null where there is none. */
  readonly code: string | null
}

/** An entry of a status history. */
export interface Changed {
  readonly target: number
  readonly at: number
  readonly status: string
}

/** An alert with what was queued for it, by notice id. */
export interface Alerted {
  readonly id: string
  readonly rule: string
  readonly trigger: string
  readonly target: number
  readonly startedAt: number
  readonly resolvedAt: number | null
  readonly notices: ReadonlyArray<{ readonly id: string; readonly purpose: string; readonly status: string }>
}

/** A notice that arrived. */
interface Received {
  /** The `webhook-id`. */
  readonly id: string
  readonly at: number
  /** The `webhook-timestamp`: when it was sent, in whole seconds. The receiver may be busy, and late. */
  readonly sentAt: number
  readonly event: string
}

/** Everything the ledgers need. */
export interface Evidence {
  readonly intervalMillis: number
  /** Of each target: the id of its monitor. */
  readonly monitors: ReadonlyArray<string>
  /** Of each target: when it was down. */
  readonly windows: ReadonlyArray<ReadonlyArray<Window>>
  /** Of each probe: its region. */
  readonly regions: Readonly<Record<string, string>>
  readonly asked: ReadonlyArray<Asked>
  readonly observed: ReadonlyArray<Observed>
  /** Published, and not stored because the slot was: what another check of it had found. */
  readonly repeated: ReadonlyArray<Published>
  readonly changed: ReadonlyArray<Changed>
  readonly alerted: ReadonlyArray<Alerted>
  readonly received: ReadonlyArray<Received>
  readonly absences: ReadonlyArray<Absence>
}

/** The rows of each target, in the order they came. */
export const byTarget = <Row extends { readonly target: number }>(
  rows: ReadonlyArray<Row>,
  targets: number
): ReadonlyArray<ReadonlyArray<Row>> => {
  const sorted = Array.from({ length: targets }, (): Array<Row> => [])
  for (const row of rows) sorted[row.target]?.push(row)
  return sorted
}
