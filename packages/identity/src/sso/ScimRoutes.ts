/**
 * The routes of SCIM 2.0 below `/scim/v2` (RFC 7644). The token names the organization; nothing of another one can be reached with
 * it. The actor of every change is the token.
 */
import { type Fields, listSchema, projected, scimMediaType, ScimRefused, wrong } from "@kanmon/domain/Scim"
import { parse as parseFilter } from "@kanmon/domain/ScimFilter"
import { basePath } from "@kanmon/protocol/BasePath"
import * as Body from "@kanmon/protocol/Body"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { scimPath } from "@kanmon/protocol/ScimApi"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as BodyBounds from "@kanmon/platform/http/BodyBounds"
import { organizationDisabled } from "@kanmon/platform/http/OrganizationDisabled"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { RateLimits } from "@kanmon/platform/http/RateLimits"
import { ReadQueue } from "@kanmon/platform/http/ReadQueue"
import { clientIp, isRead, networkOf, pathOf } from "@kanmon/platform/http/RequestInfo"
import { configuration, maxPage, resourceTypes, schemas } from "./ScimDescription.ts"
import * as ScimErrors from "./ScimErrors.ts"
import { ScimGroups } from "./ScimGroups.ts"
import type { ScimCollection, ScimPage, ScimPlace, ScimQuery } from "./ScimResources.ts"
import { ScimTokens } from "./ScimTokens.ts"
import { ScimUsers } from "./ScimUsers.ts"

const root = `${basePath}${scimPath}`

/** Before anything is read: a text that is no token of ours is not looked up. */
const bearer = /^bearer +(kms_[0-9A-Za-z]{43})$/i

const unauthorized = new Problem({
  code: "unauthorized",
  detail: "Send a token for provisioning of the organization in the header Authorization: Bearer"
})

const usualPage = 100

const answer = (body: Fields, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { ...headers, "content-type": scimMediaType } })

type Response = HttpServerResponse.HttpServerResponse
type Answer = Effect.Effect<Response, ScimRefused | Problem>

interface Asked {
  readonly method: string
  readonly place: ScimPlace
  readonly query: URLSearchParams
  readonly body: Effect.Effect<unknown, Problem>
}

const namesIn = (text: string | null): ReadonlyArray<string> =>
  (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]))

const shownOf = (query: URLSearchParams) => ({
  attributes: namesIn(query.get("attributes")),
  excluded: namesIn(query.get("excludedAttributes"))
})

const numberIn = (query: URLSearchParams, name: string, usual: number): Effect.Effect<number, ScimRefused> => {
  const text = query.get(name)?.trim() ?? ""
  if (text === "") return Effect.succeed(usual)
  return /^-?\d{1,9}$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(wrong("invalidValue", `Expected ${name} to be a whole number`))
}

const queryOf = Effect.fnUntraced(function* (query: URLSearchParams): Effect.fn.Return<ScimQuery, ScimRefused> {
  const filter = query.get("filter")
  return {
    filter: filter === null || filter.trim() === "" ? undefined : yield* Effect.fromResult(parseFilter(filter)),
    startIndex: Math.max(1, yield* numberIn(query, "startIndex", 1)),
    count: Math.min(maxPage, Math.max(0, yield* numberIn(query, "count", usualPage)))
  }
})

const listed = ({ resources, total }: ScimPage, startIndex = 1) =>
  answer({
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources
  })

const one = (resource: Fields, query: URLSearchParams, status = 200) => {
  const { meta } = resource as { readonly meta: { readonly location: string; readonly version: string } }
  return answer(projected(resource, shownOf(query)), status, { etag: meta.version, location: meta.location })
}

const missing = (what: string) => new ScimRefused({ status: 404, detail: `There is no such ${what}` })
const unsupported = new ScimRefused({ status: 501, detail: "This part of SCIM is not supported" })

const notAllowed = (...methods: ReadonlyArray<string>): Answer =>
  Effect.map(
    ProblemResponse.toResponse(
      new Problem({ code: "method_not_allowed", detail: `This address can be asked with ${methods.join(", ")}` })
    ),
    HttpServerResponse.setHeader("allow", methods.join(", "))
  )

const ofMany = ({ create, list }: ScimCollection, { body, method, place, query }: Asked): Answer => {
  if (method === "GET")
    return Effect.gen(function* () {
      const asked = yield* queryOf(query)
      const shown = shownOf(query)
      const { attributes, excluded } = shown
      const isNamed = (names: ReadonlyArray<string>) => names.some((name) => /(^|:)members(\.|$)/i.test(name))
      const withMembers = attributes.length > 0 ? isNamed(attributes) : !isNamed(excluded)
      const { resources, total } = yield* list(place, asked, withMembers)
      return listed({ total, resources: resources.map((one) => projected(one, shown)) }, asked.startIndex)
    })
  if (method === "POST")
    return Effect.map(
      Effect.flatMap(body, (sent) => create(place, sent)),
      (made) => one(made, query, 201)
    )
  return notAllowed("GET", "POST")
}

const ofOne = (resources: ScimCollection, id: string, { body, method, place, query }: Asked): Answer => {
  if (!/^\w{1,100}$/.test(id)) return Effect.fail(missing("resource"))
  const { get, patch, remove, replace } = resources
  const shown = Effect.map((resource: Fields) => one(resource, query))
  if (method === "GET") return shown(get(place, id))
  if (method === "PUT") return shown(Effect.flatMap(body, (sent) => replace(place, id, sent)))
  if (method === "PATCH") return shown(Effect.flatMap(body, (sent) => patch(place, id, sent)))
  if (method === "DELETE") return Effect.as(remove(place, id), HttpServerResponse.empty({ status: 204 }))
  return notAllowed("GET", "PUT", "PATCH", "DELETE")
}

const described = (documents: ReadonlyArray<Fields>, id: string | undefined, what: string): Answer => {
  if (id === undefined) return Effect.succeed(listed({ total: documents.length, resources: documents }))
  const found = documents.find((document) => document["id"] === id)
  return found === undefined ? Effect.fail(missing(what)) : Effect.succeed(answer(found))
}

/** The parts of the path, decoded; undefined when one cannot be. */
const partsOf = (path: string): ReadonlyArray<string> | undefined => {
  try {
    const parts = path.slice(root.length).split("/").slice(1).map(decodeURIComponent)
    return parts.at(-1) === "" ? parts.slice(0, -1) : parts
  } catch {
    return undefined
  }
}

const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, Problem> =>
  Effect.gen(function* () {
    if (!/^\s*application\/(scim\+)?json\s*(;|$)/i.test(request.headers["content-type"] ?? scimMediaType))
      return yield* new Problem({
        code: "unsupported_media_type",
        detail: `Expected a body of the type ${scimMediaType} or application/json`
      })
    const text = yield* Effect.orDie(request.text)
    yield* BodyBounds.check(text)
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => new Problem({ code: "malformed_request", detail: "The request body is not valid JSON" })
    })
    const unfit = Body.objection(json)
    return unfit === undefined ? json : yield* invalid([unfit])
  })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const settings = yield* ApiSettings
    const tokens = yield* ScimTokens
    const users = yield* ScimUsers
    const groups = yield* ScimGroups
    const limits = yield* RateLimits
    const lookups = yield* CredentialLookups
    const queue = yield* ReadQueue
    const base = `${settings.baseUrl}${root}`

    const routed = (parts: ReadonlyArray<string>, asked: Asked): Answer => {
      const [kind, id, ...rest] = parts
      if (rest.length > 0) return Effect.fail(missing("address"))
      if (kind === "Users") return id === undefined ? ofMany(users, asked) : ofOne(users, id, asked)
      if (kind === "Groups") return id === undefined ? ofMany(groups, asked) : ofOne(groups, id, asked)
      if (kind === "Bulk" || kind === "Me") return Effect.fail(unsupported)
      if (kind === "Schemas" || kind === "ResourceTypes" || (kind === "ServiceProviderConfig" && id === undefined)) {
        if (asked.method !== "GET") return notAllowed("GET")
        if (kind === "Schemas") return described(schemas(base), id, "schema")
        if (kind === "ResourceTypes") return described(resourceTypes(base), id, "resource type")
        return Effect.succeed(answer(configuration(base)))
      }
      return Effect.fail(missing("address"))
    }

    /** Whose token the request has. Guesses are slowed down by their address. */
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

    const asked = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, address: string) {
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
      const parts = partsOf(pathOf(request))
      const handled =
        parts === undefined
          ? Effect.fail(missing("address"))
          : routed(parts, {
              method: request.method,
              place: { organizationId, base, ifMatch: request.headers["if-match"] },
              query: new URL(request.url, "http://localhost").searchParams,
              body: bodyOf(request)
            })
      const answered =
        kind === "reads"
          ? queue.within(organizationId, rendered(handled), ProblemResponse.toResponse)
          : rendered(handled)
      const response = yield* answered.pipe(
        Effect.provideService(CurrentActor, { actor: { kind: "key", id, name }, address })
      )
      return HttpServerResponse.setHeaders(response, used.success)
    })

    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = yield* rendered(asked(request, yield* clientIp))
      return response.status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", "Bearer") : response
    }).pipe(
      Effect.provideService(ApiSettings, settings),
      Effect.provideService(ProblemResponse.ProblemForm, ScimErrors.ofProblem)
    )
    yield* router.add("*", `${root}/*`, handle)
  })
)

const rendered = <R>(effect: Effect.Effect<Response, ScimRefused | Problem, R>): Effect.Effect<Response, never, R> =>
  Effect.catch(effect, (error) =>
    error instanceof Problem ? ProblemResponse.toResponse(error) : Effect.succeed(ScimErrors.toResponse(error))
  )
