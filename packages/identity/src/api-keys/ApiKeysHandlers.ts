/** The routes of API keys: each handler only translates. */
import { ApiKey } from "@kanmon/domain/ApiKey"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { ApiKeyNotFound, OrganizationNotFound, ProjectNotFound } from "@kanmon/domain/NotFound"
import { Api } from "@kanmon/protocol/Api"
import { ApiKeyRequest } from "@kanmon/protocol/ApiKeysApi"
import { CallerOrganization, CallerProject } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { type ApiKeyDraft, ApiKeys, type TooManyApiKeys } from "./ApiKeys.ts"

const read = Payload.read(decodeStrict(ApiKeyRequest))
const encode = Schema.encodeSync(ApiKey)

const draftIn = Effect.fnUntraced(function* (
  payload: unknown
): Effect.fn.Return<ApiKeyDraft, Problem<"validation_failed">> {
  const { name, role, ...rest } = yield* read(payload)
  return { name, role, expiresAt: yield* Payload.endIn(rest) }
})

const refusing = asProblem({
  ApiKeyNotFound: (_: ApiKeyNotFound) => notFound("API key"),
  ProjectNotFound: (_: ProjectNotFound) => notFound("project"),
  OrganizationNotFound: (_: OrganizationNotFound) => notFound("organization"),
  TooManyApiKeys: ({ limit, owner }: TooManyApiKeys) =>
    new Problem({
      code: "conflict",
      detail: `The ${"projectId" in owner ? "project" : "organization"} has ${limit} API keys, and can have no more; delete one that is not needed`
    })
})

const ofOrganization = Effect.map(CallerOrganization, (organizationId) => ({ organizationId }))
const ofProject = Effect.map(CallerProject, (projectId) => ({ projectId }))

const organizationKeys = HttpApiBuilder.group(
  Api,
  "organizationKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* keys.list(yield* ofOrganization, yield* Paging.read(query))
          return yield* Paging.answer(page, encode, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          yield* RecentProof.required
          return yield* keys.create(yield* ofOrganization, yield* draftIn(payload))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(ofOrganization, (owner) => keys.remove(owner, params.keyId)).pipe(
          Effect.as({ id: params.keyId, deleted: true as const }),
          refusing
        )
    })
  })
)

const projectKeys = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* keys.list(yield* ofProject, yield* Paging.read(query))
          return yield* Paging.answer(page, encode, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          yield* RecentProof.requiredOfSession
          return yield* keys.create(yield* ofProject, yield* draftIn(payload))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(ofProject, (owner) => keys.remove(owner, params.keyId)).pipe(
          Effect.as({ id: params.keyId, deleted: true as const }),
          refusing
        )
    })
  })
)

export const layer = Layer.merge(projectKeys, organizationKeys)
