/** Writes channels from the bodies of requests, with what is refused as problems. */
import { Catalogue } from "@kanmon/core/PluginHost"
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import type { ChannelNotFound, ProjectNotFound } from "@kanmon/domain/NotFound"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { PaymentGateway, PlanLimit, type PlanLimitReached } from "@kanmon/identity/billing"
import { OrganizationQuotas } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import type { StoredChannel } from "./ChannelRecords.ts"
import type { ChannelInUse } from "./ChannelHooks.ts"
import { Channels } from "./Channels.ts"
import * as ChannelView from "./ChannelView.ts"
import { Recipients } from "./Recipients.ts"

/** A written channel, and what follows once the write is committed: a message to a new recipient. */
export interface WrittenChannel {
  readonly channel: StoredChannel
  /** Returns the channel with the failure of that message, if it failed. */
  readonly invited: Effect.Effect<StoredChannel>
}

export const make = Effect.gen(function* () {
  const channels = yield* Channels
  const recipients = yield* Recipients
  const { channels: kinds } = yield* Catalogue
  const within = yield* OrganizationQuotas.make
  const refusing = refusals((yield* PaymentGateway).configured)
  const written = (channel: StoredChannel, before?: StoredChannel): WrittenChannel => ({
    channel,
    invited: recipients.inviteNew(channel, before)
  })

  const update = (projectId: ProjectId, id: ChannelId, body: object, presumes: boolean) =>
    Effect.gen(function* () {
      let before: StoredChannel | undefined
      const updated = yield* channels.update(projectId, id, (current) => {
        before = current
        const as = presumes ? ChannelView.presumed(current, body) : current
        return Effect.flatMap(Effect.fromResult(ChannelView.decodeChange(kinds, current, body, as)), (draft) =>
          recipients.admit(projectId, draft, as)
        )
      })
      return written(updated, before)
    }).pipe(refusing)

  return {
    create: (projectId: ProjectId, body: unknown) =>
      Effect.gen(function* () {
        const draft = yield* Effect.fromResult(ChannelView.decode(kinds, body))
        const admitted = yield* recipients.admit(projectId, draft)
        return written(yield* within({ projectId }, "channels", channels.create(projectId, admitted)))
      }).pipe(refusing),
    update: (projectId: ProjectId, id: ChannelId, body: object) => update(projectId, id, body, false),
    /** An update to be rolled back, for a caller who may not see where channels lead: stored settings are taken to be those that are sent. */
    presume: (projectId: ProjectId, id: ChannelId, body: object) => update(projectId, id, body, true),
    remove: (projectId: ProjectId, id: ChannelId) => channels.remove(projectId, id).pipe(refusing)
  }
})

export const refusals = (canPay: boolean) =>
  asProblem({
    ChannelNotFound: (_: ChannelNotFound) => notFound("channel"),
    ChannelInUse: ({ users }: ChannelInUse) =>
      new Problem({
        code: "conflict",
        detail: `The channel is in use by ${users.join(", ")}: take it out there first`
      }),
    KeyTaken: (_: KeyTaken) => KeyConflict.problem("channel"),
    PlanLimitReached: (reached: PlanLimitReached) => PlanLimit.problem(reached, canPay),
    ProjectNotFound: (_: ProjectNotFound) => notFound("project")
  })
