/**
 * Chooses the targets that are asked whether this probe is offline when there are no reference targets: monitored
 * targets whose latest check passed recently. Each account has at most one vote, for any number of monitors, projects
 * and hosts.
 */
import type { Prepared } from "@kanmon/core/Check"
import type { Instant } from "./Connectivity.ts"

export interface Candidate {
  readonly account: string
  readonly check: Prepared
  /** When its latest check passed; -Infinity when it failed. */
  readonly passedAt: Instant
  /** The duration of that check in milliseconds. */
  readonly millis: number
}

/** With fewer witnesses their silence proves nothing. */
export const fewest = 5
/** Maximum number asked: the more are asked, the less likely is a coincidental failure of all of them. */
const most = 16
/** Milliseconds a witness has to answer. One that usually takes longer than half of that is not asked. */
export const answerWithin = 2000
/** An older pass says little about the present, in milliseconds. */
const recent = 600_000

/**
 * A random choice on distinct hosts: one per account when several `accounts` have monitors, otherwise one per host. The
 * `doubtful` host is excluded. `random` returns numbers from 0 up to, but not including, 1.
 */
export const choose = (
  known: Iterable<Candidate>,
  accounts: number,
  doubtful: string | undefined,
  now: Instant,
  random: () => number
): ReadonlyArray<Candidate> => {
  const groups = new Map<string, Array<Candidate>>()
  for (const candidate of known) {
    if (now - candidate.passedAt > recent || candidate.millis > answerWithin / 2) continue
    const name = accounts > 1 ? candidate.account : candidate.check.host
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [candidate])
    else group.push(candidate)
  }
  const hosts = new Set(doubtful === undefined ? [] : [doubtful])
  const chosen: Array<Candidate> = []
  for (const group of shuffled([...groups.values()], random)) {
    if (chosen.length === most) break
    const free = group.filter(({ check }) => !hosts.has(check.host))
    const candidate = free[Math.floor(random() * free.length)]
    if (candidate === undefined) continue
    hosts.add(candidate.check.host)
    chosen.push(candidate)
  }
  return chosen
}

/** Fisher-Yates shuffle. */
const shuffled = <A>(all: Array<A>, random: () => number): ReadonlyArray<A> => {
  for (let left = all.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1))
    ;[all[left], all[other]] = [all[other]!, all[left]!]
  }
  return all
}
