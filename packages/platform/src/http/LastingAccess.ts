/** Whether the caller of an answer that lasts, such as a stream, still has access: the gate asks again with the same request. */
import type { ProjectId } from "@kanmon/domain/Ids"
import * as Access from "@kanmon/protocol/Access"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Authenticator } from "./Authenticator.ts"
import * as ProjectAccess from "./ProjectAccess.ts"

export class LastingAccess extends Context.Service<LastingAccess>()("@kanmon/platform/http/LastingAccess", {
  make: Effect.gen(function* () {
    const { caller } = yield* Authenticator
    const roles = yield* ProjectAccess.ProjectRoles
    return {
      /** Fails when the credential does not count any more, or permits this no longer; false when it leads to another project. */
      leadsTo: Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top, projectId: ProjectId) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const principal = yield* caller(request, Access.isOfAccount(endpoint) ? "session" : "key")
        const access = yield* Effect.provideService(
          ProjectAccess.ofRequest(principal, endpoint),
          ProjectAccess.ProjectRoles,
          roles
        )
        return access.projectId === projectId
      })
    }
  })
}) {
  static readonly layer = Layer.effect(LastingAccess, LastingAccess.make)
}
