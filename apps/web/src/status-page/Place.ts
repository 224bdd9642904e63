/** Where a page is shown, and which part of its monitors. */

/** Monitors in one chunk unless somebody says otherwise. */
export const chunkSize = 50

export interface Place {
  /** What stands before the page's own paths: nothing on a host of its own, `/status/<slug>` otherwise. */
  readonly base: string
  /** Index of the first monitor. */
  readonly cursor: number
  /** Monitors in one chunk. */
  readonly chunk: number
}

/** The same place within a page of so many monitors. */
export const within = (place: Place, monitors: number): Place => ({
  ...place,
  cursor: Math.max(0, Math.min(Math.trunc(place.cursor) || 0, Math.max(0, monitors - 1)))
})
