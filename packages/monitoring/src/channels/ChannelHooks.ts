/** Hooks that run in the transaction of a change to a channel. */
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { Context, Data, type Effect } from "effect"

/** Alerts name channels in their rules, and have notifications on the way to them. */
export class ChannelUse extends Context.Service<
  ChannelUse,
  {
    /** A project has one more channel: rules that notify every channel are reviewed. */
    readonly added: (projectId: ProjectId) => Effect.Effect<void>
    /** A channel was deleted. Its waiting deliveries fail with `error`, and rules with other channels drop it. */
    readonly removed: (projectId: ProjectId, id: ChannelId, error: string) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/channels/ChannelUse") {}

/** Something names the channel; `users` says what. */
export class ChannelInUse extends Data.TaggedError("ChannelInUse")<{ readonly users: ReadonlyArray<string> }> {}

/** Escalation policies name channels. */
export class ChannelPolicies extends Context.Service<
  ChannelPolicies,
  {
    /** The users of a channel in words: it cannot be deleted. Locks the organization of the project, so it comes first. */
    readonly users: (projectId: ProjectId, id: ChannelId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/monitoring/channels/ChannelPolicies") {}
