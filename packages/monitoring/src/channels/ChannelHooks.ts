/** What happens with a channel, within the same transaction. */
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Alerts name channels in their rules, and have notifications on the way to them. */
export class ChannelUse extends Context.Service<
  ChannelUse,
  {
    /** A project has one more channel: rules that notify every channel are reviewed. */
    readonly added: (projectId: ProjectId) => Effect.Effect<void>
    /** A channel was deleted: what waited for it fails with `error`, and rules that name others, too, no longer name it. */
    readonly removed: (projectId: ProjectId, id: ChannelId, error: string) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/channels/ChannelUse") {}
