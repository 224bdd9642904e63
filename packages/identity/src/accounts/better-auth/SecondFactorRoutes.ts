/** Two-factor authentication: a code of an authenticator app besides the password, and backup codes for when it is lost. */
import { createHash } from "node:crypto"
import { UserId } from "@kanmon/domain/Ids"
import { Clock, Effect, Exit, Option, Schema } from "effect"
import { heard } from "./Accidents.ts"
import { is } from "./Conditions.ts"
import { type Desk, readerOf, type Person } from "./Desk.ts"
import { passwordFirst, problem, type Refusal, translateCode, wrongCode } from "./ProblemResponses.ts"

export const enableRoute = "/auth/two-factor/enable"
export const disableRoute = "/auth/two-factor/disable"
export const uriRoute = "/auth/two-factor/get-totp-uri"
export const codesRoute = "/auth/two-factor/generate-backup-codes"
export const verifyRoute = "/auth/two-factor/verify-totp"
export const backupRoute = "/auth/two-factor/verify-backup-code"

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** A code of an app is good for a minute and a half, and once. */
const codeMillis = 90_000

export const make = (
  desk: Desk,
  signedInWith: (request: Request, userId: UserId, method: string) => Effect.Effect<void>
) => {
  const { ask, auth, change, endChallenges, guessed, guessedFactor, notify, person, records, signedIn } = desk

  /** The account that is about to prove its second factor, after the password. */
  const pending = Effect.fnUntraced(function* (request: Request) {
    const headers = new Headers({ cookie: request.headers.get("cookie") ?? "" })
    const found = yield* heard(() => auth.api.pendingSecondFactor({ headers }))
    const isOver = found === null || found.expiresAt.getTime() <= (yield* Clock.currentTimeMillis)
    return isOver ? Option.none() : decodeUserId(found.userId)
  })

  /** Runs an action for a signed-in caller who sends the password. */
  const withPassword = (request: Request) => signedIn(request, (found) => guessed(found.email, request, ask(request)))

  const enable = (request: Request) =>
    signedIn(request, (found) => {
      const attempt = Effect.flatMap(Effect.exit(ask(request)), (exit) => {
        if (Exit.isSuccess(exit)) return exit
        // One of several concurrent requests inserts the row.
        return Effect.flatMap(records.count("twoFactor", [is("userId", found.id)]), (count) =>
          count > 0 ? Effect.succeed({ code: "", response: problem(settingUp) }) : Effect.failCause(exit.cause)
        )
      })
      return guessed(found.email, request, attempt)
    })

  const disable = (request: Request) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (found) {
        const expected = {
          write: "update",
          model: "user",
          change: change(found, request, "account.second_factor_disabled")
        } as const
        if (!found.hasSecondFactor) return problem(isOff)
        const answer = yield* guessed(found.email, request, ask(request, { expected }))
        if (!answer.ok) return answer
        // Browsers that were trusted must not be when it is set up again.
        yield* endChallenges(found.id)
        yield* notify(found.email, { kind: "secondFactorOff" }, found)
        return answer
      })
    )

  const renewCodes = (request: Request) =>
    signedIn(request, (found) => {
      const expected = {
        write: "update",
        model: "twoFactor",
        change: change(found, request, "account.backup_codes_renewed")
      } as const
      return guessed(found.email, request, ask(request, { expected }))
    })

  /** Confirms the app of somebody who is signed in, who then has a second factor. */
  const confirm = Effect.fnUntraced(function* (request: Request, found: Person, body: object) {
    const expected = {
      write: "update",
      model: "user",
      change: change(found, request, "account.second_factor_enabled")
    } as const
    const answer = yield* guessedFactor(found.id, request, ask(request, { body, expected }))
    if (answer.status === 401) return yield* translateCode(answer)
    if (answer.ok && !found.hasSecondFactor) yield* notify(found.email, { kind: "secondFactorOn" }, found)
    return answer
  })

  /** Reports whether a code is used for the first time, so that an observed code cannot be replayed. */
  const isFirstUse = Effect.fnUntraced(function* (userId: UserId, code: string) {
    const id = `ver_${createHash("sha256").update(`${userId} ${code}`).digest("base64url")}`
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    const used = {
      id,
      identifier: id,
      value: "used",
      expiresAt: new Date(now + codeMillis),
      createdAt: at,
      updatedAt: at
    }
    // One of several concurrent requests inserts the row.
    const exit = yield* Effect.exit(records.create("verification", used))
    if (Exit.isSuccess(exit)) return true
    return (yield* records.count("verification", [is("id", id)])) > 0 ? false : yield* Effect.failCause(exit.cause)
  })

  const verify = Effect.fnUntraced(function* (
    request: Request,
    { code = "", trustDevice = false }: { readonly code?: string; readonly trustDevice?: boolean }
  ) {
    const body = { code: code.replaceAll(/[\s-]/g, ""), trustDevice }
    const found = yield* person(request)
    if (found !== undefined) return yield* confirm(request, found, body)
    const userId = yield* pending(request)
    if (Option.isNone(userId)) return problem(passwordFirst)
    return yield* signIn(request, userId.value, body, "totp", isFirstUse(userId.value, body.code))
  })

  const useBackupCode = Effect.fnUntraced(function* (
    request: Request,
    { code = "", trustDevice = false }: { readonly code?: string; readonly trustDevice?: boolean }
  ) {
    // A session proves that the second factor was given, so that there is nothing to prove with a code that works once.
    if ((yield* person(request)) !== undefined) return problem(signedInAlready)
    const userId = yield* pending(request)
    if (Option.isNone(userId)) return problem(passwordFirst)
    const plain = code.replaceAll(/[\s-]/g, "")
    const body = { code: `${plain.slice(0, 5)}-${plain.slice(5)}`, trustDevice }
    return yield* signIn(request, userId.value, body, "backup code", Effect.succeed(true))
  })

  const signIn = Effect.fnUntraced(function* (
    request: Request,
    userId: UserId,
    body: object,
    method: string,
    mayBeUsed: Effect.Effect<boolean>
  ) {
    const attempt = Effect.flatMap(mayBeUsed, (isFirst) =>
      isFirst ? ask(request, { body }) : Effect.succeed({ code: "INVALID_CODE", response: problem(wrongCode) })
    )
    const answer = yield* guessedFactor(userId, request, attempt)
    if (!answer.ok) return answer
    yield* signedInWith(request, userId, method)
    if (method !== "totp") yield* warn(userId)
    return answer
  })

  /** Tells the owner of an account that a backup code is gone. */
  const warn = Effect.fnUntraced(function* (userId: UserId) {
    const { backupCodes } = yield* heard(() => auth.api.viewBackupCodes({ body: { userId } }))
    const [user] = yield* records.find("user", [is("id", userId)])
    if (user === undefined) return
    const letter = { kind: "backupCodeUsed", left: backupCodes.length } as const
    yield* notify(String(user["email"]), letter, readerOf(user))
  })

  return { withPassword, enable, disable, renewCodes, verify, useBackupCode }
}

const settingUp: Refusal = {
  code: "conflict",
  detail: "Two-factor authentication is being set up by another request; try again"
}

const isOff: Refusal = { code: "conflict", detail: "Two-factor authentication is off" }

const signedInAlready: Refusal = { code: "conflict", detail: "You are signed in: a backup code is for signing in" }
