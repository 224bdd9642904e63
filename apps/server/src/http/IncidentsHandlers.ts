/** Incidents and maintenance windows over HTTP: each handler only translates. */
import { BoundedEvaluator, EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import type { FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { Incident, timelineObjection } from "@kanmon/domain/Incident"
import type { ProjectId } from "@kanmon/domain/Ids"
import * as Recurrence from "@kanmon/engine/maintenance/Recurrence"
import { Api } from "@kanmon/protocol/Api"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { AlertRules } from "@kanmon/store/alerts/AlertRules"
import { type IncidentNotFound, Incidents } from "@kanmon/store/incidents/Incidents"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as Paging from "./Paging.ts"
import * as Quotas from "./Quotas.ts"

const encode = Schema.encodeSync(Incident)

export const layer = HttpApiBuilder.group(
  Api,
  "incidents",
  Effect.fnUntraced(function* (handlers) {
    const incidents = yield* Incidents
    const rules = yield* AlertRules
    const settings = yield* ApiSettings
    const evaluator = yield* BoundedEvaluator
    const within = yield* Quotas.make

    /** A rule that was accepted once is not looked at again when only the words change. */
    const recurrenceErrors = Effect.fnUntraced(function* (
      projectId: ProjectId,
      { recurrence, scheduledEnd, scheduledStart, timezone }: IncidentBody.IncidentChange["draft"],
      current?: Incident
    ) {
      if (recurrence === null || timezone === null || scheduledStart === null || scheduledEnd === null) return []
      if (current?.recurrence === recurrence && current.timezone === timezone) return []
      if (!Recurrence.isTimezone(timezone))
        return [{ path: "timezone", message: "Expected an IANA time zone such as Europe/Berlin" }]
      const message = yield* Recurrence.objection(
        { rule: recurrence, timezone, start: scheduledStart },
        scheduledEnd - scheduledStart
      ).pipe(
        Effect.provideService(EvaluationOwner, projectId),
        Effect.provideService(BoundedEvaluator, evaluator),
        Effect.mapError(() => tooBusy)
      )
      return message === undefined ? [] : [{ path: "recurrence", message }]
    })

    /** Monitors have to be the project's own; an incident may go on naming what has been deleted since. */
    const check = Effect.fnUntraced(function* (
      projectId: ProjectId,
      { draft, message }: IncidentBody.IncidentChange,
      { current, evaluated = [] }: { readonly current?: Incident; readonly evaluated?: ReadonlyArray<FieldError> }
    ) {
      const strange = yield* rules.unknownMonitors(projectId, draft.monitorIds)
      const errors = draft.monitorIds.flatMap((id, index): ReadonlyArray<FieldError> =>
        strange.has(id) && !current?.monitorIds.includes(id)
          ? [{ path: `monitorIds[${index}]`, message: `This project has no ${id}` }]
          : []
      )
      if (current !== undefined && draft.maintenance !== current.maintenance)
        errors.push({ path: "maintenance", message: "Cannot be changed: delete this one and make another" })
      const full = current === undefined ? undefined : timelineObjection(current, { status: draft.status, message })
      if (full !== undefined) errors.push({ path: message === undefined ? "status" : "message", message: full })
      errors.push(...evaluated)
      if (errors.length > 0) return yield* invalid(errors)
    })

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* incidents.list(yield* Access.project, {
            ...(yield* Paging.read(query)),
            status: query.status,
            maintenance: query.maintenance === undefined ? undefined : query.maintenance === "true"
          })
          return yield* Paging.answer({ ...page, items: page.items.map((item) => encode(item)) }, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const body = yield* Effect.fromResult(IncidentBody.decodeNew(payload))
          yield* check(projectId, body, { evaluated: yield* recurrenceErrors(projectId, body.draft) })
          return yield* within({ projectId }, "openIncidents", incidents.create(projectId, body.draft, body.message))
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => incidents.get(projectId, params.incidentId)).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const before = yield* incidents.get(projectId, params.incidentId)
          const changed = (current: Incident) =>
            Effect.fromResult(IncidentBody.decode(IncidentBody.merge(current, payload)))
          // Beforehand: evaluating a recurrence may take time, and the update holds a lock.
          const evaluated = yield* recurrenceErrors(projectId, (yield* changed(before)).draft, before)
          const update = incidents.update(projectId, params.incidentId, (current) =>
            Effect.tap(changed(current), (body) => check(projectId, body, { current, evaluated }))
          )
          // One that is opened again takes a place like a new one.
          return yield* before.status === "resolved" && reopens(payload)
            ? within({ projectId }, "openIncidents", update)
            : update
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => incidents.remove(projectId, params.incidentId)).pipe(
          Effect.as({ id: params.incidentId, deleted: true as const }),
          refusing
        )
    })
  })
)

const tooBusy = new Problem({
  code: "unavailable",
  detail: "The recurrence could not be evaluated now; try again in a few seconds",
  retryAfter: 5
})

const reopens = (payload: unknown): boolean => {
  const { status } = (payload ?? {}) as { readonly status?: unknown }
  return status !== undefined && status !== "resolved"
}

const refusing = <A, R>(
  effect: Effect.Effect<A, IncidentNotFound | InvalidFields | Problem, R>
): Effect.Effect<A, Problem, R> =>
  Effect.mapError(effect, (error) => {
    switch (error._tag) {
      case "IncidentNotFound":
        return notFound("incident")
      case "InvalidFields":
        return invalid(error.errors)
      case "Problem":
        return error
    }
  })
