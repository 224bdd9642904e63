/**
 * Alert rules. A change or deletion of a rule closes, without a notification, the open alerts that it no longer covers. A new
 * or changed rule waits to be compared with the current state of its monitors. Rules decide how often a failed check is
 * repeated, so every change is sent to the probes of monitors that do so.
 */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import { type MonitorId, nextRuleId, type ProjectId, type RuleId } from "@kanmon/domain/Ids"
import { RuleNotFound } from "@kanmon/domain/NotFound"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import * as AlertCancelling from "./AlertCancelling.ts"
import type { RuleDraft } from "./RuleRecords.ts"
import { RegistryRepository } from "../registry/index.ts"
import { SpecUpdates } from "../specs/index.ts"
import { RuleRepository } from "./RuleRepository.ts"

export type { RuleDraft } from "./RuleRecords.ts"

/** Integrations have the rule. */
export class RuleInUse extends Data.TaggedError("RuleInUse")<{ readonly integrations: ReadonlyArray<string> }> {}

export class AlertRules extends Context.Service<AlertRules>()("@kanmon/monitoring/alerts/AlertRules", {
  make: Effect.gen(function* () {
    const repository = yield* RuleRepository
    const registry = yield* RegistryRepository
    const cancel = yield* AlertCancelling.make
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const specs = yield* SpecUpdates
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextRuleId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("AlertRules.get")(function* (projectId: ProjectId, id: RuleId) {
      return (yield* repository.find(projectId, id)) ?? (yield* new RuleNotFound({ id }))
    })

    /** Refuses a rule that integrations have. */
    const unused = Effect.fnUntraced(function* (id: RuleId) {
      const integrations = yield* repository.integrationsWith(id)
      if (integrations.length > 0) return yield* new RuleInUse({ integrations })
    })

    const updateRetries = (projectId: ProjectId) => Effect.flatMap(registry.retrying(projectId), specs.append)

    const create = Effect.fn("AlertRules.create")(function* (projectId: ProjectId, draft: RuleDraft) {
      const id = yield* nextId
      const at = yield* Clock.currentTimeMillis
      return yield* transaction.run(
        Effect.gen(function* () {
          const rule = yield* repository.insert(projectId, id, draft, at)
          yield* updateRetries(projectId)
          yield* audit.record([{ action: "alert_rule.created", ...about(rule), after: audited(rule) }])
          return rule
        })
      )
    })

    const update = <E>(projectId: ProjectId, id: RuleId, change: (current: AlertRule) => Effect.Effect<RuleDraft, E>) =>
      transaction
        .run(
          Effect.gen(function* () {
            const current = yield* repository.lock(projectId, id)
            if (current === undefined) return yield* new RuleNotFound({ id })
            const draft = yield* change(current)
            if (current.triggers.includes("external") && !draft.triggers.includes("external")) yield* unused(id)
            const at = yield* Clock.currentTimeMillis
            const next = {
              ...draft,
              tags: draft.tags ?? current.tags,
              escalationPolicyId:
                draft.escalationPolicyId === undefined ? current.escalationPolicyId : draft.escalationPolicyId,
              severity: draft.severity ?? current.severity
            }
            const updated = yield* repository.update(
              id,
              { ...next, key: draft.key === undefined ? current.key : draft.key },
              at
            )
            yield* updateRetries(projectId)
            yield* cancel(
              { _tag: "Uncovered", id, rule: next },
              at,
              "The rule no longer covers this monitor or trigger"
            )
            const [before, after] = [audited(current), audited(updated)]
            yield* audit.record([{ action: "alert_rule.updated", ...about(updated), before, after }])
            return updated
          })
        )
        .pipe(Effect.withSpan("AlertRules.update"))

    const remove = Effect.fn("AlertRules.remove")((projectId: ProjectId, id: RuleId) =>
      transaction.run(
        Effect.gen(function* () {
          const rule = yield* repository.lock(projectId, id)
          if (rule === undefined) return yield* new RuleNotFound({ id })
          yield* unused(id)
          yield* repository.remove(projectId, id)
          yield* audit.record([{ action: "alert_rule.deleted", ...about(rule), before: audited(rule) }])
          yield* updateRetries(projectId)
          yield* cancel({ _tag: "Rule", id }, yield* Clock.currentTimeMillis, "The rule was deleted")
        })
      )
    )

    /** The ids that are not monitors of this project. */
    const unknownMonitors = Effect.fn("AlertRules.unknownMonitors")(function* (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>
    ) {
      const known = yield* registry.existing(projectId, ids)
      return new Set(ids.filter((id) => !known.has(id)))
    })

    return { list: repository.list, get, create, update, remove, unknownMonitors }
  })
}) {
  static readonly layer = Layer.effect(AlertRules, AlertRules.make)
}

const about = ({ id, name, projectId }: AlertRule) => ({ target: { id, name }, projectId })

/** Without the first trigger, which the list of triggers has. */
const audited = ({ trigger: _, ...rule }: AlertRule) => rule
