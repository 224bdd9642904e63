/**
 * Implements the middleware of the contract. Outermost first: problems, authorization, limits, project or organization, idempotency,
 * body.
 */
import type { Check } from "@kanmon/core/Check"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as TraceContext from "@kanmon/core/TraceContext"
import { MonitorId } from "@kanmon/domain/Ids"
import { credentialOf } from "@kanmon/domain/Principal"
import * as Access from "@kanmon/protocol/Access"
import * as Middleware from "@kanmon/protocol/Middleware"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ConfigSecrets } from "../ConfigSecrets.ts"
import { CurrentActor } from "../CurrentActor.ts"
import * as AddressLimits from "./AddressLimits.ts"
import { ApiSettings } from "./ApiSettings.ts"
import { Authenticator } from "./Authenticator.ts"
import * as BodyBounds from "./BodyBounds.ts"
import * as CallerActor from "./CallerActor.ts"
import * as CallerKind from "./CallerKind.ts"
import { CallerOwners } from "./CallerOwners.ts"
import * as Confined from "./Confined.ts"
import * as Idempotency from "./Idempotency.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import * as OrganizationAccess from "./OrganizationAccess.ts"
import * as QueryParameters from "./QueryParameters.ts"
import * as ProjectAccess from "./ProjectAccess.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { ReadQueue } from "./ReadQueue.ts"
import { RateLimits } from "./RateLimits.ts"
import { clientIp, isRead, networkOf, searchOf } from "./RequestInfo.ts"

const problems = Layer.succeed(Middleware.Problems, ProblemResponse.rendered)

const authorization = Layer.effect(
  Middleware.Authorization,
  Effect.map(
    Effect.all([Authenticator, ApiSettings, Catalogue]),
    ([{ caller }, settings, { channels, checks }]) =>
      (app, { endpoint }) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const kind = Access.isOfAccount(endpoint) ? "session" : "key"
          const principal = yield* caller(request, kind)
          const objection = QueryParameters.objection(request.url, Access.queryOf(endpoint))
          if (objection !== undefined) return yield* objection
          const acting = {
            actor: CallerActor.of(principal, request.headers),
            address: yield* Effect.provideService(clientIp, ApiSettings, settings)
          }
          return yield* app.pipe(
            Effect.provideService(Middleware.Caller, principal),
            Effect.provideService(CurrentActor, acting),
            Effect.provideService(ConfigSecrets, (kind, type) =>
              kind === "check" ? secretsOf(checks.get(type)) : channels.get(type)?.secrets
            )
          )
        })
  )
)

const secretsOf = (check: Check | undefined) =>
  check === undefined ? undefined : [...check.secrets, ...(check.writeOnly ?? [])]

const projectOnly = Layer.effect(
  Middleware.ProjectOnly,
  Effect.map(
    ProjectAccess.ProjectRoles,
    (roles) =>
      (app, { endpoint }) =>
        Effect.gen(function* () {
          const caller = yield* Middleware.Caller
          const { projectId, role } = yield* Effect.provideService(
            ProjectAccess.ofRequest(caller, endpoint),
            ProjectAccess.ProjectRoles,
            roles
          )
          const { monitorId } = yield* HttpRouter.params
          return yield* app.pipe(
            Effect.provideService(Middleware.CallerProject, projectId),
            Effect.provideService(Middleware.CallerRole, role),
            TraceContext.about({ projectId, monitorId: isMonitorId(monitorId) ? monitorId : undefined })
          )
        })
  )
)

/** Spans repeat no other text of a request. */
const isMonitorId = Schema.is(MonitorId)

/** The organization that a request names: in the path, in the header, or in the query. */
const namedOrganization = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { organizationId: path } = yield* HttpRouter.params
  const query = searchOf(request).get(Middleware.organizationParameter)
  return path ?? request.headers[Middleware.organizationHeader.toLowerCase()] ?? query ?? undefined
})

const organizationOrKey = Layer.effect(
  Middleware.OrganizationOrKey,
  Effect.map(
    OrganizationAccess.OrganizationRoles,
    (roles) =>
      (app, { endpoint }) =>
        Effect.gen(function* () {
          const caller = yield* Middleware.Caller
          const permission = Access.organizationPermissionOf(endpoint)
          const { organizationId, role } = yield* Effect.provideService(
            OrganizationAccess.ofCaller(caller, yield* namedOrganization, permission),
            OrganizationAccess.OrganizationRoles,
            roles
          )
          if (caller._tag === "User")
            yield* CallerKind.admitImpersonator(caller, Access.forImpersonators(endpoint) ?? true)
          return yield* app.pipe(
            Effect.provideService(Middleware.CallerOrganization, organizationId),
            Effect.provideService(Middleware.CallerRole, role)
          )
        })
  )
)

const organizationOnly = Layer.effect(
  Middleware.OrganizationOnly,
  Effect.map(
    OrganizationAccess.OrganizationRoles,
    (roles) =>
      (app, { endpoint }) =>
        Effect.gen(function* () {
          const user = yield* Effect.flatMap(Middleware.Caller, CallerKind.userOf)
          const named = yield* namedOrganization
          const { organizationId, role } = yield* Effect.provideService(
            OrganizationAccess.resolve(user, named, Access.organizationPermissionOf(endpoint)),
            OrganizationAccess.OrganizationRoles,
            roles
          )
          // The role is limited; the endpoint decides about actions that are open to every member.
          yield* CallerKind.admitImpersonator(user, Access.forImpersonators(endpoint) ?? true)
          return yield* app.pipe(
            Effect.provideService(Middleware.CallerUser, user),
            Effect.provideService(Middleware.CallerOrganization, organizationId),
            Effect.provideService(Middleware.CallerRole, role)
          )
        })
  )
)

const userOnly = Layer.succeed(Middleware.UserOnly, (app, { endpoint }) =>
  Effect.gen(function* () {
    const user = yield* Effect.flatMap(Middleware.Caller, CallerKind.userOf)
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const isHarmless = Access.forImpersonators(endpoint) ?? isRead(method)
    yield* CallerKind.admitImpersonator(user, isHarmless)
    // Endpoints of projects check it themselves; the others change the account.
    if (user.confinedTo !== undefined && !isHarmless && !/\/projects(\/|$)/.test(endpoint.path))
      return yield* Confined.ofAccount
    return yield* Effect.provideService(app, Middleware.CallerUser, user)
  })
)

const adminOnly = Layer.succeed(Middleware.AdminOnly, (app) =>
  Effect.flatMap(Effect.flatMap(Middleware.Caller, CallerKind.adminOf), (user) =>
    Effect.provideService(app, Middleware.CallerUser, user)
  )
)

/**
 * Adds the rate limit headers to every response, errors included. Reading waits for the account's turn, and long answers cost
 * more.
 */
const limits = Layer.effect(
  Middleware.Limits,
  Effect.map(
    Effect.all([RateLimits, ReadQueue, CallerOwners]),
    ([{ admit, charge }, queue, accounts]) =>
      (app) =>
        Effect.gen(function* () {
          const { method } = yield* HttpServerRequest.HttpServerRequest
          const caller = yield* Middleware.Caller
          const kind = isRead(method) ? "reads" : "writes"
          const used = yield* Effect.result(admit(kind, caller))
          if (used._tag === "Failure")
            return HttpServerResponse.setHeaders(
              yield* ProblemResponse.toResponse(used.failure.problem),
              used.failure.headers
            )
          const response =
            kind === "reads"
              ? yield* queue.within(
                  yield* accounts.of(caller),
                  ProblemResponse.rendered(app),
                  ProblemResponse.toResponse
                )
              : yield* ProblemResponse.rendered(app)
          const charged = yield* charge(kind, caller, sizeOf(response))
          return HttpServerResponse.setHeaders(response, charged ?? used.success)
        })
  )
)

/** The bytes of an answer before it is compressed; 0 if a stream does not say. */
const sizeOf = ({ body }: HttpServerResponse.HttpServerResponse): number =>
  body._tag === "Empty" ? 0 : (body.contentLength ?? 0)

const addressLimits = Layer.effect(
  Middleware.AddressLimits,
  Effect.map(
    Effect.all([RateLimits, ApiSettings]),
    ([limits, settings]) =>
      (app, { endpoint }) =>
        Effect.gen(function* () {
          const network = networkOf(yield* Effect.provideService(clientIp, ApiSettings, settings))
          const request = yield* HttpServerRequest.HttpServerRequest
          const counting = Access.countingOf(endpoint)
          const counted = AddressLimits.use(limits, counting, network, request, Access.takesForms(endpoint))
          const used = yield* Effect.result(counted)
          if (used._tag === "Success")
            return HttpServerResponse.setHeaders(yield* ProblemResponse.rendered(app), used.success)
          const { failure } = used
          if (failure instanceof Problem) return yield* ProblemResponse.toResponse(failure)
          const refused = ProblemResponse.toResponse(failure.problem)
          return HttpServerResponse.setHeaders(
            yield* counting.refusesByPage === true ? ProblemResponse.asPage(refused) : refused,
            failure.headers
          )
        })
  )
)

const idempotency = Layer.effect(
  Middleware.Idempotency,
  Effect.map(
    IdempotencyKeys,
    (keys) => (app) =>
      Effect.gen(function* () {
        const caller = yield* Middleware.Caller
        const project = yield* Effect.serviceOption(Middleware.CallerProject)
        const organization = yield* Effect.serviceOption(Middleware.CallerOrganization)
        // A session or a key of an organization works in several places, where the same key and body are different requests.
        const place = Option.orElse(project, () => organization)
        const scope =
          caller._tag !== "ProjectKey" && Option.isSome(place)
            ? `${credentialOf(caller)}:${place.value}`
            : credentialOf(caller)
        return yield* Effect.provideService(Idempotency.once(app, scope), IdempotencyKeys, keys)
      })
  )
)

const jsonBody = Layer.succeed(Middleware.JsonBody, (app, { endpoint }) =>
  Effect.andThen(BodyBounds.checkRequest(Access.maxValuesOf(endpoint)), app)
)

const boundedBody = Layer.succeed(Middleware.BoundedBody, (app) =>
  Effect.matchEffect(BodyBounds.checkRequest(), { onFailure: ProblemResponse.toResponse, onSuccess: () => app })
)

export const layer = Layer.mergeAll(
  problems,
  authorization,
  projectOnly,
  organizationOnly,
  organizationOrKey,
  userOnly,
  adminOnly,
  limits,
  addressLimits,
  idempotency,
  jsonBody,
  boundedBody
)
