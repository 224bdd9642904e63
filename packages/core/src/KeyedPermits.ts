/**
 * Permits per key, such as checks per host or streams per project. A key uses memory only while one of its permits is held
 * or awaited, so the keys may come from untrusted users.
 */
import { Effect, Semaphore } from "effect"

/** One permit of a key, which has `limit` of them. The limit of a key must not change while it is in use. */
export interface Claim {
  readonly key: string
  readonly limit: number
}

export interface KeyedPermits {
  /** Runs with a permit, after waiting for it. */
  readonly withPermit: (claim: Claim) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Takes a permit of each claim, or takes none and returns the first claim without a free permit. */
  readonly takeIfAvailable: <C extends Claim>(claims: ReadonlyArray<C>) => Effect.Effect<C | undefined>
  /** Returns what `takeIfAvailable` took. */
  readonly release: (claims: ReadonlyArray<Claim>) => Effect.Effect<void>
  /** How many hold or await a permit of the key. */
  readonly users: (key: string) => number
}

interface Entry {
  readonly permits: Semaphore.Semaphore
  users: number
}

export const make = (): KeyedPermits => {
  const entries = new Map<string, Entry>()

  const enter = ({ key, limit }: Claim): Entry => {
    const entry = entries.get(key) ?? { permits: Semaphore.makeUnsafe(limit), users: 0 }
    entry.users++
    entries.set(key, entry)
    return entry
  }
  const leave = (key: string, entry: Entry): void => {
    if (--entry.users === 0) entries.delete(key)
  }
  const users = (key: string): number => entries.get(key)?.users ?? 0

  return {
    users,
    withPermit: (claim) => (effect) =>
      Effect.suspend(() => {
        const entry = enter(claim)
        return Effect.ensuring(
          entry.permits.withPermit(effect),
          Effect.sync(() => leave(claim.key, entry))
        )
      }),
    takeIfAvailable: (claims) =>
      Effect.suspend(() => {
        const exhausted = claims.find(({ key, limit }) => users(key) >= limit)
        if (exhausted !== undefined) return Effect.succeed(exhausted)
        return Effect.as(
          Effect.forEach(claims, (claim) => enter(claim).permits.take(1), { discard: true }),
          undefined
        )
      }),
    release: (claims) =>
      Effect.forEach(
        claims,
        ({ key }) => {
          const entry = entries.get(key)
          if (entry === undefined) return Effect.void
          leave(key, entry)
          return entry.permits.release(1)
        },
        { discard: true }
      )
  }
}
