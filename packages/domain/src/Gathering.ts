/**
 * When due checks begin. An idle process pays more for waking up than for a check, so where there are few checks, those that are
 * due in the same part of a second begin together after it. One millisecond apart, on average: at the same moment each would
 * wait for the work of the others, and measure that as its target's response time.
 */

/** Checks that are due within a cell of time begin within a window after its end; both in milliseconds. */
export interface Gathering {
  readonly cell: number
  readonly window: number
}

/** Longer ones would make users wait; they divide a second, so that cells of all intervals end together. */
const cells = [1000, 500, 250, 125]
/** As many checks as this keep a process awake long enough. */
const company = 32

/** How a process with this many checks a second gathers them; undefined when it is hardly ever idle between two. */
export const gatheringOf = (checksPerSecond: number): Gathering | undefined => {
  const cell = cells.find((millis) => (checksPerSecond * millis) / 1000 <= company)
  if (cell === undefined) return undefined
  // Doubles, so that another monitor seldom changes when the others begin.
  const expected = Math.max(1, (checksPerSecond * cell) / 1000)
  return { cell, window: 2 ** Math.ceil(Math.log2(expected)) }
}

/** How long after its due time a check begins, in milliseconds: at most a cell, and in the order of the due times. */
export const waitOf = (dueMillis: number, { cell, window }: Gathering): number => {
  const within = dueMillis % cell
  return cell - within + Math.floor((within * window) / cell)
}
