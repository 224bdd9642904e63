/** Accounts and sessions with Better Auth: sign-up, sign-in, sign-out and the current session. */
import * as Auth from "@kanmon/core/Auth"
import { AuthRecords } from "@kanmon/core/AuthRecords"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import * as Plugin from "@kanmon/core/Plugin"
import { UserId } from "@kanmon/domain/Ids"
import { betterAuth } from "better-auth"
import { Effect, Option, Redacted, Schema } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { adapter } from "./adapter.ts"
import { problem, translate } from "./answers.ts"

const prefixes: Readonly<Record<string, string>> = { user: "usr", session: "ses", account: "acc", verification: "ver" }
const cookieName = "kanmon"
const ipHeader = "x-kanmon-client-ip"

/** What is served, and how; everything else that Better Auth could do is closed. */
const served: Readonly<Record<string, string>> = {
  "/auth/sign-up/email": "POST",
  "/auth/sign-in/email": "POST",
  "/auth/sign-out": "POST",
  "/auth/get-session": "GET"
}

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
    const auth = make(records, settings, Effect.runPromiseWith(context))

    const authenticate = Effect.fnUntraced(function* (request: Auth.AuthRequest) {
      const { cookie } = request.headers
      if (cookie === undefined || !cookie.includes(`${cookieName}.session_token`)) return Option.none()
      const found = yield* Effect.promise(() => auth.api.getSession({ headers: new Headers({ cookie }) }))
      const userId = decodeUserId(found?.user.id)
      if (found === null || Option.isNone(userId)) {
        return yield* new Auth.AuthError({ detail: "The session has ended; sign in again" })
      }
      const { email, name } = found.user
      const [row] = yield* records.find("user", [
        { field: "id", operator: "eq", value: userId.value, connector: "AND", insensitive: false }
      ])
      const isAdmin = row?.["isAdmin"] === true || settings.adminEmails.includes(email.toLowerCase())
      return Option.some<Auth.Principal>({ _tag: "User", userId: userId.value, email, name, isAdmin })
    })

    const handle = (request: Request): Effect.Effect<Response> =>
      Effect.promise(async () => {
        const { pathname } = new URL(request.url)
        const route = pathname.slice(new URL(settings.apiUrl).pathname.length)
        if (served[route] === undefined)
          return problem({ status: 404, code: "not_found", detail: "There is nothing at this address" })
        if (served[route] !== request.method) {
          return problem({ status: 405, code: "method_not_allowed", detail: `Use ${served[route]}` })
        }
        const refused = request.method === "POST" ? await objection(route, request.clone()) : null
        return refused ?? translate(await auth.handler(request))
      })

    return { authenticate, routes: { path: "/auth", handle } }
  })
})

/** Rules of the house that Better Auth does not have: a name is more than nothing, and bodies are JSON objects. */
const objection = async (route: string, request: Request): Promise<Response | null> => {
  if (route === "/auth/sign-out") return null
  const body: unknown = await request.json().catch(() => undefined)
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return problem({ status: 400, code: "malformed_request", detail: "The body is not a JSON object" })
  }
  const { email, name, password } = body as Record<string, unknown>
  const required = { ...(route === "/auth/sign-up/email" ? { name } : {}), email, password }
  for (const [field, value] of Object.entries(required)) {
    if (typeof value !== "string" || value.trim() === "") {
      return problem({ status: 422, code: "validation_failed", detail: "Expected text", field })
    }
  }
  if (typeof name === "string" && name.length > 200) {
    return problem({ status: 422, code: "validation_failed", detail: "Expected at most 200 characters", field: "name" })
  }
  return null
}

export default Plugin.define({ name: "@kanmon/auth-better-auth", contract: 1, auths: [sessions] })
