/** The organization that provides the limits for a caller, over all its keys and sessions. Projects implement it. */
import type { Principal } from "@kanmon/domain/Principal"
import { Context, type Effect } from "effect"

export class CallerOwners extends Context.Service<
  CallerOwners,
  { readonly of: (caller: Principal) => Effect.Effect<string> }
>()("@kanmon/platform/http/CallerOwners") {}
