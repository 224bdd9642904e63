/** Whether critical alerts reach people: not at all, by e-mail alone, or by more. */
import { Catalogue } from "@kanmon/core/PluginHost"
import type { UserId } from "@kanmon/domain/Ids"
import { type Reachable, reachableBy } from "@kanmon/domain/NotificationRules"
import { Effect } from "effect"
import { named } from "./ContactMethodRecords.ts"
import { deciding, NotificationRules, type RulesOfPerson } from "./NotificationRules.ts"

export const make = Effect.gen(function* () {
  const rules = yield* NotificationRules
  const { channels } = yield* Catalogue
  const typed = named(channels)

  const of = ({ lists, methods }: RulesOfPerson): Reachable =>
    reachableBy(
      lists,
      methods.map((method) => ({
        ...deciding(method),
        isMail: channels.get(typed(method).type)?.recipient?.kind === "email" || method.type === null
      }))
    )

  return {
    of,
    ofUsers: (userIds: ReadonlyArray<UserId>): Effect.Effect<ReadonlyMap<UserId, Reachable>> =>
      Effect.map(
        rules.ofUsers([...new Set(userIds)]),
        (all) => new Map([...all].map(([userId, one]) => [userId, of(one)]))
      )
  }
})
