/** When pages to a person that are not urgent wait. */
import type { UserId } from "@kanmon/domain/Ids"
import type { QuietHours } from "@kanmon/domain/QuietHours"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import type { Person } from "./ContactMethodAudit.ts"
import { ContactMethodRepository } from "./ContactMethodRepository.ts"
import { QuietHoursRepository } from "./QuietHoursRepository.ts"

export class PersonalQuietHours extends Context.Service<
  PersonalQuietHours,
  {
    /** The quiet hours of those people who have some. */
    readonly ofUsers: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, QuietHours>>
    /** Replaces the quiet hours of a person; null: they have none. */
    readonly set: (person: Person, quietHours: QuietHours | null) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/contact-methods/PersonalQuietHours") {
  static readonly layer = Layer.effect(
    PersonalQuietHours,
    Effect.gen(function* () {
      const repository = yield* QuietHoursRepository
      const accounts = yield* ContactMethodRepository
      const audit = yield* AuditLog
      const transaction = yield* Transaction

      return PersonalQuietHours.of({
        ofUsers: repository.ofUsers,
        set: Effect.fn("PersonalQuietHours.set")(function* ({ email, userId }, quietHours) {
          // So that the audit log says what was there before, also for two requests at once.
          yield* accounts.lockAccount(userId)
          const before = (yield* repository.ofUsers([userId])).get(userId) ?? null
          yield* repository.save(userId, quietHours, yield* Clock.currentTimeMillis)
          yield* audit.record([
            {
              action: "account.quiet_hours_changed",
              target: { id: userId, name: email },
              accountId: userId,
              before: { quietHours: before },
              after: { quietHours }
            }
          ])
        }, transaction.run)
      })
    })
  ).pipe(Layer.provide([ContactMethodRepository.layer, QuietHoursRepository.layer]))
}
