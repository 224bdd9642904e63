/**
 * The dates of outages against the checks that showed them, where every region was heard in the end: an outage begins with the
 * first failing check that completes a majority, and ends with the first passing answer that leaves none, whichever of the regions the
 * engine heard first. Stricter than `ChangeLedger`, which allows a look more, so only for runs in which no probe takes over.
 */
import { majority } from "@kanmon/domain/StatusEvaluation"
import { byTarget, type Evidence } from "./Evidence.ts"

/** Between the start of a check and its answer, on a busy machine. */
const slack = 1500

/** What is dated otherwise. */
export const account = (evidence: Evidence): ReadonlyArray<string> => {
  const changed = byTarget(evidence.changed, evidence.monitors.length)
  const observed = byTarget(evidence.observed, evidence.monitors.length)
  const regions = [...new Set(Object.values(evidence.regions))]
  return evidence.windows.flatMap((windows, target) =>
    windows.flatMap(({ from, to }) => {
      /** The first such check of each region from an instant on, in their order. */
      const first = (status: string, since: number): ReadonlyArray<number> =>
        regions
          .flatMap((region) => {
            const rows = observed[target]!.filter((row) => row.region === region && row.status === status)
            const times = rows.map(({ checkedAt }) => checkedAt).filter((at) => at >= since - slack)
            return times.length === 0 ? [] : [Math.min(...times)]
          })
          .sort((one, other) => one - other)
      const dated = (status: string, since: number) =>
        changed[target]!.find((entry) => entry.status === status && entry.at >= since - slack)?.at
      const enough = majority(regions.length)
      const failing = first("down", from).slice(enough - 1)
      const passing = first("up", to).slice(regions.length - enough)
      const [began, ended] = [dated("down", from), dated("up", to)]
      return [...outside(target, "down", began, failing), ...outside(target, "up", ended, passing)]
    })
  )
}

const outside = (
  target: number,
  status: string,
  at: number | undefined,
  seen: ReadonlyArray<number>
): ReadonlyArray<string> => {
  const [earliest, latest] = [seen[0], seen.at(-1)]
  if (at === undefined || earliest === undefined || latest === undefined)
    return [`target ${target}: no ${status} is told or was seen`]
  if (at >= earliest - slack && at <= latest + slack) return []
  return [`target ${target}: ${status} is dated ${iso(at)}, and was seen from ${iso(earliest)} to ${iso(latest)}`]
}

const iso = (at: number): string => new Date(at).toISOString().slice(11, 23)
