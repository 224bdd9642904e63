/** Writes incidents and maintenance windows from the bodies of requests, with what is refused as problems. */
import type { IncidentId, ProjectId } from "@kanmon/domain/Ids"
import type { IncidentNotFound } from "@kanmon/domain/NotFound"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { OrganizationQuotas } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import { Incidents } from "./Incidents.ts"
import * as IncidentValidation from "./IncidentValidation.ts"

export const make = Effect.gen(function* () {
  const incidents = yield* Incidents
  const validation = yield* IncidentValidation.make
  const within = yield* OrganizationQuotas.make

  return {
    create: (projectId: ProjectId, body: unknown) =>
      Effect.gen(function* () {
        const { draft, message, series } = yield* validation.onCreate(projectId, body)
        return yield* within({ projectId }, "openIncidents", incidents.create(projectId, draft, message, series))
      }).pipe(refusing),
    update: (projectId: ProjectId, id: IncidentId, body: object) =>
      Effect.gen(function* () {
        const before = yield* incidents.get(projectId, id)
        const update = incidents.update(projectId, before.id, yield* validation.onUpdate(before, body))
        // A resolved incident that is opened again counts like a new one.
        return yield* before.status === "resolved" && reopens(body)
          ? within({ projectId }, "openIncidents", update)
          : update
      }).pipe(refusing),
    remove: (projectId: ProjectId, id: IncidentId) => incidents.remove(projectId, id).pipe(refusing)
  }
})

const reopens = (body: object): boolean => "status" in body && body.status !== "resolved"

export const refusing = asProblem({
  IncidentNotFound: (_: IncidentNotFound) => notFound("incident"),
  KeyTaken: (_: KeyTaken) => KeyConflict.problem("maintenance window")
})
