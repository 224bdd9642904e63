/**
 * Sketches of durations: counts by buckets that grow by a constant factor. Sketches of the same factor can be merged without
 * a loss, and a quantile read from one is off by at most {@link relativeError}. Pure.
 */

/** Each bucket reaches this many times as far as the one before. */
export const growth = 1.1
/** Milliseconds that the first bucket reaches to. Shorter durations count as this long. */
export const smallest = 0.01
/** How far a quantile may be off, as a share of the true value. */
export const relativeError = (growth - 1) / (growth + 1)

/** How many durations fell into each bucket. */
export type Sketch = ReadonlyMap<number, number>

export const empty: Sketch = new Map()

/** The bucket of a duration in milliseconds. The database computes it by the same formula. */
export const bucketOf = (millis: number): number =>
  Math.ceil(Math.log(Math.max(millis, smallest) / smallest) / Math.log(growth))

/** The duration that stands for a bucket: as far from its beginning as from its end, relatively. */
export const valueOf = (bucket: number): number =>
  bucket <= 0 ? smallest : (smallest * 2 * growth ** bucket) / (growth + 1)

/** A sketch of these durations in milliseconds. */
export const ofValues = (values: Iterable<number>): Sketch => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1)
  return counts
}

/** The sketch of everything that is in one of these. */
export const merge = (sketches: Iterable<Sketch>): Sketch => {
  const counts = new Map<number, number>()
  for (const sketch of sketches)
    for (const [bucket, count] of sketch) counts.set(bucket, (counts.get(bucket) ?? 0) + count)
  return counts
}

/** How many durations there are. */
export const countOf = (sketch: Sketch): number => {
  let total = 0
  for (const count of sketch.values()) total += count
  return total
}

/** The duration in milliseconds that a share of all does not exceed (nearest rank); null for an empty sketch. */
export const quantile = (sketch: Sketch, share: number): number | null => {
  const total = countOf(sketch)
  if (total === 0) return null
  let rank = Math.max(1, Math.ceil(share * total))
  for (const bucket of [...sketch.keys()].sort((one, other) => one - other)) {
    rank -= sketch.get(bucket)!
    if (rank <= 0) return valueOf(bucket)
  }
  return null
}

/** Room for the count in a packed entry. The database packs with it, too. */
export const packing = 65_536

/** Reads what the database stores: an integer for each bucket, with its count in the lower bits. */
export const unpack = (packed: ReadonlyArray<number>): Sketch =>
  new Map(packed.map((entry) => [Math.floor(entry / packing), entry % packing]))
