/**
 * Who is asked whether this probe is offline, where there are no reference targets: monitored targets that passed their latest
 * check a short while ago, as far as that is not in doubt itself. No account has more than one word in it, however many monitors, projects or hosts it has.
 */
import type { Prepared } from "@kanmon/core/Check"
import type { Instant } from "./Connectivity.ts"

export interface Candidate {
  readonly account: string
  readonly check: Prepared
  /** When its latest check passed; -Infinity when that is known to have failed. */
  readonly passedAt: Instant
  /** How long that took, in milliseconds. */
  readonly millis: number
}

/** With fewer the silence of all of them proves nothing. */
export const fewest = 5
/** As many are asked where there are so many: the more, the less an accident of a few can look like our own. */
const most = 16
/** Milliseconds that a witness has for its answer. One that takes longer than half of it usually is none. */
export const answerWithin = 2000
/** A pass older than this says little of now, in milliseconds. */
const recent = 600_000

/**
 * A random choice on distinct hosts: one of each account when `accounts` (as many are watched) are several, and otherwise of
 * each host. The `doubtful` host is not asked about itself. `random` gives numbers from 0 to 1, without 1.
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

/** Fisher and Yates. */
const shuffled = <A>(all: Array<A>, random: () => number): ReadonlyArray<A> => {
  for (let left = all.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1))
    ;[all[left], all[other]] = [all[other]!, all[left]!]
  }
  return all
}
