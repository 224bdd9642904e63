/** By what people are paged, and when: their own rules of notification. */
import type { Person } from "@kanmon/domain/EscalationLists"
import type { UserId } from "@kanmon/domain/Ids"
import type { Severity } from "@kanmon/domain/Severity"
import { Context, Effect, Layer } from "effect"
import { isReady, NotificationRules } from "../contact-methods/index.ts"

export class PersonLists extends Context.Service<
  PersonLists,
  {
    /** The lists of people for an alert of this severity, in their order; empty for those whom nothing reaches. */
    readonly of: (userIds: ReadonlyArray<UserId>, severity: Severity) => Effect.Effect<ReadonlyArray<Person>>
    /** Every confirmed method of people at once, in their order, whatever their rules say. */
    readonly everyMethod: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Person>>
  }
>()("@kanmon/monitoring/escalation/PersonLists") {
  static readonly layer = Layer.effect(
    PersonLists,
    Effect.gen(function* () {
      const rules = yield* NotificationRules

      const everyMethod: PersonLists["Service"]["everyMethod"] = Effect.fn("PersonLists.everyMethod")(
        function* (userIds) {
          const found = yield* rules.ofUsers(userIds)
          return [...found].map(([userId, { methods }]) => ({
            userId,
            entries: methods.filter(isReady).map(({ id }) => ({ afterMinutes: 0, methodId: id }))
          }))
        }
      )

      return PersonLists.of({ of: rules.peopleFor, everyMethod })
    })
  ).pipe(Layer.provide(NotificationRules.layer))
}
