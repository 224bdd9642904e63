/** Where a stream has dropped what was not read. Pure: the same hole seen again counts no more. */

/** What lies between two sequences. */
export interface Hole {
  readonly before: number
  readonly next: number
}

/** How many sequences of the hole are in none of the known ones; and what is known with it. None of the known ones meet. */
export const add = (
  known: ReadonlyArray<Hole>,
  hole: Hole
): { readonly count: number; readonly known: ReadonlyArray<Hole> } => {
  let { before, next } = hole
  let count = next - before - 1
  const apart: Array<Hole> = []
  for (const one of known) {
    const common = Math.min(hole.next, one.next) - Math.max(hole.before, one.before) - 1
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
