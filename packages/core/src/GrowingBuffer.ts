/**
 * Bytes from a peer in one buffer. A list of chunks costs about a hundred times its bytes when a peer sends single bytes, and
 * joining the list again with each chunk takes quadratic time; here appending takes amortised constant time for a byte.
 */

/** Bytes of the smallest buffer. */
const smallest = 256

export interface GrowingBuffer {
  /** Appends and copies a part of a chunk. Bytes beyond the limit are dropped. */
  readonly append: (chunk: Uint8Array, from?: number, until?: number) => void
  /** Bytes that were appended and kept. */
  readonly size: () => number
  /** A view of what was kept; later calls of `append` do not change it. */
  readonly bytes: () => Buffer
}

/**
 * Makes an empty buffer of at most `limit` bytes. `mayGrow` is asked before memory is allocated, with the number of
 * additional bytes; bytes that do not fit into the allowed memory are dropped.
 */
export const make = (limit: number, mayGrow: (bytes: number) => boolean = () => true): GrowingBuffer => {
  let kept: Buffer = Buffer.alloc(0)
  let size = 0

  /** Doubles at least, so that all copies together take no more than twice the limit. */
  const reserve = (needed: number): void => {
    const capacity = Math.min(limit, Math.max(needed, 2 * kept.length, smallest))
    if (!mayGrow(capacity - kept.length)) return
    const larger = Buffer.allocUnsafeSlow(capacity)
    kept.copy(larger, 0, 0, size)
    kept = larger
  }

  return {
    append: (chunk, from = 0, until = chunk.length) => {
      const wanted = Math.min(until - from, limit - size)
      if (wanted <= 0) return
      if (size + wanted > kept.length) reserve(size + wanted)
      const fitting = Math.min(wanted, kept.length - size)
      if (fitting <= 0) return
      kept.set(chunk.subarray(from, from + fitting), size)
      size += fitting
    },
    size: () => size,
    bytes: () => kept.subarray(0, size)
  }
}
