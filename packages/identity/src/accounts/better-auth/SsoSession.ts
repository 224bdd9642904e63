/**
 * Better Auth's part in single sign-on: it starts the session of an account that was identified elsewhere. The endpoint has no
 * path, so that it can be called by this process only.
 */
import type { BetterAuthPlugin } from "better-auth"
import { createAuthEndpoint } from "better-auth/api"
import { setSessionCookie } from "better-auth/cookies"
import { Schema } from "effect"

const Body = Schema.toStandardSchemaV1(
  Schema.Struct({ userId: Schema.String, organizationId: Schema.UndefinedOr(Schema.String) })
)

export const sessionPlugin = () =>
  ({
    id: "kanmon-single-sign-on",
    endpoints: {
      startSession: createAuthEndpoint({ method: "POST", body: Body }, async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
        if (user === null) throw ctx.error("UNAUTHORIZED")
        const { organizationId = null } = ctx.body
        const session = await ctx.context.internalAdapter.createSession(user.id, false, { organizationId })
        await setSessionCookie(ctx, { session, user })
        return ctx.json({ sessionId: session.id })
      })
    }
  }) satisfies BetterAuthPlugin
