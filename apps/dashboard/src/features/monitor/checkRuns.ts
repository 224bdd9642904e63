/** The log of checks as runs: repetitions are one row, so that differences stand out. */
import type { CheckRecord } from "@kanmon/protocol/LogBody"
import { reasonText } from "../../locales/reasons.ts"

export type Check = typeof CheckRecord.Encoded

/** Checks in a row that found the same, newest first. */
export interface CheckRun {
  /** The oldest check's: newer ones join the run without changing it. */
  readonly id: string
  readonly checks: readonly [Check, ...ReadonlyArray<Check>]
}

/** Fewer of the same are rows of their own. */
const leastFolded = 3

const isAlike = (one: Check, other: Check): boolean =>
  one.status === other.status && one.statusCode === other.statusCode && one.failure?.message === other.failure?.message

/** Folds repeated results of all regions; keeps their order. Pure. */
export const runsOf = (checks: ReadonlyArray<Check>): ReadonlyArray<CheckRun> => {
  const runs: Array<[Check, ...Array<Check>]> = []
  for (const check of checks) {
    const last = runs.at(-1)
    if (last !== undefined && isAlike(last[0], check)) last.push(check)
    else runs.push([check])
  }
  return runs.flatMap((run) =>
    run.length < leastFolded
      ? run.map((check): CheckRun => ({ id: check.id, checks: [check] }))
      : [{ id: run.at(-1)!.id, checks: run }]
  )
}

/** The shortest and the longest response time in milliseconds; undefined when none was measured. Pure. */
export const spanOf = (checks: ReadonlyArray<Check>): readonly [least: number, most: number] | undefined => {
  const times = checks.flatMap(({ responseTime }) => (responseTime === null ? [] : [responseTime]))
  return times.length === 0 ? undefined : [Math.min(...times), Math.max(...times)]
}

const stages = ["dns", "connect", "tls", "firstByte", "download"] as const

/** The rows of a table of the checks, its head first: a line for each check. Pure. */
export const tableOf = (checks: ReadonlyArray<Check>): ReadonlyArray<ReadonlyArray<string | number | null>> => [
  ["checkedAt", "region", "status", "responseTimeMs", ...stages.map((stage) => `${stage}Ms`), "statusCode", "failure"],
  ...checks.map(({ checkedAt, failure, region, responseTime, status, statusCode, timing }) => [
    checkedAt,
    region,
    status,
    responseTime,
    ...stages.map((stage) => timing[stage] ?? null),
    statusCode,
    failure === null ? null : reasonText(failure)
  ])
]
