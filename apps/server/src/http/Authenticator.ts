/** Asks the auth plugins who is calling. */
import type { Started } from "@kanmon/core/Auth"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Principal } from "@kanmon/domain/Principal"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ApiSettings } from "./ApiSettings.ts"
import * as Origin from "./Origin.ts"

export class Authenticator extends Context.Service<
  Authenticator,
  {
    readonly auths: ReadonlyArray<Started>
    readonly caller: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Principal, Problem>
  }
>()("@kanmon/server/Authenticator") {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const catalogue = yield* Catalogue
      const { baseUrl } = yield* ApiSettings
      const auths = yield* Effect.forEach(catalogue.auths, (auth) => auth.start)

      const caller = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        for (const auth of auths) {
          const found = yield* Effect.mapError(
            auth.authenticate({ method: request.method, url: request.url, headers: request.headers }),
            ({ detail }) => new Problem({ code: "unauthorized", detail })
          )
          if (Option.isNone(found)) continue
          const principal = found.value
          const foreign = principal._tag === "User" ? Origin.objection(request, baseUrl) : undefined
          if (foreign !== undefined) return yield* foreign
          return principal
        }
        return yield* new Problem({ code: "unauthorized", detail: "Send the project's key in x-api-key, or sign in" })
      })

      return Authenticator.of({ auths, caller })
    })
  )
}
