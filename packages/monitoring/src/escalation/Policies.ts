/** The rules of escalation policies. */
import { maxPolicies, type PolicyDraft } from "@kanmon/domain/EscalationPolicy"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { type EscalationPolicyId, nextEscalationPolicyId, type OrganizationId } from "@kanmon/domain/Ids"
import { EscalationPolicyNotFound } from "@kanmon/domain/NotFound"
import { AuditLog } from "@kanmon/identity/audit"
import { OrganizationLock } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer, type Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { PolicyInUse, TooManyPolicies } from "./PolicyErrors.ts"
import { about, draftOf, type StoredPolicy } from "./PolicyRecords.ts"
import { PolicyReferences } from "./PolicyReferences.ts"
import { PolicyRepository } from "./PolicyRepository.ts"

/** Reads a change of a policy as a whole draft. */
export type Revision = (current: PolicyDraft) => Result.Result<PolicyDraft, InvalidFields>

export class Policies extends Context.Service<
  Policies,
  {
    /** By name. */
    readonly list: (id: OrganizationId, key?: string) => Effect.Effect<ReadonlyArray<StoredPolicy>>
    readonly get: (
      id: OrganizationId,
      policyId: EscalationPolicyId
    ) => Effect.Effect<StoredPolicy, EscalationPolicyNotFound>
    readonly create: (
      id: OrganizationId,
      draft: PolicyDraft
    ) => Effect.Effect<StoredPolicy, InvalidFields | KeyTaken | TooManyPolicies>
    readonly update: (
      id: OrganizationId,
      policyId: EscalationPolicyId,
      revise: Revision
    ) => Effect.Effect<StoredPolicy, EscalationPolicyNotFound | InvalidFields | KeyTaken>
    readonly remove: (
      id: OrganizationId,
      policyId: EscalationPolicyId
    ) => Effect.Effect<void, EscalationPolicyNotFound | PolicyInUse>
  }
>()("@kanmon/monitoring/escalation/Policies") {
  static readonly layer = Layer.effect(
    Policies,
    Effect.gen(function* () {
      const repository = yield* PolicyRepository
      const references = yield* PolicyReferences
      const lock = yield* OrganizationLock
      const audit = yield* AuditLog
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextEscalationPolicyId, SecureRandom.SecureRandom, random)

      const get: Policies["Service"]["get"] = Effect.fn("Policies.get")(function* (id, policyId) {
        return (yield* repository.find(id, policyId)) ?? (yield* new EscalationPolicyNotFound({ id: policyId }))
      })

      /** The lock of the organization keeps what the policy names from being deleted meanwhile. */
      const locked = Effect.fnUntraced(function* (id: OrganizationId, policyId: EscalationPolicyId) {
        yield* lock.hold(id)
        return (yield* repository.lock(id, policyId)) ?? (yield* new EscalationPolicyNotFound({ id: policyId }))
      })

      const create: Policies["Service"]["create"] = Effect.fn("Policies.create")(function* (id, draft) {
        yield* lock.hold(id)
        if ((yield* repository.count(id)) >= maxPolicies) return yield* new TooManyPolicies({ limit: maxPolicies })
        yield* references.admit(id, draft)
        const at = yield* Clock.currentTimeMillis
        const policy: StoredPolicy = { ...draft, id: yield* nextId, organizationId: id, createdAt: at, updatedAt: at }
        yield* repository.insert(policy)
        yield* audit.record([{ action: "escalation_policy.created", ...about(policy), after: draftOf(policy) }])
        return policy
      }, transaction.run)

      const update: Policies["Service"]["update"] = Effect.fn("Policies.update")(function* (id, policyId, revise) {
        const before = yield* locked(id, policyId)
        const draft = yield* Effect.fromResult(revise(draftOf(before)))
        yield* references.admit(id, draft, before)
        const policy: StoredPolicy = { ...before, ...draft, updatedAt: yield* Clock.currentTimeMillis }
        yield* repository.update(policy)
        const change = { before: draftOf(before), after: draftOf(policy) }
        yield* audit.record([{ action: "escalation_policy.updated", ...about(policy), ...change }])
        return policy
      }, transaction.run)

      const remove: Policies["Service"]["remove"] = Effect.fn("Policies.remove")(function* (id, policyId) {
        const policy = yield* locked(id, policyId)
        const users = yield* repository.rules(policyId)
        if (users.length > 0) return yield* new PolicyInUse({ users: users.map((name) => `the alert rule ${name}`) })
        yield* repository.remove(policyId)
        yield* audit.record([{ action: "escalation_policy.deleted", ...about(policy), before: draftOf(policy) }])
      }, transaction.run)

      return Policies.of({ list: repository.list, get, create, update, remove })
    })
  ).pipe(Layer.provide([PolicyRepository.layer, PolicyReferences.layer, OrganizationLock.layer]))
}
