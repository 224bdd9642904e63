/** The account of a caller; limits apply to all its keys and sessions together. Implemented by projects. */
import type { Principal } from "@kanmon/domain/Principal"
import { Context, type Effect } from "effect"

export class CallerAccounts extends Context.Service<
  CallerAccounts,
  { readonly of: (caller: Principal) => Effect.Effect<string> }
>()("@kanmon/control-plane/platform/http/CallerAccounts") {}
