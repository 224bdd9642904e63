/** Hooks that run in the transaction of a change to an account. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Channels that a project had before the account's address was proven are switched off. */
export class EarlierAccessEnding extends Context.Service<
  EarlierAccessEnding,
  (projectId: ProjectId) => Effect.Effect<void>
>()("@kanmon/identity/accounts/EarlierAccessEnding") {}

/** Contact methods that an account had before its address was proven are deleted. */
export class EarlierMethodsEnding extends Context.Service<
  EarlierMethodsEnding,
  (userId: UserId) => Effect.Effect<void>
>()("@kanmon/identity/accounts/EarlierMethodsEnding") {}
