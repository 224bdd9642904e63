/**
 * Authenticates the requests of identity providers by their token and limits their rate. The token determines the
 * organization and cannot reach another one. The actor of every change is the token.
 */
import { CallerOrganization, Provisioning } from "@kanmon/protocol/Middleware"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { organizationDisabled } from "@kanmon/platform/http/OrganizationDisabled"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { RateLimits } from "@kanmon/platform/http/RateLimits"
import { ReadQueue } from "@kanmon/platform/http/ReadQueue"
import { addressOf, isRead, networkOf } from "@kanmon/platform/http/RequestInfo"
import { ScimTokens } from "./ScimTokens.ts"

/** Before anything is read: a text that is no token of ours is not looked up. */
const bearer = /^bearer +(kms_[0-9A-Za-z]{43})$/i

const unauthorized = new Problem({
  code: "unauthorized",
  detail: "Send a token for provisioning of the organization in the header Authorization: Bearer"
})

export const layer = Layer.effect(
  Provisioning,
  Effect.gen(function* () {
    const { trustedProxy } = yield* ApiSettings
    const tokens = yield* ScimTokens
    const limits = yield* RateLimits
    const lookups = yield* CredentialLookups
    const queue = yield* ReadQueue

    /** The owner of the request's token. Guesses are rate-limited by network address. */
    const caller = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, address: string) {
      const token = bearer.exec(request.headers["authorization"] ?? "")?.[1]
      const network = networkOf(address)
      const counted = Effect.mapError(limits.use("signInsOfAddress", `scim:${network}`), ({ problem }) => problem)
      const refused = Effect.andThen(counted, Effect.fail(unauthorized))
      if (token === undefined) return yield* refused
      const found = Effect.flatMap(tokens.present(token), (found) =>
        found === undefined ? refused : Effect.succeed(found)
      )
      const presented = yield* lookups.look(network, token, found)
      if (presented._tag === "Disabled") return yield* organizationDisabled
      if (presented._tag === "NotIncluded")
        return yield* new Problem({
          code: "forbidden",
          detail: "The plan of the organization includes no single sign-on and no provisioning any more"
        })
      return presented
    })

    return (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const address = addressOf(request, trustedProxy)
        const { id, name, organizationId } = yield* caller(request, address)
        const kind = isRead(request.method) ? "reads" : "writes"
        // As keys: each has its limit, and all of an organization share that of its account.
        const used = yield* Effect.result(
          Effect.tap(limits.use(kind, id), () => limits.use(`${kind}OfAccount`, organizationId))
        )
        if (used._tag === "Failure")
          return HttpServerResponse.setHeaders(
            yield* ProblemResponse.toResponse(used.failure.problem),
            used.failure.headers
          )
        const handled = ProblemResponse.rendered(app).pipe(
          Effect.provideService(CallerOrganization, organizationId),
          Effect.provideService(CurrentActor, { actor: { kind: "key", id, name }, address })
        )
        const response =
          kind === "reads" ? yield* queue.within(organizationId, handled, ProblemResponse.toResponse) : yield* handled
        return HttpServerResponse.setHeaders(response, used.success)
      }).pipe(
        ProblemResponse.rendered,
        Effect.map((response) =>
          response.status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", "Bearer") : response
        )
      )
  })
)
