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
     * The account with this address; `none` where no account has proven it. Fails for an account that is disabled, or whose
     * organization requires single sign-on; the refusal is vouched for (`isVouched`). Nothing says when the person last proved to own the account, so what asks for a
     * recent proof is refused. Database failures are defects.
     */
    readonly find: (email: string) => Effect.Effect<Option.Option<User>, AuthError>
  }
>()("@kanmon/core/ProvenAccounts") {}
