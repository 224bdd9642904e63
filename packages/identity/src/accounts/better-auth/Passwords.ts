/**
 * Passwords, a few at a time: each hash takes 19 MiB and a thread of the pool that file access and name lookups need too. When
 * the queue is full, further ones are rejected immediately.
 */
import * as PasswordHash from "./PasswordHash.ts"

/** Threads for passwords; the pool has four. */
const concurrency = 2
/** Maximum queue length: a few seconds of work. */
const room = 64

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (input: { readonly hash: string; readonly password: string }) => Promise<boolean>
  /** Whether a hash was made with other parameters than new ones are. */
  readonly isOutdated: (hash: string) => boolean
  /** Whether further ones would be rejected. */
  readonly isFull: () => boolean
}

/**
 * `hasOld` says whether there are hashes of earlier releases, which take longer to look at. While there are, a wrong password
 * and an unknown address take that time too, so that it does not tell which accounts exist.
 */
export const make = (cost: PasswordHash.Cost, hasOld: () => boolean = () => false): Passwords => {
  let running = 0
  const waiting: Array<() => void> = []

  const inTurn = async <A>(work: () => Promise<A>): Promise<A> => {
    if (running >= concurrency) await new Promise<void>((turn) => void waiting.push(turn))
    else running++
    try {
      return await work()
    } finally {
      // The next one takes over the slot.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  return {
    // Also what Better Auth does for an address without an account.
    hash: (password) =>
      inTurn(async () => {
        const made = await PasswordHash.make(password, cost)
        if (hasOld()) await PasswordHash.spendAsBefore(password)
        return made
      }),
    verify: ({ hash, password }) =>
      inTurn(async () => {
        const isRight = await PasswordHash.verify(hash, password)
        if (!isRight && hasOld())
          await (hash.startsWith(PasswordHash.prefix)
            ? PasswordHash.spendAsBefore(password)
            : PasswordHash.make(password, cost))
        return isRight
      }),
    isOutdated: (hash) => PasswordHash.isOutdated(hash, cost),
    isFull: () => waiting.length >= room
  }
}
