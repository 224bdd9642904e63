/** Accounts and sessions with Better Auth: the account of a session, and the routes on which people sign up, in and out. */
import { AccountChanges } from "../AccountChanges.ts"
import { AuthRecords } from "../../users/index.ts"
import { Invitations } from "../../organizations/index.ts"
import { SignIn } from "../SignIn.ts"
import { AuthSettings } from "../AuthSettings.ts"
import { SignInMethods } from "../../sso/index.ts"
import { SingleSignOn } from "../../sso/index.ts"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { UserId } from "@kanmon/domain/Ids"
import { Clock, Effect, Exit, Option, Redacted, Result, Schema } from "effect"
import { heard, recorded, runner } from "./Accidents.ts"
import * as Address from "./AddressRoutes.ts"
import { make } from "./BetterAuth.ts"
import * as Callers from "./Callers.ts"
import { is } from "./Conditions.ts"
import * as FirstAccount from "./FirstAccount.ts"
import * as Credentials from "./Credentials.ts"
import { confined, type Desk, readerOf, make as makeDesk } from "./Desk.ts"
import * as DeviceAuthorization from "./DeviceAuthorization.ts"
import * as Impersonation from "./Impersonation.ts"
import * as ImpersonationLink from "./ImpersonationLink.ts"
import * as Passkey from "./PasskeyRoutes.ts"
import * as Password from "./PasswordRoutes.ts"
import { NewHashCost } from "./PasswordHash.ts"
import * as Passwords from "./Passwords.ts"
import { conflict, invalid, problem, type Refusal, signInFirst, signUpClosed } from "./ProblemResponses.ts"
import * as Profile from "./ProfileRoutes.ts"
import * as ProgramSessions from "./ProgramSessions.ts"
import * as SsoGate from "./SsoGate.ts"
import * as Rehashing from "./Rehashing.ts"
import { forAccounts, personal, served, sessionRoute, signInRoute, signOutRoute, signUpRoute } from "./ServedRoutes.ts"
import * as SignOuts from "./SignOuts.ts"
import * as SsoRoutes from "./SsoRoutes.ts"
import * as SecondFactor from "./SecondFactorRoutes.ts"
import { accountOf } from "./Shown.ts"

/** After this time an account without a password counts as an interrupted sign-up. */
const unfinishedMillis = 60_000

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** Finds the accounts of sessions, and serves the routes of accounts. */
export const start = Effect.gen(function* () {
  const records = yield* AuthRecords
  const settings = yield* AuthSettings
  const changes = yield* AccountChanges
  const invitations = yield* Invitations
  const context = yield* Effect.context<never>()
  let hasOld = yield* Rehashing.hasOld(records)
  const passwords = Passwords.make(yield* NewHashCost, () => hasOld)
  const run = runner(context)
  let desk: Desk | undefined = undefined
  const events = Password.events(() => desk!, run)
  const gate = yield* SsoGate.make
  const auth = make(records, settings, passwords, events, run, recorded(changes), gate)
  desk = yield* makeDesk(auth, passwords)
  const basePath = new URL(settings.apiUrl).pathname

  const programs = ProgramSessions.make(records)

  /** Reads a session without prolonging it: only the route that reads it can also prolong its cookie. */
  const look = (cookie: string) =>
    heard(() => auth.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } }))
  const find = (cookie: string) => Effect.map(look(cookie), (found) => found?.session)
  const { authCookies, internalAdapter: sessions } = yield* heard(() => auth.$context)
  const { attributes, name: cookieName } = authCookies.sessionToken
  const { path = "/", secure = false } = attributes
  const singleSignOn = yield* SingleSignOn
  const callers = Callers.make({
    records,
    programs,
    cookieName,
    find,
    adminEmails: settings.adminEmails,
    isEnforced: singleSignOn.isEnforced
  })
  const signOuts = SignOuts.make(desk)
  const impersonation = Impersonation.make({
    records,
    signedOut: signOuts.acting,
    find,
    shown: (cookies) => Effect.map(look(cookies), (found) => ProgramSessions.shown(found ?? undefined, accountOf)),
    secret: Redacted.value(settings.secret),
    cookie: { name: cookieName, path, secure },
    begun: (session) =>
      Effect.map(
        heard(() => sessions.createSession(session.userId, false, session, true)),
        ({ token }) => token
      )
  })

  const { ask, change } = desk
  const address = Address.make(desk, gate)
  const password = Password.make(desk)
  const { link, ...linked } = ImpersonationLink.make(desk, impersonation.begin)
  const firstAccount = FirstAccount.make(desk)
  const profile = Profile.make(desk, yield* SignInMethods, firstAccount, singleSignOn)

  /** Records that somebody signed in. */
  const signedIn = Effect.fnUntraced(function* (request: Request, userId: UserId, method: string) {
    const [user] = yield* records.find("user", [is("id", userId)])
    if (user === undefined) return
    const entry = change({ id: userId, email: String(user["email"]) }, request, "account.signed_in", {
      after: { method }
    })
    yield* changes.record(entry, Effect.void)
    yield* gate.entered(request, userId, String(user["email"]))
  })

  const devices = DeviceAuthorization.make({
    records,
    secret: Redacted.value(settings.secret),
    sessions: programs,
    baseUrl: settings.baseUrl,
    approver: (request) =>
      Effect.map(desk.person(request), (found) =>
        found === undefined
          ? undefined
          : {
              userId: found.id,
              email: found.email,
              organizationId: found.confinedTo,
              isProven: found.hasRecentProof
            }
      ),
    recorded: (request, { email, userId }, action, after, decision) =>
      changes.record(change({ id: userId, email }, request, action, { after }), decision),
    signedIn: (request, userId) =>
      Option.match(decodeUserId(userId), {
        onNone: () => Effect.void,
        onSome: (id) => signedIn(request, id, "program")
      })
  })
  const secondFactor = SecondFactor.make(desk, signedIn)
  const passkey = Passkey.make(desk, signedIn)

  const lookForOld = Effect.map(Rehashing.hasOld(records), (found) => void (hasOld = found))

  /** An interrupted sign-up leaves an account without a password, which blocks its e-mail address. */
  const clearUnfinished = Effect.fnUntraced(function* (email: string) {
    const [user] = yield* records.find("user", [is("email", email)])
    const now = yield* Clock.currentTimeMillis
    if (user === undefined || (user["createdAt"] as Date).getTime() > now - unfinishedMillis) return
    if ((yield* records.count("account", [is("userId", user["id"])])) === 0) {
      yield* records.remove("user", [is("id", user["id"])])
    }
  })

  const signUp = Effect.fnUntraced(function* (request: Request, email: string) {
    yield* clearUnfinished(email)
    const exit = yield* Effect.exit(ask(request))
    if (Exit.isSuccess(exit)) {
      const { response } = exit.value
      if (!response.ok) return response
      const [user] = yield* records.find("user", [is("email", email)])
      const id = decodeUserId(user?.["id"])
      // The account is created even if the e-mail fails, which can be sent again.
      if (Option.isSome(id) && user?.["emailVerified"] !== true) {
        const sending = address.sendVerification({ id: id.value, email }, readerOf(user, request).locale, request)
        yield* Effect.forkDetach(
          Effect.catchCause(sending, (cause) => Effect.logWarning("A verification e-mail could not be sent", cause))
        )
      }
      return response
    }
    // With two concurrent sign-ups, the second one finds the address taken only on insert.
    return (yield* records.count("user", [is("email", email)])) > 0
      ? problem(conflict)
      : yield* Effect.failCause(exit.cause)
  })

  /** Signs up a person: anyone while sign-up is open, otherwise people with an invitation to their address. */
  const enter = Effect.fnUntraced(function* (
    request: Request,
    email: string,
    { invitation: token, setupCode }: Credentials.Body
  ) {
    if (token === undefined)
      return settings.signUp === "open"
        ? yield* firstAccount.begin(request, email, setupCode, signUp)
        : problem(signUpClosed)
    const invitation = yield* Effect.option(invitations.offer(token))
    if (Option.isNone(invitation)) {
      const message = "The invitation was used, taken back or has expired; ask for a new one"
      return problem(invalid([{ path: "invitation", message }]))
    }
    if (invitation.value.email !== normalizeEmail(email))
      return problem(invalid([{ path: "email", message: "Expected the address that the invitation was sent to" }]))
    return yield* signUp(request, email)
  })

  const signOut = Effect.fnUntraced(function* (request: Request) {
    const found = yield* look(request.headers.get("cookie") ?? "")
    const ending = plainly(request)
    return yield* found === null ? ending : signOuts.own(request, { ...found.user }, ending)
  })

  const signIn = Effect.fnUntraced(function* (request: Request, email: string, typed: string) {
    const { response } = yield* ask(request)
    if (!response.ok) return response
    const [user] = yield* records.find("user", [is("email", email)])
    const id = decodeUserId(user?.["id"])
    if (Option.isNone(id)) return response
    // The password was right, also where a second factor is still to come.
    yield* Rehashing.renew(records, passwords, id.value, typed).pipe(
      Effect.tap((isRenewed) => (isRenewed ? lookForOld : Effect.void)),
      Effect.catchCause((cause) => Effect.logWarning("The hash of a password could not be renewed", cause)),
      Effect.forkDetach
    )
    if (hasSession(response)) yield* signedIn(request, id.value, "password")
    return response
  })

  const answer = (request: Request, route: string, body: Credentials.Body): Effect.Effect<Response> => {
    const { email = "" } = body
    switch (route) {
      case signUpRoute:
        return enter(request, email.toLowerCase(), body)
      case signInRoute:
        return signIn(request, email.toLowerCase(), body.password ?? "")
      case signOutRoute:
        return signOut(request)
      case Profile.methodsRoute:
        return profile.methods(request)
      case Profile.updateRoute:
        return profile.update(request, body)
      case Address.sendVerificationRoute:
        return address.sendAgain(request)
      case Address.verifyRoute:
        return request.method === "GET" ? address.show(request, "verify") : address.use(request, "verify", body)
      case Address.changeRoute:
        return address.requestChange(request, body)
      case Address.confirmRoute:
        return request.method === "GET" ? address.show(request, "change") : address.use(request, "change", body)
      case ImpersonationLink.linkRoute:
        return request.method === "GET" ? linked.show(request) : linked.use(request, body.token ?? "")
      case Password.requestReset:
        return password.askForLink(request)
      case Password.reset:
        return password.replace(request, body.token ?? "")
      case Password.changePassword:
        return password.renew(request, body)
      case Password.prove:
        return password.provedBy(request, body.password ?? "")
      case SecondFactor.enableRoute:
        return secondFactor.enable(request)
      case SecondFactor.uriRoute:
        return secondFactor.withPassword(request)
      case SecondFactor.disableRoute:
        return secondFactor.disable(request)
      case SecondFactor.codesRoute:
        return secondFactor.renewCodes(request)
      case SecondFactor.verifyRoute:
        return secondFactor.verify(request, body)
      case SecondFactor.backupRoute:
        return secondFactor.useBackupCode(request, body)
      case Passkey.registerOptionsRoute:
        return passkey.registerOptions(request)
      case Passkey.registerRoute:
        return passkey.register(request, body)
      case Passkey.signInOptionsRoute:
        return passkey.signInOptions(request)
      case Passkey.signInRoute:
        return passkey.signIn(request)
      case Passkey.listRoute:
        return passkey.list(request)
      case Passkey.renameRoute:
        return passkey.rename(request, body)
      case Passkey.deleteRoute:
        return passkey.remove(request, body)
      default:
        return plainly(request)
    }
  }

  const plainly = (request: Request) => Effect.map(ask(request), ({ response }) => response)

  const { hashOf, isPassword } = desk
  const signOnRoutes = yield* SsoRoutes.make({
    apiUrl: settings.apiUrl,
    baseUrl: settings.baseUrl,
    run,
    startSession: (userId, headers, organizationId) =>
      heard(() => auth.api.startSession({ body: { userId, organizationId }, headers, asResponse: true })),
    connected: Effect.fnUntraced(function* (userId, connection, request) {
      const [user] = yield* records.find("user", [is("id", userId)])
      if (user === undefined) return
      yield* desk.notify(String(user["email"]), { kind: "signOnConnected", name: connection }, readerOf(user, request))
    }),
    isPassword: Effect.fnUntraced(function* (email, password) {
      const [user] = yield* records.find("user", [is("email", normalizeEmail(email))])
      return yield* isPassword(user === undefined ? undefined : yield* hashOf(String(user["id"])), password)
    })
  })

  const handle = (request: Request) => {
    const route = new URL(request.url).pathname.slice(basePath.length)
    return route === signOutRoute ? Effect.map(answered(route, request), clearing) : answered(route, request)
  }

  const answered = Effect.fnUntraced(function* (route: string, request: Request) {
    const methods = SsoRoutes.methodsOf(route) ?? (Object.hasOwn(served, route) ? served[route] : undefined)
    if (methods === undefined) return problem({ code: "not_found", detail: "There is nothing at this address" })
    if (!methods.includes(request.method))
      return problem({ code: "method_not_allowed", detail: `Use ${methods.join(" or ")}` })
    const acting = yield* impersonation.guard(route, request)
    if (acting !== undefined) return acting
    // These routes would let people sign in without the provider, and to other organizations.
    if (forAccounts.has(route) && (yield* desk.person(request))?.confinedTo != null) return problem(confined)
    const ofSingleSignOn = signOnRoutes.handle(route, request)
    if (ofSingleSignOn !== undefined) return yield* ofSingleSignOn
    const sent = yield* Effect.promise(() =>
      request
        .clone()
        .json()
        .catch(() => undefined)
    )
    const byDevice = devices.handle(route, request, sent)
    if (byDevice !== undefined) return yield* byDevice
    const token = ProgramSessions.tokenIn(request.headers.get("authorization"))
    if (token !== undefined && route === signOutRoute) return yield* signOuts.program(request, programs, token)
    if (token !== undefined && route === sessionRoute)
      return Response.json(ProgramSessions.shown(yield* programs.find(token), accountOf))
    if (request.method === "GET") return yield* answer(request, route, {})
    const body = Credentials.decode(route, sent)
    if (Result.isFailure(body)) {
      const isStranger = personal.has(route) && (yield* desk.person(request)) === undefined
      return problem(isStranger ? signInFirst : invalid(body.failure.errors))
    }
    const kept = yield* gate.objection(route, body.success.email ?? "", body.success.bypassSso === true)
    if (kept !== undefined) return problem(kept)
    if (Credentials.takesHash(body.success) && passwords.isFull()) return problem(busy)
    return yield* answer(request, route, body.success)
  })

  const setPassword = Effect.fnUntraced(function* (email: string, password: string) {
    yield* Effect.fromResult(Credentials.checkPassword(password))
    const [user] = yield* records.find("user", [is("email", normalizeEmail(email))])
    if (user === undefined) return false
    const hash = yield* Effect.promise(() => passwords.hash(password))
    const mine = is("userId", user["id"])
    const changed = yield* records.update("account", [mine, is("providerId", "credential")], {
      password: hash,
      updatedAt: new Date(yield* Clock.currentTimeMillis)
    })
    if (changed.length === 0) {
      // Accounts that only signed in through an identity provider have no password yet.
      const { internalAdapter } = yield* heard(() => auth.$context)
      const id = String(user["id"])
      yield* heard(() =>
        internalAdapter.createAccount({ userId: id, providerId: "credential", accountId: id, password: hash })
      )
    }
    yield* records.remove("session", [mine])
    yield* desk.endChallenges(String(user["id"]))
    return true
  })

  const provePassword = Effect.fnUntraced(function* (account: UserId, given: string) {
    const hash = yield* desk.hashOf(account)
    if (hash === undefined) return "none" as const
    return (yield* desk.isPassword(hash, given)) ? ("right" as const) : ("wrong" as const)
  })

  return SignIn.of({ ...callers, handle, setPassword, provePassword, impersonation: { ...impersonation, link } })
})

const busy: Refusal = {
  code: "rate_limited",
  detail: "Too many people are signing in; try again in a few seconds",
  retryAfter: 5
}

/**
 * Makes the browser forget what it stored of this origin, such as lists of monitors. Not `storage`, which has the visitor's theme and
 * language, and not `cookies`, which other installations on the host have, too.
 */
const clearing = (answer: Response): Response => {
  if (answer.ok) answer.headers.set("clear-site-data", '"cache"')
  return answer
}

/** Whether an answer starts a session; with a second factor pending, none does. */
const hasSession = (answer: Response): boolean =>
  answer.headers.getSetCookie().some((cookie) => /\.session_token=[^;]/.test(cookie))
