/**
 * Which evaluation is next. Cheap ones go before expensive ones, and among equals the owner goes first who used the least CPU
 * time lately: then neither many monitors, nor many projects, nor ever new settings keep others waiting for longer than one
 * evaluation that is running. Pure: the clock is the caller's.
 */

/** An evaluation that waits for its turn. */
export interface Waiting {
  /** Whose CPU time it uses: a project. */
  readonly owner: string
  /** The CPU time it is expected to use, in milliseconds. */
  readonly expected: number
  /** Bytes that it holds in memory while it waits. */
  readonly size: number
}

export interface EvaluationQueue<W extends Waiting> {
  /** Lets one wait. Returns those that have to go because of it, which may be itself: the most expensive ones. */
  readonly offer: (waiting: W, now: number) => ReadonlyArray<W>
  /** Takes the next one out of those that are expected to use more than `from` and at most `to` milliseconds. */
  readonly take: (from: number, to: number, now: number) => W | undefined
  /** Takes one out that no longer waits. */
  readonly remove: (waiting: W) => void
  /** Says what an owner's evaluation used, in milliseconds of CPU time. */
  readonly charge: (owner: string, millis: number, now: number) => void
}

/** After so long half of what an owner used is forgotten, in milliseconds. */
const halfLife = 60_000
/** Owners to remember before those are dropped who have used next to nothing. */
const manyOwners = 1000

const ranksInAll = 20
/** Evaluations of one rank differ in cost by a factor of two at most. */
const rankOf = (millis: number): number => Math.min(ranksInAll - 1, Math.max(0, Math.ceil(Math.log2(millis))))

/** `capacity`: the bytes that all that wait may hold. */
export const make = <W extends Waiting>(capacity: number): EvaluationQueue<W> => {
  /** By rank and owner, in the order they came. */
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

  /** The one of a rank's owners who used least (sign 1) or most (sign -1). */
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
