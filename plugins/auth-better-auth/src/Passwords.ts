/**
 * Hashes passwords as Better Auth does (scrypt), a few at a time: each takes 32 MiB and a thread of the pool that files and
 * names need too. Who comes while many wait is sent away at once.
 */
import { hashPassword, verifyPassword } from "better-auth/crypto"

/** Threads that passwords may take; the pool has four. */
const concurrency = 2
/** How many wait at most: some seconds' work. */
const room = 64

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (input: { readonly hash: string; readonly password: string }) => Promise<boolean>
  /** Nobody else should begin now. */
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
      // Whoever is next takes over the place.
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
