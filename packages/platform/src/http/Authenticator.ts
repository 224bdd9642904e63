/** Identifies the caller through the auth plugins. */
import type { Capabilities } from "@kanmon/core/Auth"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Principal } from "@kanmon/domain/Principal"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Layer, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ApiSettings } from "./ApiSettings.ts"
import { CredentialLookups } from "./CredentialLookups.ts"
import * as Origin from "./Origin.ts"
import * as RequestActivity from "./RequestActivity.ts"
import { addressOf, networkOf } from "./RequestInfo.ts"

const missing = new Problem({
  code: "unauthorized",
  detail: "Send an API key in the header x-api-key, or sign in"
})

/** The kind of credential that decides when a request has several. */
type Preferred = "key" | "session"

/** The operator's settings for auth plugins, by their names. They were validated at startup. */
export const AuthPluginSettings = Context.Reference<ReadonlyMap<string, object>>(
  "@kanmon/platform/http/AuthPluginSettings",
  { defaultValue: () => new Map() }
)

export class Authenticator extends Context.Service<Authenticator>()("@kanmon/platform/http/Authenticator", {
  make: Effect.gen(function* () {
    const catalogue = yield* Catalogue
    const { baseUrl, trustedProxy } = yield* ApiSettings
    const lookups = yield* CredentialLookups
    const operator = yield* AuthPluginSettings
    const context = yield* Effect.context<Capabilities>()
    const auths = catalogue.auths.map(({ name, start }) => Result.getOrThrow(start(operator.get(name))))

    const identify = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, preferred: Preferred) {
      let known: Principal | undefined = undefined
      let refusal: Problem<"unauthorized"> = missing
      const { headers, method, url } = request
      const peer = Option.getOrElse(request.remoteAddress, () => "")
      for (const authenticate of auths) {
        const found = yield* Effect.result(authenticate({ method, url, headers, peer }))
        if (found._tag === "Failure") {
          refusal = new Problem({ code: "unauthorized", detail: found.failure.detail })
          // An invalid key must not be overlooked because there is a session too.
          if (preferred === "key" && found.failure.isVouched !== true) return yield* refusal
        } else if (Option.isSome(found.success)) {
          known = stronger(found.success.value, known, preferred)
          if (strength(known, preferred) === strongest) return known
        }
      }
      return known ?? (yield* refusal)
    }, Effect.provideContext(context))

    /**
     * With several credentials, the preferred kind decides: a key on the resources of a project, a session elsewhere.
     * If they belong to several accounts, the session decides, because a person started it.
     */
    const caller = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, preferred: Preferred) {
      const presented = presentedBy(request)
      const identified = identify(request, preferred)
      const principal = yield* presented === undefined
        ? identified
        : lookups.look(networkOf(addressOf(request, trustedProxy)), presented, identified)
      // Other sites can forge only credentials that browsers send by themselves.
      const isSentByBrowsers = principal._tag === "User" && principal.isProgram !== true
      const foreign = isSentByBrowsers ? Origin.objection(request, baseUrl) : undefined
      if (foreign !== undefined) return yield* foreign
      yield* RequestActivity.identified(principal)
      return principal
    })

    return { caller }
  })
}) {
  static readonly layer = Layer.effect(Authenticator, Authenticator.make)
}

/** The headers in which callers present credentials. A header of a trusted proxy is not among them. */
const credentialHeaders = ["x-api-key", "authorization", "cookie"]

const presentedBy = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const presented = credentialHeaders.map((name) => headers[name] ?? "")
  return presented.every((value) => value === "") ? undefined : JSON.stringify(presented)
}

const strongest = 3

/**
 * The precedence of a credential: the preferred kind first, then credentials of the caller before those of a plugin.
 */
const strength = (found: Principal, preferred: Preferred): number =>
  ((found._tag === "User") === (preferred === "session") ? 2 : 0) +
  (found._tag !== "User" || found.sessionId !== undefined ? 1 : 0)

const stronger = (found: Principal, known: Principal | undefined, preferred: Preferred): Principal =>
  known === undefined || strength(found, preferred) > strength(known, preferred) ? found : known
