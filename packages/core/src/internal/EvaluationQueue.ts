/**
 * Orders evaluations. Cheap ones run before expensive ones; among equals, the owner who used the least CPU time recently
 * goes first. So neither many monitors nor many projects nor new settings delay others by more than one running evaluation.
 * Pure: the caller passes the time.
 */

/** A queued evaluation. */
export interface Waiting {
  /** The project that pays with its CPU time. */
  readonly owner: string
  /** Expected CPU time in milliseconds. */
  readonly expected: number
  /** Memory that it holds while it is queued, in bytes. */
  readonly size: number
}

export interface EvaluationQueue<W extends Waiting> {
  /** Queues an evaluation. Returns those that are evicted for it, which may include itself: the most expensive ones. */
  readonly offer: (waiting: W, now: number) => ReadonlyArray<W>
  /** Removes and returns the next one expected to use more than `from` and at most `to` milliseconds. */
  readonly take: (from: number, to: number, now: number) => W | undefined
  /** Removes one that is no longer needed. */
  readonly remove: (waiting: W) => void
  /** Adds the CPU time of an owner's evaluation in milliseconds. */
  readonly charge: (owner: string, millis: number, now: number) => void
}

/** Half-life of an owner's used CPU time in milliseconds. */
const halfLife = 60_000
/** Above this number, owners with almost no usage are dropped. */
const manyOwners = 1000

const ranksInAll = 20
/** Costs within one rank differ by a factor of two at most. */
const rankOf = (millis: number): number => Math.min(ranksInAll - 1, Math.max(0, Math.ceil(Math.log2(millis))))

/** `capacity`: total bytes that may be queued. */
export const make = <W extends Waiting>(capacity: number): EvaluationQueue<W> => {
  /** By rank and owner, in order of arrival. */
  const ranks = Array.from({ length: ranksInAll }, () => new Map<string, Array<W>>())
  const used = new Map<string, { millis: number; at: number }>()
  let size = 0
  let clearAt = manyOwners

  const usage = (owner: string, now: number): number => {
    const known = used.get(owner)
    return known === undefined ? 0 : known.millis * 2 ** ((known.at - now) / halfLife)
  }

  const remove = (waiting: W): void => {
    const rank = ranks[rankOf(waiting.expected)]!
    const own = rank.get(waiting.owner)
    const index = own?.indexOf(waiting) ?? -1
    if (index < 0) return
    own!.splice(index, 1)
    if (own!.length === 0) rank.delete(waiting.owner)
    size -= waiting.size
  }

  /** The owner in a rank who used least (sign 1) or most (sign -1). */
  const ownerIn = (rank: ReadonlyMap<string, ReadonlyArray<W>>, sign: 1 | -1, now: number): string | undefined => {
    let found: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const owner of rank.keys()) {
      const own = sign * usage(owner, now)
      if (found === undefined || own < least) [found, least] = [owner, own]
    }
    return found
  }

  const dearest = (now: number): W | undefined => {
    for (const rank of ranks.toReversed()) {
      const owner = ownerIn(rank, -1, now)
      if (owner !== undefined) return rank.get(owner)!.at(-1)
    }
    return undefined
  }

  return {
    offer: (waiting, now) => {
      const rank = ranks[rankOf(waiting.expected)]!
      const own = rank.get(waiting.owner)
      if (own === undefined) rank.set(waiting.owner, [waiting])
      else own.push(waiting)
      size += waiting.size
      const gone: Array<W> = []
      for (;;) {
        if (size <= capacity) return gone
        const last = dearest(now)!
        remove(last)
        gone.push(last)
      }
    },
    take: (from, to, now) => {
      for (const rank of ranks.slice(from === 0 ? 0 : rankOf(from) + 1, rankOf(to) + 1)) {
        const owner = ownerIn(rank, 1, now)
        if (owner === undefined) continue
        const [first] = rank.get(owner)!
        remove(first!)
        return first
      }
      return undefined
    },
    remove,
    charge: (owner, millis, now) => {
      used.set(owner, { millis: usage(owner, now) + millis, at: now })
      if (used.size < clearAt) return
      for (const known of used.keys()) if (usage(known, now) < 1) used.delete(known)
      clearAt = Math.max(manyOwners, 2 * used.size)
    }
  }
}
