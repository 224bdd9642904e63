/**
 * Applies new and changed rules to the current status of monitors, so that an ongoing outage alerts immediately, not with the
 * next failing check.
 */
import type { Trigger } from "@kanmon/domain/AlertRule"
import { Effect, Layer } from "effect"
import { type Alerts, isRuleReviewDue, RuleReviewRepository } from "../alerts/index.ts"
import { DomainRegistrationWorker, type DomainRegistrations } from "../domain-registrations/index.ts"
import { DueWork } from "@kanmon/platform/DueWork"
import { Transaction } from "@kanmon/platform/Transaction"
import { Evaluation } from "./Evaluation.ts"
import { EvaluationRepository } from "./EvaluationRepository.ts"

const page = 500

/** Reviews a page of monitors of the next rule; returns the rule's triggers, or undefined when no rule waits. */
const reviewPage = Effect.gen(function* () {
  const reviews = yield* RuleReviewRepository
  const repository = yield* EvaluationRepository
  const evaluation = yield* Evaluation
  const rule = yield* reviews.lockNext
  if (rule === undefined) return undefined
  const ids = yield* repository.findAlertable({ ...rule, limit: page })
  yield* reviews.proceed(rule.id, ids.length < page ? undefined : ids.at(-1))
  yield* evaluation.reviewAlerts(ids)
  return rule.triggers
})

/** Reviews every rule that waits for it. */
export const look = Effect.gen(function* () {
  const transaction = yield* Transaction
  const reviewed = new Set<Trigger>()
  for (;;) {
    const triggers = yield* transaction.run(reviewPage)
    if (triggers === undefined) break
    for (const trigger of triggers) reviewed.add(trigger)
  }
  if ([...reviewed].some((trigger) => trigger.startsWith("domain"))) yield* DomainRegistrationWorker.decide
})

export const layer: Layer.Layer<
  never,
  never,
  Alerts | DomainRegistrations | DueWork | Evaluation | EvaluationRepository | RuleReviewRepository | Transaction
> = Layer.effectDiscard(Effect.flatMap(DueWork, ({ watch }) => watch(isRuleReviewDue, "Review of alert rules", look)))
