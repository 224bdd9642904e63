/** The records of the driver of sign-in, and what follows from those of accounts: their organizations and entries in the audit log. */
import { AuthRecords, UserRecordRepository } from "../users/index.ts"
import { UserId } from "@kanmon/domain/Ids"
import { Effect, Layer, Option, Schema } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Invitations, Organizations } from "../organizations/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Transaction } from "@kanmon/platform/Transaction"

export const layer = Layer.effect(
  AuthRecords,
  Effect.gen(function* () {
    const records = yield* UserRecordRepository
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const organizations = yield* Organizations
    const invitations = yield* Invitations

    const create: AuthRecords["Service"]["create"] = Effect.fn("AuthRecords.create")(function* (model, row) {
      const { invitation, ...fields } = row
      const insert = records.insert(model, fields)
      if (model !== "user") return yield* insert
      return yield* transaction.run(
        Effect.flatMap(
          insert,
          Effect.fnUntraced(function* (user) {
            const [id, email] = [decodeUserId(user["id"]), String(user["email"])]
            const acting = Effect.provideService(CurrentActor, {
              actor: { kind: "person", id, name: email },
              address: null
            })
            const name = String(user["name"])
            yield* acting(
              audit.record([
                { action: "account.created", target: { id, name: email }, accountId: id, after: { email, name } }
              ])
            )
            if (typeof invitation !== "string") {
              yield* acting(organizations.create(id, name))
              return user
            }
            // Without room for a member, or when somebody else was faster, the invitation stays as it is.
            const joined = yield* acting(Effect.option(invitations.accept(invitation, { userId: id, email })))
            return Option.isSome(joined) ? { ...user, emailVerified: true } : user
          })
        )
      )
    })

    const remove: AuthRecords["Service"]["remove"] = Effect.fn("AuthRecords.remove")(function* (model, where) {
      if (model !== "user") return yield* records.remove(model, where)
      // Organizations of which they are the only members go with them.
      const leaving = yield* records.find("user", where)
      yield* Effect.forEach(leaving, ({ id }) => organizations.removeAlone(decodeUserId(id)))
      return yield* records.remove(model, where)
    }, transaction.run)

    const { count, find, increment, update } = records
    return AuthRecords.of({ create, find, update, remove, increment, count })
  })
).pipe(Layer.provide(UserRecordRepository.layer))

const decodeUserId = Schema.decodeUnknownSync(UserId)
