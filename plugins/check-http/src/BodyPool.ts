/**
 * Limits the memory that all checks of this process use for responses. When it is used up, the address with the largest
 * use loses one of its checks, so a target that sends too much fails its own check and not others.
 */
import { totalmem } from "node:os"
import * as GrowingBuffer from "@kanmon/core/GrowingBuffer"

/** The memory of one check. */
export interface Holding {
  /** Stores a part of a chunk and drops bytes beyond the check's limit. */
  readonly append: (chunk: Buffer, from: number, until: number) => void
  /** The stored bytes. */
  readonly bytes: () => Buffer
  /** Counts bytes that were made of what was kept, such as its text. */
  readonly count: (bytes: number) => void
  /** Whether the check lost its memory. Its bytes are incomplete then, and it stores no more. */
  readonly isLost: () => boolean
  /** Sets what is called when the check loses its place; at once when it has lost it already. */
  readonly onLost: (callback: (() => void) | undefined) => void
  /** Stops counting. The stored bytes can be read as long as something refers to them. */
  readonly release: () => void
}

export interface BodyPool {
  /** `address` is the target's, `limit` the bytes that the check keeps at most. */
  readonly open: (address: string, limit: number) => Holding
  /** Bytes in use. */
  readonly used: () => number
}

interface Holder {
  readonly address: string
  held: number
  lose: () => void
}

/** Makes a pool of so many bytes. */
export const make = (capacity: number): BodyPool => {
  /** In the order in which they were opened. */
  const holders = new Set<Holder>()
  let used = 0

  /** The largest check of the address with the largest use; the oldest of equal ones. */
  const heaviest = (asking: Holder, bytes: number): Holder => {
    const totals = new Map<string, number>([[asking.address, bytes]])
    for (const { address, held } of holders) totals.set(address, (totals.get(address) ?? 0) + held)
    const heldBy = (holder: Holder): number => holder.held + (holder === asking ? bytes : 0)
    let found = asking
    for (const holder of [...holders].toReversed()) {
      const difference = totals.get(holder.address)! - totals.get(found.address)!
      if (difference > 0 || (difference === 0 && heldBy(holder) >= heldBy(found))) found = holder
    }
    return found
  }

  /** Whether the bytes are granted; the asking check may lose its place. */
  const take = (holder: Holder, bytes: number): boolean => {
    const lacks = (): boolean => used + bytes > capacity
    while (holders.has(holder) && lacks()) heaviest(holder, bytes).lose()
    if (!holders.has(holder)) return false
    holder.held += bytes
    used += bytes
    return true
  }

  return {
    used: () => used,
    open: (address, limit) => {
      let lost = false
      let released = false
      let callback: (() => void) | undefined
      const holder: Holder = {
        address,
        held: 0,
        lose: () => {
          lost = true
          release()
          kept = undefined
          callback?.()
        }
      }
      const release = (): void => {
        released = true
        if (!holders.delete(holder)) return
        used -= holder.held
        holder.held = 0
      }
      let kept: GrowingBuffer.GrowingBuffer | undefined
      return {
        append: (chunk, from, until) => {
          if (released || limit === 0) return
          if (kept === undefined) {
            holders.add(holder)
            kept = GrowingBuffer.make(limit, (bytes) => take(holder, bytes))
          }
          kept.append(chunk, from, until)
        },
        bytes: () => kept?.bytes() ?? nothing,
        count: (bytes) => {
          if (released) return
          holders.add(holder)
          take(holder, bytes)
        },
        isLost: () => lost,
        onLost: (called) => {
          callback = called
          if (lost) called?.()
        },
        release
      }
    }
  }
}

const nothing = Buffer.alloc(0)
const mebibyte = 1024 * 1024

/** An eighth of the memory that this process may use, from 64 to 512 MiB. */
const capacity = (): number => {
  const allowed = process.constrainedMemory()
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
  return Math.min(512 * mebibyte, Math.max(64 * mebibyte, Math.floor(memory / 8)))
}

/** The pool of this process. */
export const shared: BodyPool = make(capacity())
