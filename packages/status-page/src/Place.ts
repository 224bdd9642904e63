/** The path of a page and the part of its monitors to show. */

/** Default number of monitors in a chunk. */
export const chunkSize = 50

export interface Place {
  /** The prefix of all paths on this host: the installation's own path, or empty. */
  readonly root: string
  /** The prefix of the page's paths: empty on a custom domain or subdomain, otherwise `<root>/status/<slug>`. */
  readonly base: string
  /** Index of the first monitor. */
  readonly cursor: number
  /** Monitors in one chunk. */
  readonly chunk: number
}

/** Limits the place to the page's number of monitors. */
export const within = (place: Place, monitors: number): Place => ({
  ...place,
  cursor: Math.max(0, Math.min(Math.trunc(place.cursor) || 0, Math.max(0, monitors - 1)))
})
