/**
 * The contact methods of people: how they want to be reached. Each is confirmed with a code before anything else is sent there,
 * and again after a change. The verified e-mail address of the account is one that always exists.
 */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { type ContactMethodId, nextContactMethodId, type UserId } from "@kanmon/domain/Ids"
import { usesOf } from "@kanmon/domain/NotificationRules"
import { ContactMethodNotFound } from "@kanmon/domain/NotFound"
import { AuditLog } from "@kanmon/identity/audit"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as ContactMethodAudit from "./ContactMethodAudit.ts"
import type { Person } from "./ContactMethodAudit.ts"
import { AccountMethodFixed, ContactMethodInUse, TooManyContactMethods } from "./ContactMethodErrors.ts"
import type { ContactMethodDraft, StoredContactMethod } from "./ContactMethodRecords.ts"
import { ContactMethodRepository } from "./ContactMethodRepository.ts"
import { NotificationRuleRepository } from "./NotificationRuleRepository.ts"

/** Most methods of one account, besides its e-mail address. */
const most = 20
const maxGuesses = 5

/** The result of entering a code. `None`: no code is valid any more. */
export type Entered =
  { readonly _tag: "Confirmed" } | { readonly _tag: "Wrong"; readonly guessesLeft: number } | { readonly _tag: "None" }

export class ContactMethods extends Context.Service<ContactMethods>()(
  "@kanmon/monitoring/contact-methods/ContactMethods",
  {
    make: Effect.gen(function* () {
      const repository = yield* ContactMethodRepository
      const rules = yield* NotificationRuleRepository
      const { digest } = yield* Secrets
      const audit = yield* AuditLog
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextContactMethodId, SecureRandom.SecureRandom, random)

      /** The same of several accounts. */
      const ofUsers = Effect.fn("ContactMethods.ofUsers")(function* (userIds: ReadonlyArray<UserId>) {
        if (userIds.length === 0) return new Map()
        const found = yield* repository.ofUsers(userIds)
        const there = new Set(found.flatMap(({ type, userId }) => (type === null ? [userId] : [])))
        const missing = userIds.filter((userId) => !there.has(userId))
        if (missing.length > 0) yield* repository.ensureAccounts(missing, yield* Clock.currentTimeMillis)
        const all = missing.length > 0 ? yield* repository.ofUsers(userIds) : found
        return Map.groupBy(all, ({ userId }) => userId)
      })

      /** The methods of an account, that of its e-mail address first. */
      const list = (userId: UserId) => Effect.map(ofUsers([userId]), (found) => found.get(userId) ?? [])

      const found = (id: ContactMethodId, method: Effect.Effect<StoredContactMethod | undefined>) =>
        Effect.flatMap(method, (one) =>
          one === undefined ? Effect.fail(new ContactMethodNotFound({ id })) : Effect.succeed(one)
        )
      const get = (userId: UserId, id: ContactMethodId) => found(id, repository.find(userId, id))

      /** A method that may be changed, locked. */
      const lock = Effect.fnUntraced(function* (userId: UserId, id: ContactMethodId) {
        const current = yield* found(id, repository.lock(userId, id))
        return current.type === null ? yield* new AccountMethodFixed() : current
      })

      const create = Effect.fn("ContactMethods.create")(function* (person: Person, draft: ContactMethodDraft) {
        const { userId } = person
        yield* repository.lockAccount(userId)
        const before = yield* repository.ofUsers([userId])
        if (before.filter(({ type }) => type !== null).length >= most)
          return yield* new TooManyContactMethods({ limit: most })
        const id = yield* nextId
        yield* repository.insert(userId, id, draft, yield* Clock.currentTimeMillis)
        yield* audit.record(ContactMethodAudit.changeOf(person, "added", undefined, draft))
        return yield* Effect.orDie(get(userId, id))
      }, transaction.run)

      /** Changes a method under a lock. `isReconfigured`: it leads elsewhere, so it is to be confirmed again. */
      const update = Effect.fn("ContactMethods.update")(function* (
        person: Person,
        id: ContactMethodId,
        change: (current: StoredContactMethod) => Effect.Effect<ContactMethodDraft, InvalidFields>
      ) {
        const current = yield* lock(person.userId, id)
        const draft = yield* change(current)
        const isReconfigured =
          draft.type !== current.type || JSON.stringify(draft.config) !== JSON.stringify(current.config)
        yield* repository.update(id, draft, isReconfigured, yield* Clock.currentTimeMillis)
        const method = yield* get(person.userId, id)
        yield* audit.record(ContactMethodAudit.changeOf(person, "changed", current, method))
        return { method, isReconfigured }
      }, transaction.run)

      /** Deletes a method with the messages that wait for it. */
      const remove = Effect.fn("ContactMethods.remove")(function* (person: Person, id: ContactMethodId) {
        yield* repository.lockAccount(person.userId)
        const current = yield* lock(person.userId, id)
        const uses = usesOf((yield* rules.ofUsers([person.userId])).get(person.userId) ?? {}, id)
        if (uses.length > 0) return yield* new ContactMethodInUse({ severities: uses })
        yield* repository.remove(id)
        yield* audit.record(ContactMethodAudit.changeOf(person, "deleted", current, undefined))
        return current
      }, transaction.run)

      const codeOf = (id: ContactMethodId, destination: string | null, code: string): string =>
        digest(`contact method code:${id}:${destination}:${code}`)

      /** Enters a code. Concurrent guesses count one by one. */
      const enter: (
        person: Person,
        id: ContactMethodId,
        code: string
      ) => Effect.Effect<Entered, ContactMethodNotFound> = Effect.fn("ContactMethods.enter")(function* (
        person,
        id,
        code
      ) {
        const at = yield* Clock.currentTimeMillis
        // Locked, so that it cannot change between the guess and its confirmation.
        const method = yield* found(id, repository.lock(person.userId, id))
        if (method.type === null && method.confirmedAt === null) return { _tag: "None" } as const
        if (method.confirmedAt !== null) return { _tag: "Confirmed" } as const
        const guess = yield* repository.countGuess(id, maxGuesses, at)
        if (guess === undefined) return { _tag: "None" } as const
        if (guess.code !== codeOf(id, method.destination, code))
          return { _tag: "Wrong", guessesLeft: maxGuesses - guess.attempts } as const
        yield* repository.setConfirmed(id, at)
        const after = { ...method, confirmedAt: at }
        yield* audit.record(ContactMethodAudit.changeOf(person, "confirmed", method, after))
        return { _tag: "Confirmed" } as const
      }, transaction.run)

      /** Deletes what an account added before the owner of its address came. */
      const endEarlier = Effect.fn("ContactMethods.endEarlier")(function* (userId: UserId) {
        for (const { email, ...method } of yield* repository.removeAdded(userId))
          yield* audit.record(ContactMethodAudit.changeOf({ userId, email }, "deleted", method, undefined))
      }, transaction.run)

      return {
        list,
        ofUsers,
        get,
        create,
        update,
        remove,
        enter,
        endEarlier,
        /** Stores the code that was sent there, in the place of an older one. */
        keepCode: ({ destination, id }: StoredContactMethod, code: string, expiresAt: number) =>
          repository.saveCode(id, codeOf(id, destination, code), expiresAt),
        noteDelivery: repository.setLastDelivery,
        ofDestination: repository.ofDestination,
        stop: repository.disable,
        /** The keyed hash by which messages to a destination are counted over all accounts. */
        countedAs: (destination: string) => digest(`counted:${destination}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ContactMethods, ContactMethods.make).pipe(
    Layer.provide([ContactMethodRepository.layer, NotificationRuleRepository.layer])
  )
}
