/** Sessions of an account, for the operator of the installation. */
import { AuthRecords, SessionRepository, type Where } from "../users/index.ts"
import type { UserId } from "@kanmon/domain/Ids"
import { Effect, Schema } from "effect"

const Session = Schema.Struct({
  id: Schema.String,
  /** The name of a program's session, chosen by the program. */
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  ipAddress: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Chosen by the client: escape it before it is printed. */
  userAgent: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Session = typeof Session.Type

const decode = Schema.decodeUnknownEffect(Schema.Array(Session))
const maxListed = 1000

const is = (field: string, value: string): Where => ({
  field,
  operator: "eq",
  value,
  connector: "AND",
  insensitive: false
})

/** The sessions of an account, newest first. */
export const list = Effect.fn("Sessions.list")(function* (userId: UserId) {
  const records = yield* AuthRecords
  const rows = yield* records.find("session", [is("userId", userId)], {
    limit: maxListed,
    sortBy: { field: "createdAt", direction: "desc" }
  })
  return yield* Effect.orDie(decode(rows))
})

/** Ends one session of an account, or all of them; returns how many of its own ended. */
export const revoke = Effect.fn("Sessions.revoke")(function* (userId: UserId, session?: string) {
  const sessions = yield* SessionRepository
  return yield* session === undefined ? sessions.endAll(userId) : sessions.endOne(userId, session)
})
