/** Absences of people. Other layers cover their turns in the meantime. */
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { UserId } from "@kanmon/domain/Ids"
import { joined, type Span } from "@kanmon/domain/Spans"
import { toIso } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { MemberPresence } from "@kanmon/identity/organizations"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { PeopleRepository } from "./PeopleRepository.ts"

export class Away extends Context.Service<Away>()("@kanmon/monitoring/on-call/Away", {
  make: Effect.gen(function* () {
    const people = yield* PeopleRepository
    const presence = yield* MemberPresence
    const audit = yield* AuditLog
    const transaction = yield* Transaction

    /** The periods that are not over, in ascending order. */
    const get = Effect.fn("Away.get")(function* (userId: UserId) {
      const found = yield* people.away([userId], yield* Clock.currentTimeMillis)
      return (found.get(userId) ?? []).map(({ from, to }) => ({ from, to }))
    })

    /** Replaces all periods and merges adjoining ones. */
    const set = Effect.fn("Away.set")(function* (
      { email, userId }: { readonly userId: UserId; readonly email: string },
      periods: ReadonlyArray<Span>
    ) {
      const now = yield* Clock.currentTimeMillis
      const errors = periods.flatMap(({ from, to }, index) => {
        if (from >= to) return [{ path: `[${index}].to`, message: "Expected an instant after `from`" }]
        return to <= now ? [{ path: `[${index}].to`, message: "Expected a time in the future" }] : []
      })
      if (errors.length > 0) return yield* new InvalidFields({ errors })
      const before = yield* get(userId)
      const after = joined(periods)
      yield* presence.changing(userId, people.replaceAway(userId, after))
      yield* audit.record([
        {
          action: "account.away_changed",
          target: { id: userId, name: email },
          accountId: userId,
          before: audited(before),
          after: audited(after)
        }
      ])
      return after
    }, transaction.run)

    return { get, set }
  })
}) {
  static readonly layer = Layer.effect(Away, Away.make).pipe(Layer.provide(PeopleRepository.layer))
}

const audited = (periods: ReadonlyArray<Span>) => ({
  away: periods.map(({ from, to }) => ({ from: toIso(from), to: toIso(to) }))
})
