/** Better Auth on the records of accounts: the permitted features, and the storage of secrets. */
import { idFrom } from "@kanmon/domain/Ids"
import { passkey } from "@better-auth/passkey"
import type { AuthRecords } from "../../users/index.ts"
import type { AuthSettings } from "../AuthSettings.ts"
import type { BetterAuthPlugin } from "better-auth"
import { APIError, createAuthEndpoint } from "better-auth/api"
import { betterAuth } from "better-auth/minimal"
import { twoFactor } from "better-auth/plugins/two-factor"
import { cookiePath, cookiePrefix } from "@kanmon/domain/CookiePrefix"
import { type Effect, Redacted } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import type { Expected } from "./Accidents.ts"
import { adapter, type Run } from "./Adapter.ts"
import type * as Passwords from "./Passwords.ts"
import * as SsoGate from "./SsoGate.ts"
import * as Standing from "./Standing.ts"
import { sessionPlugin } from "./SsoSession.ts"

const prefixes: Readonly<Record<string, string>> = {
  user: "usr",
  session: "ses",
  account: "acc",
  verification: "ver",
  twoFactor: "tfa",
  passkey: "psk"
}

export const ipHeader = "x-kanmon-client-ip"

/** Validity of a link that replaces a forgotten password, in hours. */
export const resetHours = 1

/** The answers to events of Better Auth. */
export interface Events {
  /** Sends the link that replaces a forgotten password. */
  readonly forgotten: (
    user: { readonly id: string; readonly email: string },
    token: string,
    request: Request | undefined
  ) => Promise<void>
  /** A forgotten password was replaced. */
  readonly replaced: (
    user: { readonly id: string; readonly email: string },
    request: Request | undefined
  ) => Promise<void>
}

/**
 * Finds the account that is about to prove its second factor. The endpoint has no path, so only this process can call
 * it.
 */
const pendingPlugin = () =>
  ({
    id: "kanmon-pending-second-factor",
    endpoints: {
      pendingSecondFactor: createAuthEndpoint({ method: "POST" }, async (ctx) => {
        const { name } = ctx.context.createAuthCookie("two_factor")
        const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
        if (typeof challenge !== "string") return null
        const found = await ctx.context.internalAdapter.findVerificationValue(challenge)
        return found === null ? null : { userId: found.value, expiresAt: found.expiresAt }
      })
    }
  }) satisfies BetterAuthPlugin

/** A passkey stands for password and second factor together, so its device must have verified the person. */
const unverified = () =>
  new APIError("UNAUTHORIZED", {
    code: "PASSKEY_WITHOUT_VERIFICATION",
    message: "The device did not verify the person"
  })

export const make = (
  records: AuthRecords["Service"],
  settings: AuthSettings["Service"],
  passwords: Passwords.Passwords,
  events: Events,
  run: Run,
  write: <A>(write: Expected["write"], model: string, effect: Effect.Effect<A>) => Effect.Effect<A> = (
    _write,
    _model,
    effect
  ) => effect,
  gate?: SsoGate.Gate
) => {
  const url = new URL(settings.apiUrl)
  return betterAuth({
    appName: "Kanmon",
    baseURL: url.origin,
    basePath: `${url.pathname}/auth`,
    secret: Redacted.value(settings.secret),
    database: adapter(records, run, write, (model) => idFrom(prefixes[model] ?? "rec", ulidUnsafe())),
    emailAndPassword: {
      enabled: true,
      // The routes decide who may sign up: invited people may, where sign-up is closed.
      disableSignUp: false,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: passwords,
      resetPasswordTokenExpiresIn: resetHours * 3600,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ token, user }, request) => events.forgotten(user, token, request),
      onPasswordReset: ({ user }, request) => events.replaced(user, request)
    },
    user: {
      additionalFields: {
        isAdmin: { type: "boolean", input: false, defaultValue: false, returned: false },
        locale: { type: "string", required: false },
        timezone: { type: "string", required: false },
        // The token of an invitation; the host takes it out of the row.
        invitation: { type: "string", required: false, returned: false }
      }
    },
    // The routes ask for a recent proof, which renews without another session.
    session: { freshAge: 0, additionalFields: Standing.sessionFields },
    // Links and challenges are found by digests of their tokens.
    verification: { storeIdentifier: "hashed" },
    databaseHooks: Standing.hooks(records, run, gate === undefined ? undefined : SsoGate.sessionHooks(gate, run)),
    plugins: [
      pendingPlugin(),
      sessionPlugin(),
      // Secrets and backup codes are stored encrypted.
      twoFactor({ issuer: "Kanmon" }),
      passkey({
        rpID: url.hostname,
        rpName: "Kanmon",
        origin: url.origin,
        advanced: { webAuthnChallengeCookie: "passkey" },
        schema: { passkey: { fields: { credentialID: "credentialId" } } },
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        registration: {
          afterVerification: ({ verification }) => {
            if (verification.registrationInfo?.userVerified !== true) throw unverified()
            return Promise.resolve()
          }
        },
        authentication: {
          afterVerification: ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw unverified()
            return Promise.resolve()
          }
        }
      })
    ],
    trustedOrigins: [url.origin],
    // The host limits requests on all routes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Its refusals become responses; other failures are thrown instead of printed.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: cookiePrefix(settings.baseUrl),
      // Its own prefix is `__Secure-`, which other hosts of the domain can plant.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [ipHeader] },
      defaultCookieAttributes: {
        path: cookiePath(settings.baseUrl),
        httpOnly: true,
        sameSite: "lax",
        secure: url.protocol === "https:"
      }
    }
  })
}

export type BetterAuth = ReturnType<typeof make>
