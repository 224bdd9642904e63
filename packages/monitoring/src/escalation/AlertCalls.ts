/** Actions that speed up the escalation of an alert: the next step now, and pages to chosen people. */
import type { Alert } from "@kanmon/domain/Alert"
import { AlertConflict } from "@kanmon/domain/AlertHandling"
import { noPlan } from "@kanmon/domain/EscalationPolicy"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { AlertReference, ProjectId } from "@kanmon/domain/Ids"
import { AlertNotFound } from "@kanmon/domain/NotFound"
import { type EpochMillis, instant } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import type { Asked } from "@kanmon/protocol/AlertEscalationBody"
import { Clock, Context, Effect, Layer } from "effect"
import { AlertNames, HandlingRepository, type Responder } from "../alerts/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { EscalationRepository } from "./EscalationRepository.ts"
import { Escalations } from "./Escalations.ts"
import { PolicyReferences } from "./PolicyReferences.ts"
import { StepTargets } from "./StepTargets.ts"
import { TargetRepository } from "./TargetRepository.ts"

export class AlertCalls extends Context.Service<AlertCalls>()("@kanmon/monitoring/escalation/AlertCalls", {
  make: Effect.gen(function* () {
    const alerts = yield* HandlingRepository
    const repository = yield* EscalationRepository
    const escalations = yield* Escalations
    const references = yield* PolicyReferences
    const targets = yield* StepTargets
    const records = yield* TargetRepository
    const nameOf = yield* AlertNames.make
    const audit = yield* AuditLog
    const transaction = yield* Transaction

    /** An alert that is not over, locked. */
    const locked = Effect.fnUntraced(function* (projectId: ProjectId, id: AlertReference, at: EpochMillis) {
      const alert = yield* alerts.lock(projectId, id, at)
      if (alert === undefined) return yield* new AlertNotFound({ id })
      if (alert.resolvedAt !== null)
        return yield* new AlertConflict({ detail: `The alert was resolved at ${instant(alert.resolvedAt)}` })
      return alert
    })

    const record = Effect.fnUntraced(function* (
      alert: Alert,
      action: "alert.escalated" | "alert.paged",
      after: Readonly<Record<string, string | number | null>>
    ) {
      const { id, projectId } = alert
      const name = yield* nameOf(alert)
      yield* audit.record([{ action, target: { id, name }, projectId, before: {}, after }])
    })

    /** Runs the step that the caller saw as the next; returns whether it had not run before. Joins the caller's transaction. */
    const escalateSeen = Effect.fn("AlertCalls.escalateSeen")(function* (
      projectId: ProjectId,
      id: AlertReference,
      step: number,
      by: Responder
    ) {
      const at = yield* Clock.currentTimeMillis
      const alert = yield* locked(projectId, id, at)
      const isNew = yield* escalations.escalate(alert, step, by, at)
      if (isNew) yield* record(alert, "alert.escalated", { step })
      return isNew
    })

    /** The same for one alert, which is returned as it is then. */
    const escalate = Effect.fn("AlertCalls.escalate")(function* (
      projectId: ProjectId,
      id: AlertReference,
      step: number,
      by: Responder
    ) {
      yield* escalateSeen(projectId, id, step, by)
      return (yield* alerts.find(projectId, id, yield* Clock.currentTimeMillis)) ?? (yield* new AlertNotFound({ id }))
    }, transaction.run)

    /** Pages those who are asked for, until they answer themselves. */
    const page = Effect.fn("AlertCalls.page")(function* (
      projectId: ProjectId,
      id: AlertReference,
      asked: Asked,
      by: Responder
    ) {
      const at = yield* Clock.currentTimeMillis
      const alert = yield* locked(projectId, id, at)
      const { note, ...target } = asked
      const organizationId = yield* repository.organizationOf(projectId)
      const step = { afterMinutes: 0, notify: [target] }
      yield* references.admit(organizationId, { ...noPlan, steps: [step] }).pipe(Effect.mapError(inBody))
      const found = yield* targets.of({ organizationId, severity: alert.severity }, [target], at)
      const people = found.people.filter(({ entries }) => entries.length > 0)
      if (people.length === 0) return yield* new AlertConflict({ detail: whyNobody(asked, found.named.length) })
      const reachable = new Set(people.map(({ userId }) => userId))
      const name = yield* records.nameOf(target)
      yield* escalations.ask(alert, people, { target: name, note }, by, at)
      yield* record(alert, "alert.paged", { ...target, note })
      return { userIds: [...reachable], unreachable: found.named.filter((userId) => !reachable.has(userId)) }
    }, transaction.run)

    return { escalate, escalateSeen, page }
  })
}) {
  static readonly layer = Layer.effect(AlertCalls, AlertCalls.make).pipe(
    Layer.provide([
      EscalationRepository.layer,
      HandlingRepository.layer,
      PolicyReferences.layer,
      RegistryRepository.layer,
      StepTargets.layer,
      TargetRepository.layer
    ])
  )
}

/** The errors of a policy with this one target, as those of the body. */
const inBody = ({ errors }: InvalidFields) =>
  new InvalidFields({ errors: errors.map(({ message, path }) => ({ path: path.split(".").at(-1) ?? path, message })) })

const whyNobody = ({ scheduleId, userId }: Asked, named: number): string => {
  if (named === 0)
    return scheduleId === undefined ? "The team has no members" : "No one is on call in this schedule now"
  return userId === undefined
    ? "None of them can be reached: they are away, may not respond, or have no confirmed contact method for this severity"
    : "This person cannot be reached: they are away, or have no confirmed contact method for this severity"
}
