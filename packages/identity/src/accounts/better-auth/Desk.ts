/** The common parts of all routes of accounts: the person who asks, questions to Better Auth, guesses of passwords, and mail. */
import { AccountChanges, type AccountChange, type Guess, type TooManyGuesses } from "../AccountChanges.ts"
import * as Mails from "../../mails/index.ts"
import { type AuthRecord, AuthRecords } from "../../users/index.ts"
import { AuthSettings } from "../AuthSettings.ts"
import { UserId, idFrom } from "@kanmon/domain/Ids"
import { isRecent, proofNeeded } from "@kanmon/domain/RecentProof"
import { type Locale, localeFor } from "@kanmon/domain/Locale"
import { Clock, Effect, Option, Schema } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { type Expected, heard } from "./Accidents.ts"
import { type BetterAuth, ipHeader } from "./BetterAuth.ts"
import { is } from "./Conditions.ts"
import type * as Passwords from "./Passwords.ts"
import { type Answer, problem, type Refusal, translate, unauthorized, signInFirst } from "./ProblemResponses.ts"

/** The person who makes a request, by the session. */
export interface Person {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly locale: Locale
  /** The language that the person chose, if any. */
  readonly chosenLocale: string | null
  /** The time zone that the person chose, if any. */
  readonly timezone: string | null
  readonly emailVerified: boolean
  readonly hasSecondFactor: boolean
  readonly sessionId: string
  /** The organization that the session is limited to because its identity provider started the session. */
  readonly confinedTo: string | null
  /** Whether the person proved to be the owner of the account a short time ago, by signing in or by the password. */
  readonly hasRecentProof: boolean
  /** The same of the account's own session: the identity provider of one organization proves nothing about the account. */
  readonly isProven: boolean
}

const decodeUserId = Schema.decodeUnknownOption(UserId)

export const acceptedBy = (request: Request | undefined): string | null =>
  request?.headers.get("accept-language") ?? null

const addressOf = (request: Request | undefined): string | null => request?.headers.get(ipHeader) ?? null

/** How somebody reads mail: in which language, and with the times of which zone. */
export type Reader = Pick<Person, "locale" | "timezone">

/** The same of a stored account. */
export const readerOf = (user: AuthRecord | undefined, request?: Request): Reader => {
  const timezone = user?.["timezone"]
  return {
    locale: localeFor(user?.["locale"], acceptedBy(request)),
    timezone: typeof timezone === "string" ? timezone : null
  }
}

export const confined: Refusal = {
  code: "forbidden",
  detail:
    "This session was begun by the identity provider of one organization: to change how the account signs in, sign in with its password or a passkey"
}

/** Why somebody may not do what needs a proof that the account is theirs; undefined when they may. */
export const unproven = ({ confinedTo, isProven }: Pick<Person, "confinedTo" | "isProven">): Refusal | undefined => {
  if (isProven) return undefined
  return confinedTo === null ? proofNeeded : confined
}

/** When the person behind a session last proved to own the account, in milliseconds. */
export const provenAt = (session: { readonly createdAt: Date; readonly provenAt?: Date | null | undefined }): number =>
  Math.max(session.createdAt.getTime(), session.provenAt?.getTime() ?? 0)

const tooMany = ({ retryAfter }: TooManyGuesses): Refusal => ({
  code: "rate_limited",
  detail: `Too many attempts on this account failed; wait ${Math.ceil(retryAfter)} s`,
  retryAfter
})

/** A failed mail is logged only: the change that it reports has already happened. */
const attempted = <E>(sending: Effect.Effect<void, E>) =>
  Effect.catchCause(sending, (cause) => Effect.logWarning("A mail about an account could not be sent", cause))

export const make = Effect.fnUntraced(function* (auth: BetterAuth, passwords: Passwords.Passwords) {
  const records = yield* AuthRecords
  const settings = yield* AuthSettings
  const changes = yield* AccountChanges
  const mailer = yield* Mails.Mailer

  const person = Effect.fnUntraced(function* (request: Request) {
    const headers = new Headers({ cookie: request.headers.get("cookie") ?? "" })
    const found = yield* heard(() => auth.api.getSession({ headers, query: { disableRefresh: true } }))
    const id = decodeUserId(found?.user.id)
    if (found === null || Option.isNone(id)) return undefined
    const { session, user } = found
    const hasRecentProof = isRecent(provenAt(session), yield* Clock.currentTimeMillis)
    return {
      id: id.value,
      email: user.email,
      name: user.name,
      locale: localeFor(user.locale, acceptedBy(request)),
      chosenLocale: user.locale ?? null,
      timezone: user.timezone ?? null,
      emailVerified: user.emailVerified,
      hasSecondFactor: user.twoFactorEnabled === true,
      sessionId: session.id,
      confinedTo: session.organizationId ?? null,
      hasRecentProof,
      isProven: hasRecentProof && session.organizationId == null
    } satisfies Person
  })

  /** Answers a request of somebody who is signed in. */
  const signedIn = (request: Request, answer: (person: Person) => Effect.Effect<Response>) =>
    Effect.flatMap(person(request), (found) =>
      found === undefined ? Effect.succeed(problem(signInFirst)) : answer(found)
    )

  /** Answers a request of somebody who is signed in and proved a short time ago to own the account. */
  const proven = (request: Request, answer: (person: Person) => Effect.Effect<Response>) =>
    signedIn(request, (found) => {
      const refusal = unproven(found)
      return refusal === undefined ? answer(found) : Effect.succeed(problem(refusal))
    })

  /** Lets Better Auth answer the request, with another body if one is given. */
  const ask = (request: Request, options: { readonly body?: object; readonly expected?: Expected } = {}) => {
    const { body, expected } = options
    const asked = body === undefined ? request : new Request(request, { method: "POST", body: JSON.stringify(body) })
    return heard(() => auth.handler(asked).then(translate), expected)
  }

  const change = (
    { email, id }: Pick<Person, "id" | "email">,
    request: Request | undefined,
    action: AccountChange["action"],
    fields: Pick<AccountChange, "before" | "after"> = {}
  ): AccountChange => ({ action, account: { id, email }, address: addressOf(request), ...fields })

  /** An attempt with the password of an account. */
  const guessed = (email: string, request: Request, attempt: Effect.Effect<Answer>) =>
    changes
      .guess({ passwordOf: email, address: addressOf(request) ?? "" }, attempt, judge)
      .pipe(Effect.match({ onFailure: (error) => problem(tooMany(error)), onSuccess: ({ response }) => response }))

  /** Why a password does not prove anything; undefined when it does. */
  const refusalOf = (email: string, request: Request, proof: Effect.Effect<boolean>) =>
    changes
      .guess({ passwordOf: email, address: addressOf(request) ?? "" }, proof, (isRight) =>
        isRight ? "right" : "wrong"
      )
      .pipe(Effect.match({ onFailure: tooMany, onSuccess: (isRight) => (isRight ? undefined : unauthorized) }))

  /** An attempt with a second factor. */
  const guessedFactor = (account: UserId, request: Request, attempt: Effect.Effect<Answer>) =>
    changes
      .guess({ secondFactorOf: account, address: addressOf(request) ?? "" }, attempt, judge)
      .pipe(Effect.match({ onFailure: (error) => problem(tooMany(error)), onSuccess: ({ response }) => response }))

  /** The stored hash of the account's password; undefined when it has none. */
  const hashOf = Effect.fnUntraced(function* (userId: string) {
    const [account] = yield* records.find("account", [is("userId", userId), is("providerId", "credential")], {
      limit: 1
    })
    const hash = account?.["password"]
    return typeof hash === "string" ? hash : undefined
  })

  /** Whether a password is that of the account. It takes as long when the account has none. */
  const isPassword = Effect.fnUntraced(function* (hash: string | undefined, password: string) {
    if (hash !== undefined) return yield* Effect.promise(() => passwords.verify({ hash, password }))
    yield* Effect.promise(() => passwords.hash(password))
    return false
  })

  const mail = Effect.fnUntraced(function* (
    to: string,
    letter: Mails.AccountLetter,
    locale: Locale,
    purpose: Mails.MailPurpose,
    request?: Request
  ) {
    const id = idFrom("msg", ulidUnsafe())
    const message = Mails.compose(letter, { id, locale, baseUrl: settings.apiUrl })
    yield* mailer.send(to, message, purpose, addressOf(request))
  })

  /** Tells somebody in the background what happened to the account, and when. */
  const notify = Effect.fnUntraced(function* (to: string, letter: Mails.AccountLetter, { locale, timezone }: Reader) {
    const id = idFrom("msg", ulidUnsafe())
    const happened = { at: yield* Clock.currentTimeMillis, zone: timezone }
    const message = Mails.compose(letter, { id, locale, happened, baseUrl: settings.apiUrl })
    yield* Effect.forkDetach(attempted(mailer.send(to, message, "notice", null)))
  })

  /** Ends links, challenges and trusted browsers of an account, and logins that no program has fetched. */
  const endChallenges = Effect.fnUntraced(function* (userId: string) {
    yield* records.remove("verification", [{ ...is("value", userId), operator: "starts_with" }])
    yield* records.remove("deviceCode", [is("userId", userId)])
  })

  return {
    auth,
    records,
    settings,
    changes,
    mailer,
    person,
    signedIn,
    proven,
    ask,
    change,
    guessed,
    guessedFactor,
    refusalOf,
    hashOf,
    isPassword,
    mail,
    notify,
    endChallenges,
    attempted
  }
})

export type Desk = Effect.Success<ReturnType<typeof make>>

const wrong = new Set(["INVALID_PASSWORD", "INVALID_CODE", "INVALID_BACKUP_CODE"])

const judge = ({ code, response }: Answer): Guess => {
  if (response.ok) return "right"
  return wrong.has(code) ? "wrong" : "void"
}
