/** Whether an account may sign in at all: administrators of the installation can disable it. */
import type { AuthRecord, AuthRecords } from "../../users/index.ts"
import type { GenericEndpointContext } from "better-auth"
import { APIError } from "better-auth/api"
import type { Effect } from "effect"
import { is } from "./Conditions.ts"
import type { Refusal } from "./Refusal.ts"

const code = "ACCOUNT_DISABLED"

/** Only who proved to be the account's owner is told. */
export const disabled: Refusal = {
  code: "account_disabled",
  detail: "This account is disabled; ask the operator of this installation"
}

/** The refusal as a response, by the code that Better Auth passes on. */
export const refusals: Readonly<Record<string, Refusal>> = { [code]: disabled }

export const isDisabled = (user: AuthRecord | undefined): boolean =>
  user?.["disabledAt"] !== null && user?.["disabledAt"] !== undefined

/**
 * Fields of sessions that Better Auth passes on: the administrator behind an impersonation, the name, the only
 * organization that it reaches, and the last proof.
 */
export const sessionFields = {
  impersonatedBy: { type: "string", required: false, input: false },
  name: { type: "string", required: false, input: false },
  organizationId: { type: "string", required: false, input: false },
  provenAt: { type: "date", required: false, input: false }
} as const

interface SessionHooks {
  readonly session: {
    readonly create: {
      readonly before: (session: { readonly userId: string }, context: GenericEndpointContext | null) => Promise<void>
    }
  }
}

/** Refuses sessions of disabled accounts, however they sign in; then `others` decide. */
export const hooks = (
  records: AuthRecords["Service"],
  run: <A>(effect: Effect.Effect<A>) => Promise<A>,
  others: SessionHooks | undefined
) => ({
  session: {
    create: {
      before: async (session: { readonly userId: string }, context: GenericEndpointContext | null) => {
        const [user] = await run(records.find("user", [is("id", session.userId)], { limit: 1 }))
        if (isDisabled(user)) throw new APIError("FORBIDDEN", { code, message: disabled.detail })
        await others?.session.create.before(session, context)
      }
    }
  }
})
