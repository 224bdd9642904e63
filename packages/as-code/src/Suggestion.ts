/** Suggests a known name for an unknown one. */

/** The end of a sentence about an unknown name; empty if no known name is similar. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const best = [...known]
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter((one) => one.distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((one, other) => one.distance - other.distance)[0]
  return best === undefined ? "" : `; did you mean ${best.candidate}?`
}

/** The Levenshtein distance. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, changed))
    }
    row = next
  }
  return row[to.length]!
}
