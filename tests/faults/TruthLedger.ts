/** Each observation against what the target really answered to that very probe at that time. */
import type { Evidence, Observed } from "./Evidence.ts"
import type { Matches } from "./Match.ts"

export interface TruthAccount {
  /** Observations that say what the target answered. */
  readonly true: number
  /** Observations of nothing: `unknown`, by the failure's code. */
  readonly unknown: Readonly<Record<string, number>>
  /** Observations that say something else than the target did, or that no request stands behind. */
  readonly false: ReadonlyArray<string>
}

export const account = ({ observed }: Evidence, matches: Matches): TruthAccount => {
  const unknown: Record<string, number> = {}
  const wrong: Array<string> = []
  let right = 0
  for (const row of observed) {
    if (row.status === "unknown") {
      unknown[row.code ?? ""] = (unknown[row.code ?? ""] ?? 0) + 1
      continue
    }
    const request = matches.request(row)
    if (request === undefined) wrong.push(`${describe(row)}: no request stands behind it`)
    else if (request.well !== (row.status === "up"))
      wrong.push(`${describe(row)}: the target answered ${request.well ? "well" : "badly"}`)
    else right++
  }
  return { true: right, unknown, false: wrong }
}

const describe = ({ checkedAt, code, probe, region, status, target }: Observed): string =>
  `target ${target} ${region} ${probe ?? "nobody"} ${new Date(checkedAt).toISOString()} ${status} ${code ?? ""}`
