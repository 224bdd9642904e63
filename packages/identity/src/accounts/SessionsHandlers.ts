/** The sessions of the caller's account over HTTP. */
import { AuthRecords } from "../users/index.ts"
import { Api } from "@kanmon/protocol/Api"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { notFound } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Accounts } from "./Accounts.ts"
import * as Sessions from "./Sessions.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const records = yield* AuthRecords

    /** The caller's sessions that have not ended. */
    const present = Effect.gen(function* () {
      const { userId } = yield* CallerUser
      const now = yield* Clock.currentTimeMillis
      const all = yield* Sessions.list(userId)
      return all.filter(({ expiresAt }) => expiresAt.getTime() > now)
    }).pipe(Effect.provideService(AuthRecords, records))

    /** Ends them, and records it. */
    const end = Effect.fnUntraced(
      function* (sessions: ReadonlyArray<Sessions.Session>) {
        const { email, userId } = yield* CallerUser
        const account = yield* Effect.orDie(accounts.find(email))
        const ending = Effect.forEach(sessions, ({ id }) => Sessions.revoke(userId, id))
        yield* accounts.recordOperation(account, "account.sessions_revoked", ending)
      },
      Effect.provideService(AuthRecords, records)
    )

    return handlers.handleAll({
      list: () =>
        Effect.gen(function* () {
          const { sessionId } = yield* CallerUser
          return (yield* present).map(
            ({ createdAt, expiresAt, id, ipAddress = null, name = null, userAgent = null }) => ({
              id,
              name,
              createdAt: createdAt.getTime(),
              expiresAt: expiresAt.getTime(),
              ipAddress,
              userAgent,
              current: id === sessionId
            })
          )
        }),
      end: ({ params: { sessionId } }) =>
        Effect.gen(function* () {
          const found = (yield* present).filter(({ id }) => id === sessionId)
          if (found.length === 0) return yield* notFound("session")
          yield* end(found)
          return { id: sessionId, deleted: true as const }
        }),
      endOthers: () =>
        Effect.gen(function* () {
          const { sessionId } = yield* CallerUser
          const others = (yield* present).filter(({ id }) => id !== sessionId)
          if (others.length > 0) yield* end(others)
          return { ended: others.length }
        })
    })
  })
)
