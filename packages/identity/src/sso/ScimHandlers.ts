/** The endpoints of SCIM 2.0 below `/scim/v2` (RFC 7644), for the organization that the token names (`Provisioning.ts`). */
import * as JsonText from "@kanmon/core/JsonText"
import { upTo } from "@kanmon/domain/BoundedText"
import { type Fields, listSchema, projected, scimMediaType, ScimRefused, wrong } from "@kanmon/domain/Scim"
import { parse as parseFilter } from "@kanmon/domain/ScimFilter"
import { basePath } from "@kanmon/protocol/BasePath"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import * as Body from "@kanmon/protocol/Body"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { scimPath } from "@kanmon/protocol/ScimApi"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as RequestBounds from "@kanmon/platform/http/RequestBounds"
import { searchOf } from "@kanmon/platform/http/RequestInfo"
import { configuration, maxPage, resourceTypes, schemas } from "./ScimDescription.ts"
import * as ScimErrors from "./ScimErrors.ts"
import { ScimGroups } from "./ScimGroups.ts"
import type { ScimCollection, ScimPage, ScimPlace, ScimQuery } from "./ScimResources.ts"
import { ScimUsers } from "./ScimUsers.ts"

const usualPage = 100
/** The query of a request has no more characters. */
const longestQuery = 12_288

const answer = (body: Fields, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { ...headers, "content-type": scimMediaType } })

type Response = HttpServerResponse.HttpServerResponse
type Answer = Effect.Effect<Response, ScimRefused | Problem>

interface Asked {
  /** The id in the path, if there is one. */
  readonly id: string
  readonly place: ScimPlace
  readonly query: URLSearchParams
  readonly body: Effect.Effect<unknown, Problem>
}

const namesIn = (text: string | null): ReadonlyArray<string> =>
  upTo(text ?? "", longestQuery)
    .split(",")
    .flatMap((name) => (name.trim() === "" ? [] : [name.trim()]))

const shownOf = (query: URLSearchParams) => ({
  attributes: namesIn(query.get("attributes")),
  excluded: namesIn(query.get("excludedAttributes"))
})

const numberIn = (query: URLSearchParams, name: string, usual: number): Effect.Effect<number, ScimRefused> => {
  const text = query.get(name)?.trim() ?? ""
  if (text === "") return Effect.succeed(usual)
  return /^-?\d{1,9}$/.test(upTo(text, 10))
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

const many = Effect.fnUntraced(function* (list: ScimCollection["list"], { place, query }: Asked) {
  const asked = yield* queryOf(query)
  const shown = shownOf(query)
  const { attributes, excluded } = shown
  const isNamed = (names: ReadonlyArray<string>) =>
    names.some((name) => /(^|:)members(\.|$)/i.test(upTo(name, longestQuery)))
  const withMembers = attributes.length > 0 ? isNamed(attributes) : !isNamed(excluded)
  const { resources, total } = yield* list(place, asked, withMembers)
  return listed({ total, resources: resources.map((one) => projected(one, shown)) }, asked.startIndex)
})

/** The answers about resources of one kind. */
const about = ({ create, get, list, patch, remove, replace }: ScimCollection) => {
  const named = (asked: Asked, answer: (id: string) => Answer): Answer =>
    /^\w{1,100}$/.test(upTo(asked.id, 100)) ? answer(asked.id) : Effect.fail(missing("resource"))
  const shown = ({ query }: Asked, resource: Effect.Effect<Fields, ScimRefused | Problem>, status?: number): Answer =>
    Effect.map(resource, (found) => one(found, query, status))
  const written = (
    asked: Asked,
    write: (sent: unknown) => Effect.Effect<Fields, ScimRefused | Problem>,
    status?: number
  ): Answer => shown(asked, Effect.flatMap(asked.body, write), status)
  return {
    list: (asked: Asked): Answer => many(list, asked),
    create: (asked: Asked): Answer => written(asked, (sent) => create(asked.place, sent), 201),
    get: (asked: Asked): Answer => named(asked, (id) => shown(asked, get(asked.place, id))),
    replace: (asked: Asked): Answer => named(asked, (id) => written(asked, (sent) => replace(asked.place, id, sent))),
    patch: (asked: Asked): Answer => named(asked, (id) => written(asked, (sent) => patch(asked.place, id, sent))),
    remove: (asked: Asked): Answer =>
      named(asked, (id) => Effect.as(remove(asked.place, id), HttpServerResponse.empty({ status: 204 })))
  }
}

const described = (documents: ReadonlyArray<Fields>, id: string, what: string): Answer => {
  const found = documents.find((document) => document["id"] === id)
  return found === undefined ? Effect.fail(missing(what)) : Effect.succeed(answer(found))
}

const all = (documents: ReadonlyArray<Fields>): Answer =>
  Effect.succeed(listed({ total: documents.length, resources: documents }))

const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, Problem> =>
  Effect.gen(function* () {
    const type = upTo(request.headers["content-type"] ?? scimMediaType, RequestBounds.limitOf("content-type"))
    if (!/^\s*application\/(scim\+)?json\s*(;|$)/i.test(type))
      return yield* new Problem({
        code: "unsupported_media_type",
        detail: `Expected a body of the type ${scimMediaType} or application/json`
      })
    const json = JsonText.parse(yield* Effect.orDie(request.text))
    if (json === undefined)
      return yield* new Problem({ code: "malformed_request", detail: "The request body is not valid JSON" })
    const unfit = Body.objection(json)
    return unfit === undefined ? json : yield* invalid([unfit])
  })

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "scim",
  Effect.fnUntraced(function* (handlers) {
    const { baseUrl } = yield* ApiSettings
    const users = about(yield* ScimUsers)
    const groups = about(yield* ScimGroups)
    const base = `${baseUrl}${basePath}${scimPath}`

    const handle =
      (answer: (asked: Asked) => Answer) =>
      ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) =>
        Effect.gen(function* () {
          const { id = "" } = yield* HttpRouter.params
          const organizationId = yield* CallerOrganization
          const asked = {
            id,
            place: { organizationId, base, ifMatch: request.headers["if-match"] },
            query: searchOf(request),
            body: bodyOf(request)
          }
          return yield* Effect.catchTag(answer(asked), "ScimRefused", (refused) =>
            Effect.succeed(ScimErrors.toResponse(refused))
          )
        })

    return handlers
      .handleRaw(
        "config",
        handle(() => Effect.succeed(answer(configuration(base))))
      )
      .handleRaw(
        "resourceTypes",
        handle(() => all(resourceTypes(base)))
      )
      .handleRaw(
        "resourceType",
        handle(({ id }) => described(resourceTypes(base), id, "resource type"))
      )
      .handleRaw(
        "schemas",
        handle(() => all(schemas(base)))
      )
      .handleRaw(
        "schema",
        handle(({ id }) => described(schemas(base), id, "schema"))
      )
      .handleRaw("users", handle(users.list))
      .handleRaw("createUser", handle(users.create))
      .handleRaw("user", handle(users.get))
      .handleRaw("replaceUser", handle(users.replace))
      .handleRaw("patchUser", handle(users.patch))
      .handleRaw("deleteUser", handle(users.remove))
      .handleRaw("groups", handle(groups.list))
      .handleRaw("createGroup", handle(groups.create))
      .handleRaw("group", handle(groups.get))
      .handleRaw("replaceGroup", handle(groups.replace))
      .handleRaw("patchGroup", handle(groups.patch))
      .handleRaw("deleteGroup", handle(groups.remove))
      .handleRaw(
        "bulk",
        handle(() => Effect.fail(unsupported))
      )
      .handleRaw(
        "me",
        handle(() => Effect.fail(unsupported))
      )
  })
)
