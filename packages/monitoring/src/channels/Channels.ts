/** Notification channels. Their configuration is stored encrypted; the reader decides which fields to show. */
import { type ChannelId, nextChannelId, type ProjectId } from "@kanmon/domain/Ids"
import { ChannelNotFound } from "@kanmon/domain/NotFound"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import * as ChannelAudit from "./ChannelAudit.ts"
import { ChannelInUse, ChannelPolicies, ChannelUse } from "./ChannelHooks.ts"
import { type ChannelDraft, confirmationOfAll, type RecipientStates, type StoredChannel } from "./ChannelRecords.ts"
import { ChannelRepository } from "./ChannelRepository.ts"
import { ConfirmationRepository } from "./ConfirmationRepository.ts"

export class Channels extends Context.Service<Channels>()("@kanmon/monitoring/channels/Channels", {
  make: Effect.gen(function* () {
    const repository = yield* ChannelRepository
    const use = yield* ChannelUse
    const policies = yield* ChannelPolicies
    const confirmations = yield* ConfirmationRepository
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextChannelId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("Channels.get")(function* (projectId: ProjectId, id: ChannelId) {
      return (yield* repository.find(projectId, id)) ?? (yield* new ChannelNotFound({ id }))
    })

    /** Rules that notify every channel notify the new one of the alerts that are open. */
    const create = Effect.fn("Channels.create")(function* (projectId: ProjectId, draft: ChannelDraft) {
      const id = yield* nextId
      const at = yield* Clock.currentTimeMillis
      const { confirmation = "not_needed", key = null, quietHours = null, recipients = {} } = draft
      return yield* transaction.run(
        Effect.gen(function* () {
          const channel = yield* repository.insert(
            projectId,
            id,
            { ...draft, key, quietHours, confirmation, recipients },
            at
          )
          yield* use.added(projectId)
          yield* audit.record(yield* ChannelAudit.changeOf("channel.created", undefined, channel))
          return channel
        })
      )
    })

    /** Reads, changes and writes under a row lock. A change of the configuration enables a disabled channel. */
    const update = <E>(
      projectId: ProjectId,
      id: ChannelId,
      change: (current: StoredChannel) => Effect.Effect<ChannelDraft, E>
    ) =>
      transaction
        .run(
          Effect.gen(function* () {
            const current = yield* repository.lock(projectId, id)
            if (current === undefined) return yield* new ChannelNotFound({ id })
            const draft = yield* change(current)
            const at = yield* Clock.currentTimeMillis
            if (draft.confirmation !== undefined) {
              const { confirmation, recipients = {} } = draft
              const whole = confirmationOfAll(Object.values(recipients))
              const dated = {
                confirmation,
                confirmedAt: confirmation === "confirmed" ? (whole.confirmedAt ?? at) : null
              }
              yield* repository.setConfirmations(id, dated, recipients)
              yield* confirmations.deleteCodes(id, pendingOf(recipients))
            }
            const { key = current.key, quietHours = current.quietHours } = draft
            const complete = { ...draft, key, quietHours }
            const updated = yield* repository.update(id, complete, isReconfigured(current, draft), at)
            yield* audit.record(yield* ChannelAudit.changeOf("channel.updated", current, updated))
            return updated
          })
        )
        .pipe(Effect.withSpan("Channels.update"))

    /** Deletes the channel, its pending deliveries, and its references in rules. */
    const remove = Effect.fn("Channels.remove")((projectId: ProjectId, id: ChannelId) =>
      transaction.run(
        Effect.gen(function* () {
          const users = yield* policies.users(projectId, id)
          const channel = yield* repository.lock(projectId, id)
          if (channel === undefined) return yield* new ChannelNotFound({ id })
          if (users.length > 0) return yield* new ChannelInUse({ users })
          yield* repository.remove(projectId, id)
          yield* audit.record(yield* ChannelAudit.changeOf("channel.deleted", channel, undefined))
          yield* use.removed(projectId, id, "The channel was deleted")
        })
      )
    )

    /** Switches the channels of a project off that are on. `reason` continues "The channel is switched off: …". */
    const disableAll = Effect.fn("Channels.disableAll")(function* (projectId: ProjectId, reason: string) {
      const at = yield* Clock.currentTimeMillis
      for (const channel of yield* repository.disableAll(projectId, reason, at))
        yield* audit.record(
          yield* ChannelAudit.changeOf("channel.updated", { ...channel, disabledReason: null }, channel)
        )
    }, transaction.run)

    /** The ids that are not channels of this project. */
    const unknown = Effect.fn("Channels.unknown")(function* (projectId: ProjectId, ids: ReadonlyArray<ChannelId>) {
      if (ids.length === 0) return new Set<ChannelId>()
      const known = new Set(yield* repository.findIds(projectId, ids))
      return new Set(ids.filter((id) => !known.has(id)))
    })

    const { exist, list, setLastDelivery: noteDelivery } = repository
    return {
      /** Whether any project has a channel. */
      exist,
      list,
      get,
      create,
      update,
      remove,
      disableAll,
      /** Stores the result of an attempt outside the delivery queue. */
      noteDelivery,
      unknown
    }
  })
}) {
  static readonly layer = Layer.effect(Channels, Channels.make)
}

const isReconfigured = (current: StoredChannel, draft: ChannelDraft): boolean =>
  draft.type !== current.type || JSON.stringify(draft.config) !== JSON.stringify(current.config)

const pendingOf = (recipients: RecipientStates): ReadonlyArray<string> =>
  Object.entries(recipients).flatMap(([recipient, { confirmation }]) => (confirmation === "pending" ? recipient : []))
