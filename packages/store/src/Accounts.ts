/** What the installation's operator does with accounts. Signing up and in belongs to the auth plugin. */
import { Context, Data, type Effect } from "effect"

export class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly email: string }> {}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Makes the account an admin. */
    readonly grantAdmin: (email: string) => Effect.Effect<void, AccountNotFound>
  }
>()("@kanmon/store/Accounts") {}
