/**
 * Tracks gaps in a stream's sequence, where messages were dropped unread. Pure: a gap that is seen again is not counted
 * again.
 */

/** The range between two sequences. */
export interface Gap {
  readonly before: number
  readonly next: number
}

/** How many sequences of the gap are new, and all known gaps including it. Known gaps never overlap. */
export const add = (
  known: ReadonlyArray<Gap>,
  gap: Gap
): { readonly count: number; readonly known: ReadonlyArray<Gap> } => {
  let { before, next } = gap
  let count = next - before - 1
  const apart: Array<Gap> = []
  for (const one of known) {
    const common = Math.min(gap.next, one.next) - Math.max(gap.before, one.before) - 1
    if (common <= 0) {
      apart.push(one)
      continue
    }
    count -= common
    before = Math.min(before, one.before)
    next = Math.max(next, one.next)
  }
  return { count, known: [...apart, { before, next }] }
}
