/** Integrations of a project: created, changed, deleted, with addresses that are shown once. */
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { type IntegrationId, nextIntegrationId, type ProjectId } from "@kanmon/domain/Ids"
import type { Integration } from "@kanmon/domain/Integration"
import { IntegrationNotFound } from "@kanmon/domain/NotFound"
import { AuditLog } from "@kanmon/identity/audit"
import { hashToken, newInboundToken } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import * as IntegrationBody from "@kanmon/protocol/IntegrationBody"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { ExternalAlerts } from "../alerts/index.ts"
import { IntegrationRepository } from "./IntegrationRepository.ts"

/** The largest number of integrations of a project. */
const most = 50

export class Integrations extends Context.Service<Integrations>()("@kanmon/monitoring/integrations/Integrations", {
  make: Effect.gen(function* () {
    const repository = yield* IntegrationRepository
    const alerts = yield* ExternalAlerts
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextIntegrationId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("Integrations.get")(function* (projectId: ProjectId, id: IntegrationId) {
      return (yield* repository.find(projectId, id)) ?? (yield* new IntegrationNotFound({ id }))
    })

    const locked = Effect.fnUntraced(function* (projectId: ProjectId, id: IntegrationId) {
      return (yield* repository.lock(projectId, id)) ?? (yield* new IntegrationNotFound({ id }))
    })

    /** Refuses a rule of another project, and one for monitors. */
    const admit = Effect.fnUntraced(function* (projectId: ProjectId, { ruleId }: IntegrationBody.IntegrationDraft) {
      const triggers = yield* repository.triggersOf(projectId, ruleId)
      if (triggers === undefined) return yield* invalid("ruleId", `This project has no ${ruleId}`)
      if (!triggers.includes("external"))
        return yield* invalid("ruleId", "Expected a rule with the trigger external: this one is for monitors")
    })

    const create = Effect.fn("Integrations.create")(function* (
      projectId: ProjectId,
      draft: IntegrationBody.IntegrationDraft
    ) {
      const id = yield* nextId
      const token = newInboundToken()
      const at = yield* Clock.currentTimeMillis
      if ((yield* repository.countLocked(projectId)) >= most)
        return yield* invalid("", `Expected at most ${most} integrations in a project`)
      yield* admit(projectId, draft)
      const integration = yield* repository.insert(projectId, id, draft, hashToken(token), at)
      yield* audit.record([{ action: "integration.created", ...about(integration), after: audited(integration) }])
      return { integration, token }
    }, transaction.run)

    const update = Effect.fn("Integrations.update")(function* (projectId: ProjectId, id: IntegrationId, body: object) {
      const current = yield* locked(projectId, id)
      const draft = yield* Effect.fromResult(IntegrationBody.decode(IntegrationBody.merge(current, body)))
      if (draft.ruleId !== current.ruleId) yield* admit(projectId, draft)
      const updated = yield* repository.update(current, draft, yield* Clock.currentTimeMillis)
      const [before, after] = [audited(current), audited(updated)]
      yield* audit.record([{ action: "integration.updated", ...about(updated), before, after }])
      return updated
    }, transaction.run)

    const remove = Effect.fn("Integrations.remove")(function* (projectId: ProjectId, id: IntegrationId) {
      const integration = yield* locked(projectId, id)
      yield* alerts.cancel(id, yield* Clock.currentTimeMillis)
      yield* repository.remove(id)
      yield* audit.record([{ action: "integration.deleted", ...about(integration), before: audited(integration) }])
    }, transaction.run)

    /** Makes a new address, which replaces the older one. */
    const rotate = Effect.fn("Integrations.rotate")(function* (projectId: ProjectId, id: IntegrationId) {
      yield* locked(projectId, id)
      const token = newInboundToken()
      const integration = yield* repository.rotate(id, hashToken(token), yield* Clock.currentTimeMillis)
      yield* audit.record([{ action: "integration.token_rotated", ...about(integration), before: {}, after: {} }])
      return { integration, token }
    }, transaction.run)

    const bodies = Effect.fn("Integrations.bodies")(function* (projectId: ProjectId, id: IntegrationId) {
      yield* get(projectId, id)
      return yield* repository.bodies(id)
    })

    return { list: repository.list, get, create, update, remove, rotate, bodies }
  })
}) {
  static readonly layer = Layer.effect(Integrations, Integrations.make)
}

const invalid = (path: string, message: string) => new InvalidFields({ errors: [{ path, message }] })

const about = ({ id, name, projectId }: Integration) => ({ target: { id, name }, projectId })

/** The fields that people set. */
const audited = ({ key, mapping, name, quietAfterMinutes, resolveAfterMinutes, ruleId, type }: Integration) => ({
  key,
  name,
  type,
  ruleId,
  mapping,
  resolveAfterMinutes,
  quietAfterMinutes
})
