/** When pages to a person that are not urgent wait. */
import type { QuietHours } from "@kanmon/domain/QuietHours"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import type { Person } from "./ContactMethodAudit.ts"
import { ContactMethodRepository } from "./ContactMethodRepository.ts"
import { QuietHoursRepository } from "./QuietHoursRepository.ts"

export class PersonalQuietHours extends Context.Service<PersonalQuietHours>()(
  "@kanmon/monitoring/contact-methods/PersonalQuietHours",
  {
    make: Effect.gen(function* () {
      const repository = yield* QuietHoursRepository
      const accounts = yield* ContactMethodRepository
      const audit = yield* AuditLog
      const transaction = yield* Transaction

      return {
        /** The quiet hours of those people who have some. */
        ofUsers: repository.ofUsers,
        /** Replaces the quiet hours of a person; null: they have none. */
        set: Effect.fn("PersonalQuietHours.set")(function* ({ email, userId }: Person, quietHours: QuietHours | null) {
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
      }
    })
  }
) {
  static readonly layer = Layer.effect(PersonalQuietHours, PersonalQuietHours.make).pipe(
    Layer.provide([ContactMethodRepository.layer, QuietHoursRepository.layer])
  )
}
