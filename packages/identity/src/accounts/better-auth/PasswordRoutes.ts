/**
 * Forgotten passwords and new ones. Whether an address has an account is told neither by the answer nor by the time that it
 * takes: the request for a link is answered before anybody looks.
 */
import { UserId } from "@kanmon/domain/Ids"
import { Clock, Effect, Option, Schema } from "effect"
import type { Expected } from "./Accidents.ts"
import { type Events, resetHours } from "./BetterAuth.ts"
import { is } from "./Conditions.ts"
import { type Desk, readerOf } from "./Desk.ts"
import { invalid, problem, type Refusal, unauthorized, withField, wrongPassword } from "./ProblemResponses.ts"

export const requestReset = "/auth/request-password-reset"
export const reset = "/auth/reset-password"
export const changePassword = "/auth/change-password"
export const prove = "/auth/prove"

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** The calls that Better Auth makes. `desk` exists once Better Auth does. */
export const events = (desk: () => Desk, run: <A>(effect: Effect.Effect<A>) => Promise<A>): Events => ({
  forgotten: (user, token, request) =>
    run(
      Effect.gen(function* () {
        const { attempted, hashOf, mail, records, settings } = desk()
        // Accounts that sign in elsewhere get no password by mail.
        if ((yield* hashOf(user.id)) === undefined) return
        const [row] = yield* records.find("user", [is("id", user.id)])
        const link = `${settings.baseUrl}/reset-password?token=${token}`
        const locale = readerOf(row, request).locale
        yield* attempted(mail(user.email, { kind: "resetPassword", link, hours: resetHours }, locale, "recovery"))
      })
    ),
  replaced: (user, request) =>
    run(
      Effect.gen(function* () {
        const { changes, endChallenges, notify, records } = desk()
        // First the sessions, so that none of them adds what is ended here.
        yield* records.remove("session", [is("userId", user.id)])
        yield* endChallenges(user.id)
        yield* changes.forgetGuesses(user.email)
        const [row] = yield* records.find("user", [is("id", user.id)])
        // Where links are printed, the operator hands them out: they prove nothing about who reads the mail.
        const isFirstProof = row?.["emailVerified"] === false && desk().mailer.configured
        if (isFirstProof) yield* proven(desk(), user, request)
        yield* notify(
          user.email,
          { kind: "passwordChanged", ...(isFirstProof ? { endedEarlierAccess: true } : {}) },
          readerOf(row, request)
        )
      })
    )
})

/**
 * The person who read the mail owns the address. A stranger may have signed up with it before, so everything that was
 * prepared until now loses access. Links that verify an address and identity providers ask for the account's password,
 * so there the owner of the address is the person who signed up.
 */
const proven = Effect.fnUntraced(function* (
  { change, changes, records }: Desk,
  { email, id }: { readonly id: string; readonly email: string },
  request: Request | undefined
) {
  const owner = decodeUserId(id)
  if (Option.isNone(owner)) return
  const entry = change({ id: owner.value, email }, request, "account.email_verified", {
    before: { emailVerified: false },
    after: { emailVerified: true }
  })
  yield* changes.record(
    entry,
    Effect.gen(function* () {
      const mine = is("userId", id)
      yield* records.remove("passkey", [mine])
      yield* records.remove("twoFactor", [mine])
      yield* records.remove("account", [mine, { ...is("providerId", "sso:"), operator: "starts_with" }])
      yield* changes.endEarlierAccess(owner.value)
      yield* records.update("user", [is("id", id), is("email", email)], {
        emailVerified: true,
        twoFactorEnabled: false
      })
    })
  )
})

export const make = (desk: Desk) => {
  const { ask, change, endChallenges, guessed, hashOf, notify, records, signedIn } = desk

  const askForLink = Effect.fnUntraced(function* (request: Request) {
    yield* Effect.forkDetach(
      Effect.catchCause(ask(request), (cause) => Effect.logWarning("A password could not be reset", cause))
    )
    return Response.json({ status: true })
  })

  const replace = Effect.fnUntraced(function* (request: Request, token: string) {
    const { internalAdapter } = yield* Effect.promise(() => desk.auth.$context)
    const found = yield* Effect.promise(() => internalAdapter.findVerificationValue(`reset-password:${token}`))
    const id = decodeUserId(found?.value)
    const [user] = Option.isNone(id) ? [] : yield* records.find("user", [is("id", id.value)])
    if (Option.isNone(id) || user === undefined) return problem(invalidLink)
    // The account of a link that was sent has a password.
    const expected: Expected = {
      write: "update",
      model: "account",
      change: change({ id: id.value, email: String(user["email"]) }, request, "account.password_changed")
    }
    return (yield* ask(request, { expected })).response
  })

  const renew = (request: Request, body: { readonly revokeOtherSessions?: boolean }) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        if ((yield* hashOf(person.id)) === undefined) return problem(noPassword)
        const expected: Expected = {
          write: "update",
          model: "account",
          change: change(person, request, "account.password_changed")
        }
        const asked = { ...body, revokeOtherSessions: body.revokeOtherSessions ?? true }
        const answer = yield* guessed(person.email, request, ask(request, { body: asked, expected }))
        if (!answer.ok) return yield* withField(answer, "password", "currentPassword")
        yield* endChallenges(person.id)
        yield* notify(person.email, { kind: "passwordChanged" }, person)
        return answer
      })
    )

  /** Notes in the session that its person has just given the password. */
  const provedBy = (request: Request, given: string) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        const hash = yield* hashOf(person.id)
        if (hash === undefined) return problem(signInAgain)
        const refusal = yield* desk.refusalOf(person.email, request, desk.isPassword(hash, given))
        if (refusal !== undefined) return problem(refusal === unauthorized ? wrongPassword : refusal)
        const at = new Date(yield* Clock.currentTimeMillis)
        yield* records.update("session", [is("id", person.sessionId)], { provenAt: at })
        return Response.json({ status: true })
      })
    )

  return { askForLink, replace, renew, provedBy }
}

const invalidLink = invalid([{ path: "token", message: "The link is no longer valid; ask for a new one" }])

const signInAgain: Refusal = {
  code: "conflict",
  detail: "This account has no password: sign in again with a passkey or the identity provider"
}

const noPassword: Refusal = { code: "conflict", detail: "This account has no password" }
