/**
 * Counts uses by key, in windows that begin with the first use. Strangers choose the keys, so there is room for so many and
 * no more: when it is used up, the oldest windows make room.
 */
import { createHash } from "node:crypto"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

interface Window {
  used: number
  readonly endsAt: EpochMillis
}

/** A use, and what is left of its window. */
export interface Use {
  readonly admitted: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/** Longer keys are kept as their hashes. */
const keyLength = 64

export class Windows {
  readonly #windows = new Map<string, Window>()
  readonly #millis: number
  readonly #capacity: number

  constructor(options: { readonly seconds: number; readonly capacity: number }) {
    this.#millis = options.seconds * 1000
    this.#capacity = options.capacity
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#windows.size
  }

  /** Uses the key once more, unless it was used so often. */
  use(key: string, limit: number, now: EpochMillis): Use {
    const window = this.#windowOf(key, now)
    const admitted = window.used < limit
    if (admitted) window.used++
    return left(window, admitted, limit, now)
  }

  /** Uses the key for what it cost beyond the first use, also if that is more than is left. */
  charge(key: string, amount: number, limit: number, now: EpochMillis): Use {
    const window = this.#windowOf(key, now)
    window.used += amount
    return left(window, window.used <= limit, limit, now)
  }

  /** Takes one use back, unless its window has ended. */
  release(key: string, now: EpochMillis): void {
    const window = this.#windows.get(short(key))
    if (window !== undefined && window.endsAt > now && window.used > 0) window.used--
  }

  /** Whether the key may be used once more; it is not used. */
  peek(key: string, limit: number, now: EpochMillis): Use {
    const window = this.#windows.get(short(key))
    return window === undefined || window.endsAt <= now
      ? { admitted: limit > 0, remaining: limit, reset: 0 }
      : left(window, window.used < limit, limit, now)
  }

  #windowOf(key: string, now: EpochMillis): Window {
    const kept = short(key)
    const known = this.#windows.get(kept)
    if (known !== undefined && known.endsAt > now) return known
    this.#windows.delete(kept)
    // In the order in which they began, which is that in which they end.
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.#capacity) break
      this.#windows.delete(oldest)
    }
    const fresh = { used: 0, endsAt: now + this.#millis }
    this.#windows.set(kept, fresh)
    return fresh
  }
}

const left = ({ endsAt, used }: Window, admitted: boolean, limit: number, now: EpochMillis): Use => ({
  admitted,
  remaining: Math.max(0, limit - used),
  reset: (endsAt - now) / 1000
})

const short = (key: string): string =>
  key.length <= keyLength ? key : createHash("sha256").update(key).digest("base64url")
