/**
 * Checks the body of an incident against what only the installation knows: monitors, recurrences, the current state. A series
 * becomes its first window that is not over.
 */
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { type Incident, type MaintenanceSeries, timelineObjection } from "@kanmon/domain/Incident"
import type { ProjectId } from "@kanmon/domain/Ids"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import { Clock, Effect, Result } from "effect"
import { AlertRules } from "../alerts/index.ts"
import { Recurrence } from "../maintenance/index.ts"

type Change = IncidentBody.IncidentChange

export const make = Effect.gen(function* () {
  const rules = yield* AlertRules

  /** A recurrence that was accepted before is not evaluated again. */
  const recurrenceErrors = ({ draft, series }: Change, before?: Incident): ReadonlyArray<FieldError> => {
    const { recurrence, timezone } = draft
    const [start, end] = [series?.start ?? draft.scheduledStart, series?.end ?? draft.scheduledEnd]
    if (recurrence === null || timezone === null || start === null || end === null) return []
    if (series === undefined && before?.recurrence === recurrence && before.timezone === timezone) return []
    if (!Recurrence.isTimezone(timezone))
      return [{ path: "timezone", message: "Expected an IANA time zone such as Europe/Berlin" }]
    const message = Recurrence.objection({ rule: recurrence, timezone, start }, end - start)
    return message === undefined ? [] : [{ path: "recurrence", message }]
  }

  /** The first window of a usable series that is not over; its first one if all are over. */
  const windowOf = Effect.fnUntraced(function* (
    { recurrence, timezone }: Change["draft"],
    { end, start }: MaintenanceSeries
  ) {
    const now = yield* Clock.currentTimeMillis
    if (end > now || recurrence === null || timezone === null) return { scheduledStart: start, scheduledEnd: end }
    const millis = end - start
    const found = Recurrence.next({ rule: recurrence, timezone, start }, now - millis)
    const at = Result.getOrElse(found, () => undefined) ?? start
    return { scheduledStart: at, scheduledEnd: at + millis }
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
    const recurrence = recurrenceErrors(body)
    yield* refuse([...(yield* monitorErrors(projectId, body.draft)), ...recurrence])
    const { draft, message, series } = body
    if (series === undefined) return { draft, message, series }
    const window = yield* windowOf(draft, series)
    return { draft: { ...draft, ...window }, message, series: lengthOf(series) }
  })

  /**
   * Returns the check of a change, to be run on the incident under its lock. The recurrence is evaluated before, since
   * that may take time.
   */
  const onUpdate = Effect.fnUntraced(function* (before: Incident, payload: unknown) {
    const decode = (current: Incident) => Effect.fromResult(IncidentBody.decode(IncidentBody.merge(current, payload)))
    const first = yield* decode(before)
    const recurrence = recurrenceErrors(first, before)
    const window = first.series === undefined || recurrence.length > 0 ? {} : yield* windowOf(first.draft, first.series)
    return Effect.fnUntraced(function* (current: Incident) {
      const body = yield* decode(current)
      const monitors = yield* monitorErrors(current.projectId, body.draft, current)
      yield* refuse([...monitors, ...stateErrors(current, body), ...recurrence])
      const { announcement, draft, message, series } = body
      if (series === undefined) return { announcement, draft, message }
      return { announcement, draft: { ...draft, ...window }, message, series: lengthOf(series) }
    })
  })

  return { onCreate, onUpdate }
})

const lengthOf = ({ end, start }: MaintenanceSeries) => ({ start, millis: end - start })

const stateErrors = (current: Incident, { announcement, draft, message }: Change): ReadonlyArray<FieldError> => {
  const full = timelineObjection(current, { status: draft.status, message })
  const rest = { status: draft.status, updates: current.updates.slice(0, -1) }
  const long =
    announcement === undefined ? undefined : timelineObjection(rest, { status: draft.status, message: announcement })
  return [
    ...(draft.maintenance === current.maintenance
      ? []
      : [{ path: "maintenance", message: "Cannot be changed: delete this incident and create another" }]),
    ...(full === undefined ? [] : [{ path: message === undefined ? "status" : "message", message: full }]),
    ...(long === undefined ? [] : [{ path: "announcement", message: long }])
  ]
}

const refuse = (errors: ReadonlyArray<FieldError>) =>
  errors.length === 0 ? Effect.void : Effect.fail(new InvalidFields({ errors }))
