/** Whether an account may sign in at all: administrators of the installation can disable it. */
import type { AuthRecord, AuthRecords } from "@kanmon/core/AuthRecords"
import { APIError } from "better-auth/api"
import type { Effect } from "effect"
import { is } from "./Conditions.ts"
import type { Refusal } from "./ProblemResponses.ts"

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

/** Fields of sessions that Better Auth passes on: whose session it is in truth, and what it is called. */
export const sessionFields = {
  impersonatedBy: { type: "string", required: false, input: false },
  name: { type: "string", required: false, input: false }
} as const

/** Refuses sessions of disabled accounts, however they sign in. */
export const hooks = (records: AuthRecords["Service"], run: <A>(effect: Effect.Effect<A>) => Promise<A>) => ({
  session: {
    create: {
      before: async ({ userId }: { readonly userId: string }) => {
        const [user] = await run(records.find("user", [is("id", userId)], { limit: 1 }))
        if (isDisabled(user)) throw new APIError("FORBIDDEN", { code, message: disabled.detail })
      }
    }
  }
})
