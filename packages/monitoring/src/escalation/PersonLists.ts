/** By what people are paged: the verified e-mail address of their account, at once. */
import type { Person } from "@kanmon/domain/EscalationLists"
import type { UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { ContactMethods } from "../contact-methods/index.ts"

export class PersonLists extends Context.Service<
  PersonLists,
  {
    /** The lists of people, in their order; empty where nothing is confirmed. */
    readonly of: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Person>>
    /** Every confirmed method of people at once, in their order. */
    readonly everyMethod: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Person>>
  }
>()("@kanmon/monitoring/escalation/PersonLists") {
  static readonly layer = Layer.effect(
    PersonLists,
    Effect.gen(function* () {
      const methods = yield* ContactMethods

      const listed = Effect.fnUntraced(function* (userIds: ReadonlyArray<UserId>, all: boolean) {
        const found = yield* methods.ofUsers(userIds)
        return userIds.map((userId): Person => ({
          userId,
          entries: (found.get(userId) ?? [])
            .filter(({ confirmedAt, disabledReason }) => confirmedAt !== null && disabledReason === null)
            .filter(({ type }) => all || type === null)
            .map(({ id }) => ({ afterMinutes: 0, methodId: id }))
        }))
      })

      return PersonLists.of({
        of: Effect.fn("PersonLists.of")((userIds) => listed(userIds, false)),
        everyMethod: Effect.fn("PersonLists.everyMethod")((userIds) => listed(userIds, true))
      })
    })
  ).pipe(Layer.provide(ContactMethods.layer))
}
