/** What happens when an account is created, within the same transaction. Projects give it its first project. */
import type { UserId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

export class AccountCreated extends Context.Service<AccountCreated, (userId: UserId) => Effect.Effect<void>>()(
  "@kanmon/control-plane/accounts/AccountCreated"
) {}
