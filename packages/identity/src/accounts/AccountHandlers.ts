/** The copy of an account, and its end, over HTTP. Only its owner ends an account, by the password or a sign-in a short time ago. */
import { AccountChanges, type Guess } from "./AccountChanges.ts"
import { Mailer } from "../mails/index.ts"
import { idFrom, type UserId } from "@kanmon/domain/Ids"
import { localeFor } from "@kanmon/domain/Locale"
import { Api } from "@kanmon/protocol/Api"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AuditLog } from "../audit/index.ts"
import * as Mails from "../mails/index.ts"
import { MemberPresence, Organizations } from "../organizations/index.ts"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { clientIp } from "@kanmon/platform/http/RequestInfo"
import { AccountRepository, AuthRecords } from "../users/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import * as JsonTexts from "./JsonTexts.ts"
import { AccountDataRepository } from "./AccountDataRepository.ts"
import { SignIn } from "./SignIn.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const repository = yield* AccountDataRepository
    const accounts = yield* AccountRepository
    const organizations = yield* Organizations
    const presence = yield* MemberPresence
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const changes = yield* AccountChanges
    const records = yield* AuthRecords
    const mailer = yield* Mailer
    const random = yield* SecureRandom.SecureRandom
    const { provePassword } = yield* SignIn
    const { baseUrl } = yield* ApiSettings

    const guesses: Readonly<Record<"right" | "wrong" | "none", Guess>> = {
      right: "right",
      wrong: "wrong",
      none: "void"
    }

    /** Requires a recent sign-in from callers that hold only a session. */
    const prove = Effect.fnUntraced(
      function* (password: string | undefined) {
        const { email, userId } = yield* CallerUser
        const secret = { passwordOf: email, address: yield* clientIp }
        // Without a password nothing is guessed; an account that has none is asked to sign in again.
        const outcome =
          password === undefined
            ? (yield* provePassword(userId, "")) === "none"
              ? "none"
              : "wrong"
            : yield* changes.guess(secret, provePassword(userId, password), (found) => guesses[found])
        if (outcome === "wrong")
          return yield* invalid([{ path: "password", message: "Expected the password of the account" }])
        if (outcome === "none") yield* RecentProof.required
      },
      Effect.catchTag("TooManyGuesses", ({ retryAfter }) =>
        Effect.fail(
          new Problem({
            code: "rate_limited",
            detail: `Too many attempts on this account failed; wait ${Math.ceil(retryAfter)} s`,
            retryAfter
          })
        )
      )
    )

    const remove = Effect.fnUntraced(function* (userId: UserId, email: string) {
      const held = yield* organizations.lockHeld(userId)
      const left = held.filter(({ isAlone, isLastOwner }) => isLastOwner && !isAlone)
      if (left.length > 0)
        return yield* new Problem({
          code: "conflict",
          detail: `You are the last owner of ${left.map(({ name }) => name).join(", ")}: make another member an owner, or remove the others first`
        })
      yield* audit.record([
        { action: "account.deleted", target: { id: userId, name: email }, accountId: userId, before: { email } }
      ])
      for (const { id, name } of held.filter(({ isAlone }) => isAlone))
        yield* organizations.remove(id).pipe(
          Effect.catchTags({
            OrganizationNotFound: Effect.die,
            StillPaying: () =>
              Effect.fail(new Problem({ code: "conflict", detail: `${name} pays for a subscription: cancel it first` }))
          })
        )
      yield* presence.changing(userId, accounts.remove(userId))
    }, transaction.run)

    return handlers.handleAll({
      export: () =>
        Effect.gen(function* () {
          const { email, userId } = yield* CallerUser
          yield* audit.record([
            {
              action: "account.exported",
              target: { id: userId, name: email },
              accountId: userId,
              before: {},
              after: {}
            }
          ])
          return yield* repository.copy(userId)
        }).pipe(
          transaction.run,
          Effect.flatMap(JsonTexts.written),
          Effect.map((text) => HttpServerResponse.text(text, { contentType: "application/json" }))
        ),
      delete: ({ payload: { password } }) =>
        Effect.gen(function* () {
          const { email, userId } = yield* CallerUser
          yield* prove(password)
          const [user] = yield* records.find("user", [
            { field: "id", operator: "eq", value: userId, connector: "AND", insensitive: false }
          ])
          yield* remove(userId, email)
          const id = idFrom("msg", yield* random.ulid)
          const zone = user?.["timezone"]
          const happened = { at: yield* Clock.currentTimeMillis, zone: typeof zone === "string" ? zone : null }
          const message = Mails.compose(
            { kind: "accountDeleted" },
            { id, baseUrl, locale: localeFor(user?.["locale"]), happened }
          )
          yield* Effect.forkDetach(
            Effect.catchCause(mailer.send(email, message, "notice"), (cause) =>
              Effect.logWarning("A mail about an account could not be sent", cause)
            )
          )
          return { id: userId, deleted: true as const }
        })
    })
  })
).pipe(Layer.provide([AccountDataRepository.layer, AccountRepository.layer]))
