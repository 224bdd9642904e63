/** By which of their contact methods people are notified, and when, per severity. */
import type { Person as PagedPerson } from "@kanmon/domain/EscalationLists"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { UserId } from "@kanmon/domain/Ids"
import {
  defaultList,
  entriesFor,
  type MethodOfPerson,
  type NotificationEntry,
  type NotificationLists
} from "@kanmon/domain/NotificationRules"
import { severities, type Severity } from "@kanmon/domain/Severity"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import type { Person } from "./ContactMethodAudit.ts"
import { isReady, type StoredContactMethod } from "./ContactMethodRecords.ts"
import { ContactMethodRepository } from "./ContactMethodRepository.ts"
import { ContactMethods } from "./ContactMethods.ts"
import { NotificationRuleRepository } from "./NotificationRuleRepository.ts"

/** The rules of a person with their methods. */
export interface RulesOfPerson {
  readonly lists: NotificationLists
  readonly methods: ReadonlyArray<StoredContactMethod>
}

/** The parts of methods that decide. */
export const deciding = (method: StoredContactMethod): MethodOfPerson => ({
  id: method.id,
  isReady: isReady(method),
  isAccount: method.type === null
})

/** The list of each severity, the default where the person has set none. */
export const shownLists = ({
  lists,
  methods
}: RulesOfPerson): Readonly<Record<Severity, ReadonlyArray<NotificationEntry>>> => {
  const usual = defaultList(methods.map(deciding))
  return { critical: lists.critical ?? usual, warning: lists.warning ?? usual, info: lists.info ?? usual }
}

/** The entries of a person for an alert of this severity: by methods that are ready, in their order. */
export const entriesOf = ({ lists, methods }: RulesOfPerson, severity: Severity): ReadonlyArray<NotificationEntry> =>
  entriesFor(lists, severity, methods.map(deciding))

export class NotificationRules extends Context.Service<NotificationRules>()(
  "@kanmon/monitoring/contact-methods/NotificationRules",
  {
    make: Effect.gen(function* () {
      const repository = yield* NotificationRuleRepository
      const accounts = yield* ContactMethodRepository
      const contactMethods = yield* ContactMethods
      const audit = yield* AuditLog
      const transaction = yield* Transaction

      const ofUsers: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, RulesOfPerson>> = Effect.fn(
        "NotificationRules.ofUsers"
      )(function* (userIds) {
        const [methods, rules] = yield* Effect.all([contactMethods.ofUsers(userIds), repository.ofUsers(userIds)])
        return new Map(
          userIds.map((userId) => [userId, { lists: rules.get(userId) ?? {}, methods: methods.get(userId) ?? [] }])
        )
      })

      /**
       * The people with their lists, as escalations page them about an alert of this severity: ready methods in their
       * order. People without one are included with an empty list.
       */
      const peopleFor = (userIds: ReadonlyArray<UserId>, severity: Severity) =>
        Effect.map(ofUsers(userIds), (all) =>
          [...all].map(([userId, one]) => ({
            userId,
            entries: entriesOf(one, severity).map(({ afterMinutes, contactMethodId }) => ({
              afterMinutes,
              methodId: contactMethodId
            }))
          }))
        )

      /** The people with all ready methods at once, ignoring their rules. */
      const everyMethod: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<PagedPerson>> = (userIds) =>
        Effect.map(ofUsers(userIds), (all) =>
          [...all].map(([userId, { methods }]) => ({
            userId,
            entries: methods.filter(isReady).map(({ id }) => ({ afterMinutes: 0, methodId: id }))
          }))
        )

      /** Replaces all lists; a severity that is left out has the default. */
      const set = Effect.fn("NotificationRules.set")(function* (person: Person, lists: NotificationLists) {
        const { email, userId } = person
        // A method that the rules name cannot be deleted meanwhile.
        yield* accounts.lockAccount(userId)
        const before = (yield* ofUsers([userId])).get(userId)!
        const known = new Set(before.methods.map(({ id }) => id))
        const errors = severities.flatMap((severity) =>
          (lists[severity] ?? []).flatMap(({ contactMethodId }, index): ReadonlyArray<FieldError> =>
            known.has(contactMethodId)
              ? []
              : [{ path: `${severity}[${index}].contactMethodId`, message: "Expected one of your contact methods" }]
          )
        )
        if (errors.length > 0) return yield* new InvalidFields({ errors })
        yield* repository.save(userId, lists, yield* Clock.currentTimeMillis)
        const after = { ...before, lists }
        yield* audit.record([
          {
            action: "account.notification_rules_changed",
            target: { id: userId, name: email },
            accountId: userId,
            before: shownLists(before),
            after: shownLists(after)
          }
        ])
        return after
      }, transaction.run)

      return { ofUsers, peopleFor, everyMethod, set }
    })
  }
) {
  static readonly layer = Layer.effect(NotificationRules, NotificationRules.make).pipe(
    Layer.provide([ContactMethodRepository.layer, NotificationRuleRepository.layer, ContactMethods.layer])
  )
}
