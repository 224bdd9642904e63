/** The organization whose limits a caller uses, with all its keys and sessions together. Implemented by projects. */
import type { Principal } from "@kanmon/domain/Principal"
import { Context, type Effect } from "effect"

export class CallerOwners extends Context.Service<
  CallerOwners,
  { readonly of: (caller: Principal) => Effect.Effect<string> }
>()("@kanmon/platform/http/CallerOwners") {}
