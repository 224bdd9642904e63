/** Accounts and sessions with Better Auth: sign-up, sign-in, sign-out and the current session. */
import * as Auth from "@kanmon/core/Auth"
import { AuthRecords, type Where } from "@kanmon/core/AuthRecords"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import * as Plugin from "@kanmon/core/Plugin"
import { UserId } from "@kanmon/domain/Ids"
import { betterAuth } from "better-auth"
import { Clock, Effect, Exit, Option, Redacted, Result, Schema } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { heard, runner } from "./Accidents.ts"
import { adapter } from "./Adapter.ts"
import { conflict, invalid, problem, translate } from "./Answers.ts"
import * as Credentials from "./Credentials.ts"

const prefixes: Readonly<Record<string, string>> = { user: "usr", session: "ses", account: "acc", verification: "ver" }
const cookieName = "kanmon"
const ipHeader = "x-kanmon-client-ip"
const signUpRoute = "/auth/sign-up/email"

/** What is served, and how; everything else that Better Auth could do is closed. */
const served: Readonly<Record<string, string>> = {
  [signUpRoute]: "POST",
  "/auth/sign-in/email": "POST",
  "/auth/sign-out": "POST",
  "/auth/get-session": "GET"
}

/** How long a sign-up may take before an account without a password counts as one that was cut short. */
const unfinishedMillis = 60_000

const decodeUserId = Schema.decodeUnknownOption(UserId)

const make = (
  records: AuthRecords["Service"],
  settings: AuthSettings["Service"],
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
      maxPasswordLength: 128
    },
    user: { additionalFields: { isAdmin: { type: "boolean", input: false, defaultValue: false, returned: false } } },
    trustedOrigins: [url.origin],
    // The host limits requests, for all of its routes alike.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Its refusals become responses; accidents are thrown instead of printed.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: cookieName,
      useSecureCookies: url.protocol === "https:",
      ipAddress: { ipAddressHeaders: [ipHeader] },
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" }
    }
  })
}

const sessions = Auth.define({
  name: "better-auth",
  summary: "Accounts with e-mail and password; sessions in a cookie.",
  start: Effect.gen(function* () {
    const records = yield* AuthRecords
    const settings = yield* AuthSettings
    const context = yield* Effect.context<never>()
    const auth = make(records, settings, runner(context))
    const basePath = new URL(settings.apiUrl).pathname

    const authenticate = Effect.fnUntraced(function* (request: Auth.AuthRequest) {
      const { cookie } = request.headers
      if (cookie === undefined || !cookie.includes(`${cookieName}.session_token`)) return Option.none()
      // A session is prolonged where its cookie can be too: in the route that reads it.
      const query = { disableRefresh: true }
      const found = yield* heard(() => auth.api.getSession({ headers: new Headers({ cookie }), query }))
      const userId = decodeUserId(found?.user.id)
      if (found === null || Option.isNone(userId)) {
        return yield* new Auth.AuthError({ detail: "The session has ended; sign in again" })
      }
      const { email, name } = found.user
      const [row] = yield* records.find("user", [is("id", userId.value)])
      const isAdmin = row?.["isAdmin"] === true || settings.adminEmails.includes(email.toLowerCase())
      return Option.some<Auth.Principal>({ _tag: "User", userId: userId.value, email, name, isAdmin })
    })

    const ask = (request: Request) => heard(() => auth.handler(request).then(translate))

    /** An account whose sign-up was cut short has no password: nobody could use it, nor its e-mail address again. */
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
      if (Exit.isSuccess(exit)) return exit.value
      // Two at once: the second finds the first one's e-mail address only when it writes its own.
      return (yield* records.count("user", [is("email", email)])) > 0 ? problem(conflict) : yield* exit
    })

    const handle = Effect.fnUntraced(function* (request: Request) {
      const route = new URL(request.url).pathname.slice(basePath.length)
      const method = Object.hasOwn(served, route) ? served[route] : undefined
      if (method === undefined)
        return problem({ status: 404, code: "not_found", detail: "There is nothing at this address" })
      if (method !== request.method)
        return problem({ status: 405, code: "method_not_allowed", detail: `Use ${method}` })
      const body = yield* Effect.promise(() =>
        request
          .clone()
          .json()
          .catch(() => undefined)
      )
      const credentials = Credentials.decode(route, body)
      if (Result.isFailure(credentials)) return problem(invalid(credentials.failure.errors))
      const { email = "" } = credentials.success
      const signsUp = route === signUpRoute && settings.signUp === "open"
      return yield* signsUp ? signUp(request, email.toLowerCase()) : ask(request)
    })

    return { authenticate, routes: { path: "/auth", handle } }
  })
})

const is = (field: string, value: unknown): Where => ({
  field,
  operator: "eq",
  value,
  connector: "AND",
  insensitive: false
})

export default Plugin.define({ name: "@kanmon/auth-better-auth", contract: 1, auths: [sessions] })
