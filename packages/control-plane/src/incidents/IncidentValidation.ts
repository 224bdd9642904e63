/** Checks the body of an incident against what only the installation knows: monitors, recurrences, the current state. */
import { BoundedEvaluator, EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { type Incident, timelineObjection } from "@kanmon/domain/Incident"
import type { ProjectId } from "@kanmon/domain/Ids"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { AlertRules } from "../alerts/index.ts"
import { Recurrence } from "../maintenance/index.ts"

type Change = IncidentBody.IncidentChange

export const make = Effect.gen(function* () {
  const rules = yield* AlertRules
  const evaluator = yield* BoundedEvaluator

  /** A recurrence that was accepted before is not evaluated again. */
  const recurrenceErrors = Effect.fnUntraced(function* (
    projectId: ProjectId,
    draft: Change["draft"],
    before?: Incident
  ) {
    const { recurrence, scheduledEnd, scheduledStart, timezone } = draft
    if (recurrence === null || timezone === null || scheduledStart === null || scheduledEnd === null) return []
    if (before?.recurrence === recurrence && before.timezone === timezone) return []
    if (!Recurrence.isTimezone(timezone))
      return [{ path: "timezone", message: "Expected an IANA time zone such as Europe/Berlin" }]
    const message = yield* Recurrence.objection(
      { rule: recurrence, timezone, start: scheduledStart },
      scheduledEnd - scheduledStart
    ).pipe(
      Effect.provideService(EvaluationOwner, projectId),
      Effect.provideService(BoundedEvaluator, evaluator),
      Effect.mapError(() => evaluatorBusy)
    )
    return message === undefined ? [] : [{ path: "recurrence", message }]
  })

  /** New monitors must belong to the project; an incident may keep monitors that were deleted since. */
  const monitorErrors = Effect.fnUntraced(function* (projectId: ProjectId, draft: Change["draft"], current?: Incident) {
    const unknown = yield* rules.unknownMonitors(projectId, draft.monitorIds)
    return draft.monitorIds.flatMap((id, index): ReadonlyArray<FieldError> =>
      unknown.has(id) && !current?.monitorIds.includes(id)
        ? [{ path: `monitorIds[${index}]`, message: `This project has no ${id}` }]
        : []
    )
  })

  /** Decodes and checks the body of a new incident. */
  const onCreate = Effect.fnUntraced(function* (projectId: ProjectId, payload: unknown) {
    const body = yield* Effect.fromResult(IncidentBody.decodeNew(payload))
    const recurrence = yield* recurrenceErrors(projectId, body.draft)
    yield* refuse([...(yield* monitorErrors(projectId, body.draft)), ...recurrence])
    return body
  })

  /**
   * Returns the check of a change, to be run on the incident under its lock. The recurrence is evaluated before, since
   * that may take time.
   */
  const onUpdate = Effect.fnUntraced(function* (before: Incident, payload: unknown) {
    const decode = (current: Incident) => Effect.fromResult(IncidentBody.decode(IncidentBody.merge(current, payload)))
    const recurrence = yield* recurrenceErrors(before.projectId, (yield* decode(before)).draft, before)
    return Effect.fnUntraced(function* (current: Incident) {
      const body = yield* decode(current)
      const monitors = yield* monitorErrors(current.projectId, body.draft, current)
      yield* refuse([...monitors, ...stateErrors(current, body), ...recurrence])
      return body
    })
  })

  return { onCreate, onUpdate }
})

const stateErrors = (current: Incident, { draft, message }: Change): ReadonlyArray<FieldError> => {
  const full = timelineObjection(current, { status: draft.status, message })
  return [
    ...(draft.maintenance === current.maintenance
      ? []
      : [{ path: "maintenance", message: "Cannot be changed: delete this incident and create another" }]),
    ...(full === undefined ? [] : [{ path: message === undefined ? "status" : "message", message: full }])
  ]
}

const refuse = (errors: ReadonlyArray<FieldError>) =>
  errors.length === 0 ? Effect.void : Effect.fail(new InvalidFields({ errors }))

const evaluatorBusy = new Problem({
  code: "unavailable",
  detail: "The recurrence could not be evaluated now; try again in a few seconds",
  retryAfter: 5
})
