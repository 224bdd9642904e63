/**
 * Hashes passwords like Better Auth (scrypt), a few at a time: each hash takes 32 MiB and a thread of the pool that file
 * access and name lookups need too. When the queue is full, further ones are rejected immediately.
 */
import { hashPassword, verifyPassword } from "better-auth/crypto"

/** Threads for passwords; the pool has four. */
const concurrency = 2
/** Maximum queue length: a few seconds of work. */
const room = 64

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (input: { readonly hash: string; readonly password: string }) => Promise<boolean>
  /** Whether further ones would be rejected. */
  readonly isFull: () => boolean
}

export const make = (): Passwords => {
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
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (input) => inTurn(() => verifyPassword(input)),
    isFull: () => waiting.length >= room
  }
}
