/** Decides which results are moved together, and how many a block takes. Pure. */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { BlockResult } from "./ResultBlock.ts"
import { maxTextBytes } from "./ResultBlock.ts"

/** Results of a monitor and a region that were due in `[from, to)`, whole hours of one day. */
export interface ResultWindow {
  readonly monitorId: MonitorId
  readonly region: string
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly results: number
}

/** About as many results are in a block, so that a few results are read without a day of them. */
const blockResults = 360
/** So many windows are moved in one transaction, which locks their monitors. */
const windowsAtOnce = 25
/** About as many results are moved in one transaction: decoding and encoding them takes some milliseconds. */
export const resultsAtOnce = 1500

/**
 * Joins hours of rows, and blocks with the hours that they touch, to windows of about {@link resultsAtOnce} results. They are
 * in the order of monitor, region and beginning. Results of one hour are in one window.
 */
export const windowsOf = (held: ReadonlyArray<ResultWindow>): ReadonlyArray<ResultWindow> => {
  const windows: Array<ResultWindow> = []
  for (const each of held) {
    const last = windows.at(-1)
    const joins =
      last !== undefined &&
      last.monitorId === each.monitorId &&
      last.region === each.region &&
      (each.from < last.to || last.results + each.results <= resultsAtOnce)
    if (!joins) windows.push(each)
    else windows[windows.length - 1] = { ...last, to: Math.max(last.to, each.to), results: last.results + each.results }
  }
  return windows
}

/** The monitors and regions that have at least so many results. */
export const withAtLeast = (held: ReadonlyArray<ResultWindow>, least: number): ReadonlyArray<ResultWindow> =>
  [...Map.groupBy(held, ({ monitorId, region }) => `${monitorId} ${region}`).values()]
    .filter((own) => own.reduce((sum, { results }) => sum + results, 0) >= least)
    .flat()

/** The windows of each transaction. */
export const stepsOf = (windows: ReadonlyArray<ResultWindow>): ReadonlyArray<ReadonlyArray<ResultWindow>> => {
  const steps: Array<Array<ResultWindow>> = []
  let results = 0
  for (const window of windows) {
    const last = steps.at(-1)
    if (last === undefined || last.length === windowsAtOnce || results + window.results > resultsAtOnce) {
      steps.push([window])
      results = window.results
    } else {
      last.push(window)
      results += window.results
    }
  }
  return steps
}

/**
 * The results of each block, in the order in which they were due. Failing results of a closed day have blocks of their own, which
 * are found without the others.
 */
export const blocksOf = (
  results: ReadonlyArray<BlockResult>,
  open: boolean
): ReadonlyArray<ReadonlyArray<BlockResult>> => {
  const sorted = results.toSorted((one, other) => one.scheduledAt - other.scheduledAt)
  if (open) return parted(sorted)
  return [
    ...parted(sorted.filter(({ status }) => status === "up")),
    ...parted(sorted.filter(({ status }) => status !== "up"))
  ]
}

/** Equal parts of about {@link blockResults}, or less where the texts are very long. */
const parted = (results: ReadonlyArray<BlockResult>): ReadonlyArray<ReadonlyArray<BlockResult>> => {
  const most = Math.ceil(results.length / Math.max(1, Math.round(results.length / blockResults)))
  const parts: Array<Array<BlockResult>> = []
  let texts = new Set<string>()
  let room = 0
  for (const result of results) {
    const own = [result.failure, result.facts].filter((text) => text !== null)
    const size = own.reduce((sum, text) => (texts.has(text) ? sum : sum + text.length), 0)
    if (parts.length === 0 || parts.at(-1)!.length === most || size > room) {
      parts.push([])
      texts = new Set()
      room = maxTextBytes
    }
    parts.at(-1)!.push(result)
    for (const text of own) texts.add(text)
    room -= size
  }
  return parts
}
