/** Identifies the caller through the auth plugins. */
import type { Started } from "@kanmon/core/Auth"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Principal } from "@kanmon/domain/Principal"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Exit, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ApiSettings } from "./ApiSettings.ts"
import * as Origin from "./Origin.ts"
import * as RequestActivity from "./RequestActivity.ts"

const missing = new Problem({
  code: "unauthorized",
  detail: "Send a project API key in the header x-api-key, or sign in"
})

export class Authenticator extends Context.Service<
  Authenticator,
  {
    readonly auths: ReadonlyArray<Started>
    /** With several credentials, the preferred kind decides: a key on the resources of a project, a session elsewhere. */
    readonly caller: (
      request: HttpServerRequest.HttpServerRequest,
      preferred: Principal["_tag"]
    ) => Effect.Effect<Principal, Problem<"unauthorized" | "forbidden">>
  }
>()("@kanmon/platform/http/Authenticator") {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const catalogue = yield* Catalogue
      const { baseUrl } = yield* ApiSettings
      const auths = yield* Effect.forEach(catalogue.auths, (auth) => auth.start)

      const identify = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        preferred: Principal["_tag"]
      ) {
        let other: Exit.Exit<Principal, Problem<"unauthorized">> = Exit.fail(missing)
        for (const auth of auths) {
          const found = yield* Effect.result(
            auth.authenticate({ method: request.method, url: request.url, headers: request.headers })
          )
          if (found._tag === "Failure") {
            const refused = new Problem({ code: "unauthorized", detail: found.failure.detail })
            // An invalid key must not be overlooked because there is a session too.
            if (preferred === "ProjectKey") return yield* refused
            if (Exit.isFailure(other)) other = Exit.fail(refused)
          } else if (Option.isSome(found.success)) {
            if (found.success.value._tag === preferred) return found.success.value
            if (Exit.isFailure(other)) other = Exit.succeed(found.success.value)
          }
        }
        return yield* other
      })

      const caller: Authenticator["Service"]["caller"] = Effect.fnUntraced(function* (request, preferred) {
        const principal = yield* identify(request, preferred)
        // What no browser sends by itself cannot be made to be sent by another site.
        const hasCookie = principal._tag === "User" && principal.isProgram !== true
        const foreign = hasCookie ? Origin.objection(request, baseUrl) : undefined
        if (foreign !== undefined) return yield* foreign
        yield* RequestActivity.identified(principal)
        return principal
      })

      return Authenticator.of({ auths, caller })
    })
  )
}
