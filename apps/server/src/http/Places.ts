/** Concurrency limits per holder, in this process: open streams, running trials. */
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"

/** A limit on places, and the words of the refusal when all are taken. */
export interface Holder {
  readonly name: string
  readonly limit: number
  readonly refusal: (taken: number) => string
}

export interface Places {
  /** Takes one place of each holder, or refuses and takes none. */
  readonly enter: (holders: ReadonlyArray<Holder>) => Effect.Effect<void, Problem>
  /** Gives back what was taken. */
  readonly leave: (holders: ReadonlyArray<Holder>) => Effect.Effect<void>
}

/** `retryAfter`: seconds after which it is worth trying again. */
export const make = (retryAfter: number): Places => {
  const taken = new Map<string, number>()
  const countOf = (name: string): number => taken.get(name) ?? 0

  const enter: Places["enter"] = (holders) =>
    Effect.suspend(() => {
      const full = holders.find(({ limit, name }) => countOf(name) >= limit)
      if (full !== undefined) {
        const detail = full.refusal(countOf(full.name))
        return Effect.fail(new Problem({ code: "rate_limited", detail, retryAfter }))
      }
      for (const { name } of holders) taken.set(name, countOf(name) + 1)
      return Effect.void
    })

  const leave: Places["leave"] = (holders) =>
    Effect.sync(() => {
      for (const { name } of holders) {
        const rest = countOf(name) - 1
        if (rest > 0) taken.set(name, rest)
        else taken.delete(name)
      }
    })

  return { enter, leave }
}
