/** Whether the caller of an answer that lasts, such as a stream, still has access: the gate asks again with the same request. */
import type { ProjectId } from "@kanmon/domain/Ids"
import * as Access from "@kanmon/protocol/Access"
import type { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Layer } from "effect"
import { type HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Authenticator } from "./Authenticator.ts"
import * as ProjectAccess from "./ProjectAccess.ts"

export class LastingAccess extends Context.Service<
  LastingAccess,
  {
    /** Fails when the credential does not count any more, or permits this no longer; false when it leads to another project. */
    readonly leadsTo: (
      endpoint: HttpApiEndpoint.Top,
      projectId: ProjectId
    ) => Effect.Effect<boolean, Problem, HttpRouter.Provided>
  }
>()("@kanmon/platform/http/LastingAccess") {
  static readonly layer = Layer.effect(
    LastingAccess,
    Effect.gen(function* () {
      const { caller } = yield* Authenticator
      const roles = yield* ProjectAccess.ProjectRoles
      return LastingAccess.of({
        leadsTo: Effect.fnUntraced(function* (endpoint, projectId) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const principal = yield* caller(request, Access.isOfAccount(endpoint) ? "User" : "ProjectKey")
          const access = yield* Effect.provideService(
            ProjectAccess.ofRequest(principal, endpoint),
            ProjectAccess.ProjectRoles,
            roles
          )
          return access.projectId === projectId
        })
      })
    })
  )
}
