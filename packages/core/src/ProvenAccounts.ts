/**
 * Accounts by their e-mail addresses, for auth plugins that learn an address from somebody the operator trusts. Only a verified
 * address names an account, because anybody can sign up with an address of somebody else.
 */
import type { User } from "@kanmon/domain/Principal"
import { Context, type Effect, type Option } from "effect"
import type { AuthError } from "./AuthError.ts"

export class ProvenAccounts extends Context.Service<
  ProvenAccounts,
  {
    /**
     * The account with this address; `none` if no account has proven it. Fails for an account that is disabled, or that
     * has to use its organization's single sign-on; the refusal is vouched for (`isVouched`). The time of the person's
     * last proof is unknown, so operations that ask for a recent proof are refused. Database failures are defects.
     */
    readonly find: (email: string) => Effect.Effect<Option.Option<User>, AuthError>
  }
>()("@kanmon/core/ProvenAccounts") {}
