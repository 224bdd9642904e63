/** Suggests a known name for an unknown one. */

/** The end of a sentence about an unknown name; empty if no known name is similar. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const best = [...known]
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter((one) => one.distance <= Math.max(1, Math.floor(name.length / 3)) || isBeginning(name, one.candidate))
    .toSorted((one, other) => one.distance - other.distance)[0]
  return best === undefined ? "" : `; did you mean ${best.candidate}?`
}

/** Whether a name was not written to its end. Two letters begin too many names. */
const isBeginning = (name: string, candidate: string): boolean =>
  name.length > 2 && candidate.toLowerCase().startsWith(name.toLowerCase())

/** Letters added, left out, changed or exchanged with their neighbour (optimal string alignment). */
const distance = (from: string, to: string): number => {
  let before: Array<number> = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const exchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const steps = [row[j]! + 1, next[j - 1]! + 1, changed, ...(exchanged ? [before[j - 2]! + 1] : [])]
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return row[to.length]!
}
