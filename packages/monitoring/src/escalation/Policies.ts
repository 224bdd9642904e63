/** The rules of escalation policies. */
import { maxPolicies, type PolicyDraft } from "@kanmon/domain/EscalationPolicy"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { type EscalationPolicyId, nextEscalationPolicyId, type OrganizationId } from "@kanmon/domain/Ids"
import { EscalationPolicyNotFound } from "@kanmon/domain/NotFound"
import { AuditLog } from "@kanmon/identity/audit"
import { OrganizationLock } from "@kanmon/identity/organizations"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Data, Effect, Layer, type Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { about, draftOf, type StoredPolicy } from "./PolicyRecords.ts"
import { PolicyReferences } from "./PolicyReferences.ts"
import { PolicyRepository } from "./PolicyRepository.ts"

/** The organization has as many policies as it may. */
export class TooManyPolicies extends Data.TaggedError("TooManyPolicies")<{ readonly limit: number }> {}

/** Something uses the policy; `users` names it. */
export class PolicyInUse extends Data.TaggedError("PolicyInUse")<{ readonly users: ReadonlyArray<string> }> {}

/** Reads a change of a policy as a whole draft. */
export type Revision = (current: PolicyDraft) => Result.Result<PolicyDraft, InvalidFields>

export class Policies extends Context.Service<Policies>()("@kanmon/monitoring/escalation/Policies", {
  make: Effect.gen(function* () {
    const repository = yield* PolicyRepository
    const references = yield* PolicyReferences
    const lock = yield* OrganizationLock
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextEscalationPolicyId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("Policies.get")(function* (id: OrganizationId, policyId: EscalationPolicyId) {
      return (yield* repository.find(id, policyId)) ?? (yield* new EscalationPolicyNotFound({ id: policyId }))
    })

    /** The lock of the organization keeps what the policy names from being deleted meanwhile. */
    const locked = Effect.fnUntraced(function* (id: OrganizationId, policyId: EscalationPolicyId) {
      yield* lock.hold(id)
      return (yield* repository.lock(id, policyId)) ?? (yield* new EscalationPolicyNotFound({ id: policyId }))
    })

    const create = Effect.fn("Policies.create")(function* (id: OrganizationId, draft: PolicyDraft) {
      yield* lock.hold(id)
      if ((yield* repository.count(id)) >= maxPolicies) return yield* new TooManyPolicies({ limit: maxPolicies })
      yield* references.admit(id, draft)
      const at = yield* Clock.currentTimeMillis
      const policy: StoredPolicy = { ...draft, id: yield* nextId, organizationId: id, createdAt: at, updatedAt: at }
      yield* repository.insert(policy)
      yield* audit.record([{ action: "escalation_policy.created", ...about(policy), after: draftOf(policy) }])
      return policy
    }, transaction.run)

    const update = Effect.fn("Policies.update")(function* (
      id: OrganizationId,
      policyId: EscalationPolicyId,
      revise: Revision
    ) {
      const before = yield* locked(id, policyId)
      const draft = yield* Effect.fromResult(revise(draftOf(before)))
      yield* references.admit(id, draft, before)
      const policy: StoredPolicy = { ...before, ...draft, updatedAt: yield* Clock.currentTimeMillis }
      yield* repository.update(policy)
      const change = { before: draftOf(before), after: draftOf(policy) }
      yield* audit.record([{ action: "escalation_policy.updated", ...about(policy), ...change }])
      return policy
    }, transaction.run)

    const remove = Effect.fn("Policies.remove")(function* (id: OrganizationId, policyId: EscalationPolicyId) {
      const policy = yield* locked(id, policyId)
      const users = yield* repository.rules(policyId)
      if (users.length > 0) return yield* new PolicyInUse({ users: users.map((name) => `the alert rule ${name}`) })
      yield* repository.remove(policyId)
      yield* audit.record([{ action: "escalation_policy.deleted", ...about(policy), before: draftOf(policy) }])
    }, transaction.run)

    return {
      /** By name. */
      list: repository.list,
      get,
      /** The channels that alert rules with these policies notify by themselves. */
      toldByRules: repository.toldByRules,
      create,
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Policies, Policies.make).pipe(
    Layer.provide([PolicyRepository.layer, PolicyReferences.layer, OrganizationLock.layer])
  )
}
