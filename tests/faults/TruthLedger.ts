/** Each observation against what the target really answered to that very probe at that time. */
import { byTarget, type Evidence, type Observed } from "./Evidence.ts"

export interface TruthAccount {
  /** Observations that say what the target answered. */
  readonly true: number
  /** Observations of nothing: `unknown`, by the failure's code. */
  readonly unknown: Readonly<Record<string, number>>
  /** Observations that say something else than the target did, or that no request stands behind. */
  readonly false: ReadonlyArray<string>
}

/** A clock is read before the request is sent; the target reads its own. */
const early = 50
/** A probe may be frozen between the two. */
const latestMillis = 30_000

export const account = (evidence: Evidence): TruthAccount => {
  const asked = byTarget(evidence.asked, evidence.monitors.length)
  const unknown: Record<string, number> = {}
  const wrong: Array<string> = []
  let right = 0
  for (const row of evidence.observed) {
    if (row.status === "unknown") {
      unknown[row.code ?? ""] = (unknown[row.code ?? ""] ?? 0) + 1
      continue
    }
    const { checkedAt, probe, target } = row
    const request = asked[target]!.find(
      (one) => one.probe === probe && one.at >= checkedAt - early && one.at <= checkedAt + latestMillis
    )
    if (request === undefined) wrong.push(`${describe(row)}: no request stands behind it`)
    else if (request.well !== (row.status === "up"))
      wrong.push(`${describe(row)}: the target answered ${request.well ? "well" : "badly"}`)
    else right++
  }
  return { true: right, unknown, false: wrong }
}

const describe = ({ checkedAt, code, probe, region, status, target }: Observed): string =>
  `target ${target} ${region} ${probe ?? "nobody"} ${new Date(checkedAt).toISOString()} ${status} ${code ?? ""}`
