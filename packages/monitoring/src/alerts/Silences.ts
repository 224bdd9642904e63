/** Silences. Suppressed notifications are sent when a silence ends: see `OpenAlerts.release`. */
import type { AlertActor } from "@kanmon/domain/Alert"
import { nextSilenceId, type ProjectId, type SilenceId } from "@kanmon/domain/Ids"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { SilenceNotFound } from "@kanmon/domain/NotFound"
import type { Silence } from "@kanmon/domain/Silence"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { RegistryRepository } from "../registry/index.ts"
import { SilenceRepository } from "./SilenceRepository.ts"

/** The fields of a silence that a user sets. */
type SilenceDraft = Pick<Silence, "monitorIds" | "tags" | "until" | "reason">

export class Silences extends Context.Service<Silences>()("@kanmon/monitoring/alerts/Silences", {
  make: Effect.gen(function* () {
    const repository = yield* SilenceRepository
    const registry = yield* RegistryRepository
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom

    const create = Effect.fn("Silences.create")(function* (projectId: ProjectId, draft: SilenceDraft, by: AlertActor) {
      const known = yield* registry.existing(projectId, draft.monitorIds)
      const errors = draft.monitorIds.flatMap((id, index) =>
        known.has(id) ? [] : [{ path: `monitorIds[${index}]`, message: `This project has no ${id}` }]
      )
      if (errors.length > 0) return yield* new InvalidFields({ errors })
      const id = yield* Effect.provideService(nextSilenceId, SecureRandom.SecureRandom, random)
      const silence = { ...draft, id, projectId, createdBy: by, createdAt: yield* Clock.currentTimeMillis }
      yield* repository.insert(silence)
      yield* audit.record([
        { action: "silence.created", target: { id, name: draft.reason ?? "" }, projectId, after: audited(draft) }
      ])
      return silence
    }, transaction.run)

    const remove = Effect.fn("Silences.remove")(function* (projectId: ProjectId, id: SilenceId) {
      const removed = yield* repository.remove(projectId, id)
      if (removed === undefined) return yield* new SilenceNotFound({ id })
      yield* audit.record([
        {
          action: "silence.deleted",
          target: { id, name: removed.reason ?? "" },
          projectId,
          before: audited(removed)
        }
      ])
    }, transaction.run)

    return {
      /** The silences of a project that have not ended, newest first. */
      list: (projectId: ProjectId, options: PageOptions) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => repository.list(projectId, at, options)),
      create,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Silences, Silences.make)
}

const audited = ({ monitorIds, reason, tags, until }: SilenceDraft) => ({
  monitorIds,
  tags,
  until: toIso(until),
  reason
})
