/** The routes of tokens for provisioning: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { ScimToken } from "@kanmon/domain/ScimToken"
import { Api } from "@kanmon/protocol/Api"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { ScimTokenRequest } from "@kanmon/protocol/ScimTokensApi"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { type ScimTokenNotFound, ScimTokens, type TooManyScimTokens } from "./ScimTokens.ts"
import { notIncluded } from "./SignOnProblems.ts"

const read = Payload.read(decodeStrict(ScimTokenRequest))

const draftIn = Effect.fnUntraced(function* (
  payload: unknown
): Effect.fn.Return<Pick<ScimToken, "name" | "expiresAt">, Problem<"validation_failed">> {
  const { name, ...rest } = yield* read(payload)
  return { name, expiresAt: yield* Payload.endIn(rest) }
})

const refusing = asProblem({
  SignOnNotIncluded: notIncluded("no single sign-on and no provisioning"),
  ScimTokenNotFound: (_: ScimTokenNotFound) => notFound("token"),
  TooManyScimTokens: ({ limit }: TooManyScimTokens) =>
    new Problem({
      code: "conflict",
      detail: `The organization has ${limit} tokens, and can have no more; delete one that is not needed`
    })
})

export const layer = HttpApiBuilder.group(
  Api,
  "scimTokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* ScimTokens

    return handlers.handleAll({
      list: () => Effect.flatMap(CallerOrganization, tokens.list),
      create: ({ payload }) =>
        Effect.gen(function* () {
          yield* RecentProof.required
          return yield* tokens.create(yield* CallerOrganization, yield* draftIn(payload))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => tokens.remove(id, params.tokenId)).pipe(
          Effect.as({ id: params.tokenId, deleted: true as const }),
          refusing
        )
    })
  })
)
