/**
 * Enforces single sign-on where the operator has disabled local sign-in and where an organization requires its identity
 * provider for a verified domain. Every new session is checked here.
 */
import { SignInMethods } from "../../sso/index.ts"
import { type LocalMethod, SingleSignOn } from "../../sso/index.ts"
import type { GenericEndpointContext } from "better-auth"
import { APIError } from "better-auth/api"
import { Effect } from "effect"
import { type Refusal, ssoRequired } from "./ProblemResponses.ts"

/** Routes of people who sign in with what this installation keeps itself. */
const localRoutes =
  /^\/auth\/(sign-in\/email|sign-up\/email|passkey\/(generate-authenticate-options|verify-authentication)|request-password-reset|reset-password|two-factor\/verify-)/

const switchedOff: Refusal = {
  code: "forbidden",
  detail: "Sign-in with a password is switched off on this installation (KANMON_LOCAL_LOGIN); use single sign-on"
}

export const make = Effect.gen(function* () {
  const methods = yield* SignInMethods
  const signOn = yield* SingleSignOn
  const mayStart = (userId: string, email: string, by: LocalMethod) =>
    Effect.flatMap(signOn.isEnforced(email), (isEnforced) =>
      isEnforced ? signOn.mayBypass(userId, email, by) : Effect.succeed(true)
    )

  return {
    /** Why a request to a route may not be answered; undefined when it may. */
    objection: Effect.fnUntraced(function* (route: string, email: string, bypass: boolean) {
      if (!methods.local && localRoutes.test(route)) return switchedOff
      const names = route === "/auth/sign-in/email" || route === "/auth/sign-up/email"
      return names && email !== "" && !bypass && (yield* signOn.isEnforced(email)) ? ssoRequired : undefined
    }),
    /** Whether an account may get a session on a route. Routes of people who are signed in already are not concerned. */
    mayStart,
    /** Whether an account may exchange its address: for another one that requires single sign-on, or for any where it need not. */
    mayMove: (userId: string, { from, to }: { readonly from: string; readonly to: string }) =>
      Effect.flatMap(signOn.isEnforced(to), (isEnforced) =>
        isEnforced ? Effect.succeed(true) : mayStart(userId, from, "password")
      ),
    /** Records a sign-in past single sign-on, after its last step. Does nothing where none is required. */
    entered: (request: Request, userId: string, email: string) =>
      signOn.bypassed(userId, email, request.headers.get("x-kanmon-client-ip") ?? "unknown")
  }
})

export type Gate = Effect.Success<typeof make>

/** Better Auth's routes that sign people in with what this installation keeps itself. */
const signsInLocally = /^\/(sign-in\/|sign-up\/|passkey\/|two-factor\/|reset-password|verify-email)/

/** Better Auth's hooks: refuses the session, and with it the sign-in. */
export const sessionHooks = (gate: Gate, run: <A>(effect: Effect.Effect<A>) => Promise<A>) => ({
  session: {
    create: {
      before: async (session: { readonly userId: string }, context: GenericEndpointContext | null) => {
        const path = context?.path
        if (context === null || path === undefined || !signsInLocally.test(path)) return
        if (context.context.session?.user.id === session.userId) return
        const user = await context.context.internalAdapter.findUserById(session.userId)
        const by = path.startsWith("/passkey/") ? "passkey" : "password"
        if (user === null || (await run(gate.mayStart(user.id, user.email, by)))) return
        throw new APIError("FORBIDDEN", { code: "SSO_REQUIRED", message: ssoRequired.detail })
      }
    }
  }
})
