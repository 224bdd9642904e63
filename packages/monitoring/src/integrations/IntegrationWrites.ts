/** Writes integrations from the bodies of requests, with what is refused as problems. */
import type { IntegrationId, ProjectId } from "@kanmon/domain/Ids"
import type { IntegrationNotFound } from "@kanmon/domain/NotFound"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import * as IntegrationBody from "@kanmon/protocol/IntegrationBody"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { Integrations } from "./Integrations.ts"

export const refusing = asProblem({
  IntegrationNotFound: (_: IntegrationNotFound) => notFound("integration"),
  KeyTaken: (_: KeyTaken) => KeyConflict.problem("integration")
})

export const make = Effect.map(Integrations, (integrations) => {
  const created = (projectId: ProjectId, body: unknown) =>
    Effect.flatMap(Effect.fromResult(IntegrationBody.decode(body)), (draft) =>
      integrations.create(projectId, draft)
    ).pipe(refusing)
  return {
    created,
    /** Creates one without its address, which is shown when it is rotated. */
    create: (projectId: ProjectId, body: unknown) =>
      Effect.map(created(projectId, body), ({ integration }) => integration),
    update: (projectId: ProjectId, id: IntegrationId, body: object) =>
      integrations.update(projectId, id, body).pipe(refusing),
    remove: (projectId: ProjectId, id: IntegrationId) => integrations.remove(projectId, id).pipe(refusing)
  }
})
