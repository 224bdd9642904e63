/**
 * Every slot of every monitor in every region, from its first observation to its last: stored, or left out for a reason. The
 * reasons that can be seen from outside are told here; what remains was skipped, and has to be no more than the probes counted.
 */
import { phase, slotStart } from "@kanmon/domain/Slots"
import { byTarget, type Evidence } from "./Evidence.ts"
import type { Matches } from "./Match.ts"
import type { Absence } from "./Process.ts"

export interface SlotAccount {
  readonly due: number
  readonly stored: number
  /** Nobody asked, because the probe that used to was away and no other had taken over. */
  readonly absent: number
  /** The target was asked, and the probe was killed before what it found had left it. */
  readonly lostInHand: number
  /** The check that a new monitor begins with came so shortly before that it stood in. */
  readonly stoodIn: number
  /** Nobody asked, though the probe was there. */
  readonly skipped: number
  /** The target was asked, the probe was there, and nothing was stored: there is no excuse. */
  readonly lost: ReadonlyArray<string>
  /** The same slot more than once. */
  readonly twice: ReadonlyArray<string>
}

/** A killed probe may have held what it had found for so long. */
const inHandMillis = 3000
/** What a probe sends so soon after it was frozen may be the check of a slot before, whose end the next slot is skipped for. */
const thawMillis = 2000
/** The check that a new monitor begins with stands in for a slot that would begin so soon after it. */
const standInMillis = 1000
/** Instants are compared to the millisecond. */
const blur = 50

export const account = (evidence: Evidence, matches: Matches): SlotAccount => {
  const { intervalMillis, monitors, regions } = evidence
  const observed = byTarget(evidence.observed, monitors.length)
  const asked = byTarget(evidence.asked, monitors.length)
  const total = { due: 0, stored: 0, absent: 0, lostInHand: 0, stoodIn: 0, skipped: 0 }
  const lost: Array<string> = []
  const twice: Array<string> = []

  for (const [target, monitor] of monitors.entries()) {
    const offset = phase(monitor, intervalMillis)
    for (const region of new Set(Object.values(regions))) {
      const slots = observed[target]!.filter((row) => row.region === region).map(({ slot }) => slot)
      if (slots.length === 0) continue
      const known = new Set(slots)
      const requests = asked[target]!.filter(({ probe }) => regions[probe] === region)
      const first = Math.min(...slots)
      const last = Math.max(...slots)
      total.due += last - first + 1
      total.stored += known.size
      for (let slot = first; slot < last; slot++) {
        if (known.has(slot)) continue
        const due = slotStart(slot, offset, intervalMillis)
        const answered = requests.find(
          (request) =>
            request.at >= due - blur &&
            request.at < due + intervalMillis - blur &&
            !matches.isTold(request) &&
            !evidence.absences.some((one) => one.name === request.probe && thawedBefore(one, request.at))
        )
        if (answered !== undefined) {
          const { at, probe } = answered
          if (evidence.absences.some((one) => one.name === probe && diedAfter(one, at))) total.lostInHand++
          else lost.push(`target ${target} ${region} slot ${slot}: ${probe} asked at ${new Date(at).toISOString()}`)
          continue
        }
        const before = requests.findLast(({ at }) => at < due)
        const after = requests.find(({ at }) => at > due)
        const gap = { from: before?.at ?? due, to: after?.at ?? due }
        if (evidence.absences.some((one) => regions[one.name] === region && covers(one, gap))) total.absent++
        else if (slot === first + 1 && due - gap.from < standInMillis) total.stoodIn++
        else total.skipped++
      }
    }
  }
  const seen = new Set<string>()
  for (const { checkedAt, region, slot, target } of evidence.observed) {
    const key = `target ${target} ${region} slot ${slot} at ${checkedAt}`
    if (seen.has(key)) twice.push(key)
    seen.add(key)
  }
  return { ...total, lost, twice }
}

const diedAfter = ({ from, how }: Absence, at: number): boolean =>
  how === "killed" && at <= from + blur && from - at <= inHandMillis

const thawedBefore = ({ how, to }: Absence, at: number): boolean =>
  how === "frozen" && to !== undefined && at >= to - thawMillis && at <= to + thawMillis

/** Whether the absence began or ended in the gap. A probe that is only cut off keeps checking, so it excuses no gap. */
const covers = (absence: Absence, gap: { readonly from: number; readonly to: number }): boolean =>
  absence.how !== "cut" && absence.from <= gap.to && (absence.to ?? Number.POSITIVE_INFINITY) >= gap.from
