/**
 * The status history of each monitor against its target's script: one `down` and one `up` for each window, in order and in time,
 * and nothing else. `unknown` is allowed where nobody had looked for two intervals.
 */
import { staleIntervals } from "@kanmon/domain/StatusEvaluation"
import { byTarget, type Changed, type Evidence, type Observed } from "./Evidence.ts"
import type { Window } from "./Script.ts"

export interface ChangeAccount {
  readonly windows: number
  /** Windows with one `down` and one `up`, both in time. */
  readonly told: number
  /** How long after a window's beginning or end the entry is dated, in milliseconds. */
  readonly lateness: ReadonlyArray<number>
  /** `unknown` entries that a gap between observations explains. */
  readonly blind: number
  readonly wrong: ReadonlyArray<string>
}

/** An outage begins when its first failing check is started: at most this long before the target receives it. */
const slack = 1500
/** It ends when the passing answer came, never before the target was well. Instants are compared to the millisecond. */
const blur = 50

export const account = (evidence: Evidence): ChangeAccount => {
  const { intervalMillis, monitors, windows } = evidence
  const changed = byTarget(evidence.changed, monitors.length)
  const observed = byTarget(evidence.observed, monitors.length)
  const wrong: Array<string> = []
  const lateness: Array<number> = []
  let blind = 0
  let told = 0
  for (const target of monitors.keys()) {
    const seen = [...observed[target]!].sort((one, other) => one.checkedAt - other.checkedAt)
    const line = changed[target]!
    for (const { at } of line.filter(({ status }) => status === "unknown")) {
      if (isGap(seen, at, staleIntervals * intervalMillis)) blind++
      else wrong.push(`target ${target}: unknown from ${iso(at)} on, though it was observed`)
    }
    const turns = turnsOf(line)
    const expected = windows[target]!.flatMap(({ from, to }) => [
      { status: "down", at: from, until: to },
      { status: "up", at: to, until: Number.POSITIVE_INFINITY }
    ])
    if (turns.length !== expected.length || turns.some(({ status }, index) => status !== expected[index]!.status)) {
      wrong.push(
        `target ${target}: ${describe(line)}, but it was down ${windows[target]!.map(span).join(", ") || "never"}`
      )
      continue
    }
    const late = turns.flatMap((turn, index) => {
      const { at, status, until } = expected[index]!
      const latest = noticedBy(
        seen.filter((row) => row.status === status),
        { from: at, to: until },
        evidence
      )
      lateness.push(turn.at - at)
      return turn.at < at - (status === "up" ? blur : slack) || turn.at > latest + slack + delay(evidence, at, turn.at)
        ? [`${turn.status} ${iso(turn.at)} for ${iso(at)}`]
        : []
    })
    if (late.length > 0) wrong.push(`target ${target}: out of time: ${late.join(", ")}`)
    told += windows[target]!.length - Math.min(late.length, windows[target]!.length)
  }
  return { windows: windows.flat().length, told, lateness, blind, wrong }
}

/** The changes between up and down. The first result is none, nor is it one to find things as they were before nobody looked. */
const turnsOf = (line: ReadonlyArray<Changed>): ReadonlyArray<Changed> => {
  const entries = line.filter(({ status }) => status !== "pending")
  return entries.filter(({ status }, index) => {
    if (status === "unknown") return false
    const known = entries.slice(0, index).findLast((before) => before.status !== "unknown")
    if (known === undefined) return status !== "up"
    return status !== known.status || entries[index - 1] === known
  })
}

/**
 * When a change had to be known, by the observations that show it: as soon as every region had looked. One that did not look for
 * two intervals lost its vote by then, and an interval later the others have spoken, or when they did if what they said meanwhile
 * was lost.
 */
const noticedBy = (
  seen: ReadonlyArray<Observed>,
  { from, to }: Window,
  { intervalMillis, regions }: Evidence
): number => {
  const known = new Set(Object.values(regions))
  const looked = [...known].map((region) => {
    const first = seen.find((row) => row.region === region && row.checkedAt >= from - slack)
    return Math.min(first?.checkedAt ?? Number.POSITIVE_INFINITY, to)
  })
  const waived = from + (staleIntervals + 1) * intervalMillis
  const spoken = seen.find(({ checkedAt }) => checkedAt >= waived)?.checkedAt ?? to
  const withoutIt = Math.max(waived + intervalMillis, Math.min(...looked) + intervalMillis, Math.min(spoken, to))
  return Math.max(...looked.map((at) => Math.min(at + intervalMillis, withoutIt)))
}

/**
 * While the bus is away, observations wait where they were made. A probe that takes a monitor over may speak before the one it
 * had before, whose older word then counts no more: the outage begins a look later.
 */
const delay = ({ absences, intervalMillis, regions }: Evidence, from: number, to: number): number =>
  absences.some(
    (one) => (one.name === "nats" || one.name in regions) && one.from <= to && (one.to ?? to) >= from - intervalMillis
  )
    ? intervalMillis
    : 0

/** Whether nobody observed anything for so long before the instant. */
const isGap = (seen: ReadonlyArray<Observed>, at: number, millis: number): boolean =>
  !seen.some(
    ({ checkedAt, status }) => status !== "unknown" && checkedAt > at - millis + slack && checkedAt < at - slack
  )

const iso = (at: number): string => new Date(at).toISOString().slice(11, 23)
const span = ({ from, to }: Window): string => `${iso(from)}-${iso(to)}`
const describe = (line: ReadonlyArray<Changed>): string =>
  line.map(({ at, status }) => `${status} ${iso(at)}`).join(", ") || "nothing"
