/** Accounts and sessions with Better Auth: sign-up, sign-in, sign-out, the current session, and address verification. */
import * as AccountMail from "@kanmon/core/AccountMail"
import * as Auth from "@kanmon/core/Auth"
import { type AuthRecord, AuthRecords } from "@kanmon/core/AuthRecords"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import * as FormPage from "@kanmon/core/FormPage"
import { Mailer, type MailPurpose } from "@kanmon/core/Mailer"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { type Locale, localeFor } from "@kanmon/domain/Locale"
import { codes } from "@kanmon/domain/ProblemCode"
import { buildSyntheticUserOutput } from "better-auth/db"
import { betterAuth } from "better-auth/minimal"
import { Clock, Effect, Exit, Redacted, Result } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { heard, runner } from "./Accidents.ts"
import { adapter } from "./Adapter.ts"
import * as Callers from "./Callers.ts"
import { is } from "./Conditions.ts"
import * as DeviceAuthorization from "./DeviceAuthorization.ts"
import * as Impersonation from "./Impersonation.ts"
import { conflict, invalid, problem, type Refusal, translate, unauthorized } from "./ProblemResponses.ts"
import * as Credentials from "./Credentials.ts"
import * as Passwords from "./Passwords.ts"
import * as ProgramSessions from "./ProgramSessions.ts"
import * as Standing from "./Standing.ts"
import * as Verification from "./Verification.ts"

const prefixes: Readonly<Record<string, string>> = { user: "usr", session: "ses", account: "acc", verification: "ver" }
const cookieName = "kanmon"
const ipHeader = "x-kanmon-client-ip"
const signUpRoute = "/auth/sign-up/email"

const signOutRoute = "/auth/sign-out"
const sessionRoute = "/auth/get-session"
const sendVerificationRoute = "/auth/send-verification-email"

/** The routes and their methods; all other features of Better Auth are disabled. */
export const served: Readonly<Record<string, ReadonlyArray<string>>> = {
  [signUpRoute]: ["POST"],
  "/auth/sign-in/email": ["POST"],
  [signOutRoute]: ["POST"],
  [sessionRoute]: ["GET"],
  [sendVerificationRoute]: ["POST"],
  [Verification.verifyRoute]: ["GET", "POST"],
  ...DeviceAuthorization.served
}

/** After this time an account without a password counts as an interrupted sign-up. */
const unfinishedMillis = 60_000


/** Better Auth on the host's records. */
export const make = (
  records: AuthRecords["Service"],
  settings: AuthSettings["Service"],
  passwords: Passwords.Passwords,
  run: <A>(effect: Effect.Effect<A>) => Promise<A>
) => {
  const url = new URL(settings.apiUrl)
  return betterAuth({
    appName: "Kanmon",
    baseURL: url.origin,
    basePath: `${url.pathname}/auth`,
    secret: Redacted.value(settings.secret),
    database: adapter(records, run, (model) => `${prefixes[model] ?? "rec"}_${ulidUnsafe().toLowerCase()}`),
    emailAndPassword: {
      enabled: true,
      disableSignUp: settings.signUp === "closed",
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: passwords
    },
    user: {
      additionalFields: {
        isAdmin: { type: "boolean", input: false, defaultValue: false, returned: false },
        locale: { type: "string", required: false, input: false }
      }
    },
    session: { additionalFields: Standing.sessionFields },
    databaseHooks: Standing.hooks(records, run),
    trustedOrigins: [url.origin],
    // The host limits requests on all routes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Its refusals become responses; other failures are thrown instead of printed.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: cookieName,
      useSecureCookies: url.protocol === "https:",
      ipAddress: { ipAddressHeaders: [ipHeader] },
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" }
    }
  })
}

/** Authenticates by the session's cookie, and serves the routes of accounts. */
export const start: Auth.Auth["start"] = Effect.gen(function* () {
  const records = yield* AuthRecords
  const settings = yield* AuthSettings
  const mailer = yield* Mailer
  const context = yield* Effect.context<never>()
  const passwords = Passwords.make()
  const auth = make(records, settings, passwords, runner(context))
  const secret = Redacted.value(settings.secret)
  const basePath = new URL(settings.apiUrl).pathname
  const programs = ProgramSessions.make(records)

  /** Reads a session without prolonging it: only the route that reads it can also prolong its cookie. */
  const look = (cookie: string) =>
    heard(() => auth.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } }))
  const find = (cookie: string) => Effect.map(look(cookie), (found) => found?.session)
  const { authenticate } = Callers.make({ records, programs, cookieName, find, adminEmails: settings.adminEmails })
  const { authCookies, internalAdapter: sessions } = yield* heard(() => auth.$context)
  const impersonation = Impersonation.make({
    records,
    secret,
    find,
    shown: look,
    cookie: { name: authCookies.sessionToken.name, secure: authCookies.sessionToken.attributes.secure === true },
    begun: (session) =>
      Effect.map(
        heard(() => sessions.createSession(session.userId, false, session, true)),
        ({ token }) => token
      )
  })

  /** An account as Better Auth returns it. */
  const userOf = (row: AuthRecord): object => buildSyntheticUserOutput(auth.options, row)

  const ask = (request: Request) => heard(() => auth.handler(request).then(translate))

  /** An interrupted sign-up leaves an account without a password, which blocks its e-mail address. */
  const clearUnfinished = Effect.fnUntraced(function* (email: string) {
    const [user] = yield* records.find("user", [is("email", email)])
    const now = yield* Clock.currentTimeMillis
    if (user === undefined || (user["createdAt"] as Date).getTime() > now - unfinishedMillis) return
    if ((yield* records.count("account", [is("userId", user["id"])])) === 0) {
      yield* records.remove("user", [is("id", user["id"])])
    }
  })

  const mail = Effect.fnUntraced(function* (
    to: string,
    letter: AccountMail.Letter,
    locale: Locale,
    purpose: MailPurpose = "notice"
  ) {
    const id = `msg_${ulidUnsafe().toLowerCase()}`
    yield* mailer.send(to, AccountMail.compose(letter, { id, locale, baseUrl: settings.apiUrl }), purpose)
  })

  const sendVerification = Effect.fnUntraced(function* (email: string, locale: Locale) {
    const letter = yield* Effect.promise(() => Verification.letter(settings.apiUrl, secret, email))
    yield* mail(email, letter, locale, "asked")
  })

  const signUp = Effect.fnUntraced(function* (request: Request, email: string) {
    yield* clearUnfinished(email)
    const exit = yield* Effect.exit(ask(request))
    if (Exit.isSuccess(exit)) {
      // The account is created even if the e-mail fails, which can be sent again.
      if (exit.value.ok)
        yield* Effect.forkDetach(
          Effect.catchCause(sendVerification(email, localeFor(undefined, acceptedBy(request))), (cause) =>
            Effect.logWarning("A verification e-mail could not be sent", cause)
          )
        )
      return exit.value
    }
    // With two concurrent sign-ups, the second one finds the address taken only on insert.
    return (yield* records.count("user", [is("email", email)])) > 0 ? problem(conflict) : yield* exit
  })

  const signedIn = (request: Request) => heard(() => auth.api.getSession({ headers: request.headers }))

  const devices = DeviceAuthorization.make({
    records,
    secret,
    sessions: programs,
    apiUrl: settings.apiUrl,
    approver: (request) =>
      Effect.map(signedIn(request), (found) =>
        found === null
          ? undefined
          : { userId: found.user.id, isImpersonated: typeof found.session.impersonatedBy === "string" }
      )
  })

  const sendAgain = Effect.fnUntraced(function* (request: Request) {
    const session = yield* signedIn(request)
    if (session === null) return problem({ ...unauthorized, detail: "Sign in first" })
    if (session.user.emailVerified) return problem({ code: "conflict", detail: "The address is already verified" })
    const locale = localeFor(session.user.locale, acceptedBy(request))
    const sent = yield* Effect.result(sendVerification(session.user.email, locale))
    if (Result.isSuccess(sent)) return Response.json({ status: true })
    const { reason } = sent.failure
    return problem(
      reason._tag === "Throttled"
        ? { code: "rate_limited", detail: reason.detail, retryAfter: reason.retryAfter ?? 60 }
        : { code: "delivery_failed", detail: reason.detail }
    )
  })

  const showVerification = Effect.fnUntraced(function* (url: URL) {
    const token = url.searchParams.get("token") ?? ""
    const email = yield* Effect.promise(() => Verification.addressIn(token, secret))
    return page(200, email === undefined ? Verification.invalidLink : Verification.question(email, token))
  })

  const verify = Effect.fnUntraced(function* (request: Request, { email = "", password = "", token = "" }) {
    const answer = (refusal: Refusal, shown: FormPage.FormPage) =>
      wantsPage(request) ? page(codes[refusal.code].status, shown) : problem(refusal)
    const address = yield* Effect.promise(() => Verification.addressIn(token, secret))
    if (address === undefined || address !== normalizeEmail(email)) {
      const message = "The link is no longer valid; POST /auth/send-verification-email sends a new one"
      return answer(invalid([{ path: "token", message }]), Verification.invalidLink)
    }
    const { internalAdapter } = yield* heard(() => auth.$context)
    const found = yield* heard(() => internalAdapter.findUserByEmail(address, { includeAccounts: true }))
    const hash = found?.accounts.find(({ providerId }) => providerId === "credential")?.password ?? undefined
    const isRight = hash === undefined ? false : yield* Effect.promise(() => passwords.verify({ hash, password }))
    if (!isRight) {
      const again = Verification.question(address, token)
      return answer(unauthorized, { ...again, paragraphs: ["The password is wrong.", ...again.paragraphs] })
    }
    yield* heard(() => auth.api.verifyEmail({ query: { token } }))
    return wantsPage(request) ? page(200, Verification.done) : Response.json({ status: true })
  })

  const handle = Effect.fnUntraced(function* (request: Request) {
    const url = new URL(request.url)
    const route = url.pathname.slice(basePath.length)
    const methods = Object.hasOwn(served, route) ? served[route] : undefined
    if (methods === undefined) return problem({ code: "not_found", detail: "There is nothing at this address" })
    if (!methods.includes(request.method))
      return problem({ code: "method_not_allowed", detail: `Use ${methods.join(" or ")}` })
    if (request.method === "GET" && route === Verification.verifyRoute) return yield* showVerification(url)
    const body = yield* Effect.promise(() =>
      request
        .clone()
        .json()
        .catch(() => undefined)
    )
    const acting = yield* impersonation.guard(route, request)
    if (acting !== undefined) return acting
    const byDevice = devices.handle(route, request, body)
    if (byDevice !== undefined) return yield* byDevice
    const token = ProgramSessions.tokenIn(request.headers.get("authorization"))
    if (token !== undefined && route === signOutRoute)
      return yield* Effect.as(programs.end(token), Response.json({ success: true }))
    if (token !== undefined && route === sessionRoute)
      return Response.json(ProgramSessions.shown(yield* programs.find(token), userOf))
    const credentials = Credentials.decode(route, body)
    if (Result.isFailure(credentials)) return problem(invalid(credentials.failure.errors))
    const { email = "", password } = credentials.success
    if (password !== undefined && passwords.isFull()) return problem(busy)
    if (route === sendVerificationRoute) return yield* sendAgain(request)
    if (route === Verification.verifyRoute) return yield* verify(request, credentials.success)
    const signsUp = route === signUpRoute && settings.signUp === "open"
    return yield* signsUp ? signUp(request, email.toLowerCase()) : ask(request)
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
    if (changed.length === 0) return false
    yield* records.remove("session", [mine])
    return true
  })

  const routes = { path: "/auth", forms: [Verification.verifyRoute, ...DeviceAuthorization.forms], handle }
  return { authenticate, routes, setPassword, impersonation }
})

const busy: Refusal = {
  code: "rate_limited",
  detail: "Too many people are signing in; try again in a few seconds",
  retryAfter: 5
}

const acceptedBy = (request: Request): string | null => request.headers.get("accept-language")

/** Whether a browser posted a form. */
const wantsPage = (request: Request): boolean => (request.headers.get("accept") ?? "").includes("text/html")

const page = (status: number, content: FormPage.FormPage): Response =>
  new Response(FormPage.html(content), { status, headers: FormPage.headers })
