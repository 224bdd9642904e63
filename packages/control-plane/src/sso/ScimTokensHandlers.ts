/** The routes of tokens for provisioning: each handler only translates. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ScimToken } from "@kanmon/domain/ScimToken"
import { Api } from "@kanmon/protocol/Api"
import * as Body from "@kanmon/protocol/Body"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { ScimTokenRequest } from "@kanmon/protocol/ScimTokensApi"
import { PlanId } from "@kanmon/domain/Ids"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "../platform/http/AsProblem.ts"
import { type ScimTokenNotFound, ScimTokens, type TooManyScimTokens } from "./ScimTokens.ts"
import type { SignOnNotIncluded } from "./SignOns.ts"

const decodeBody = decodeStrict(ScimTokenRequest)

const draftIn = Effect.fnUntraced(function* (
  payload: unknown
): Effect.fn.Return<Pick<ScimToken, "name" | "expiresAt">, Problem<"validation_failed">> {
  const unfit = Body.objection(payload)
  if (unfit !== undefined) return yield* invalid([unfit])
  const decoded = decodeBody(payload)
  if (decoded._tag === "Failure") return yield* invalid(decoded.failure.errors)
  const { expiresAt = null, name } = decoded.success
  if (expiresAt !== null && expiresAt <= (yield* Clock.currentTimeMillis))
    return yield* invalid([{ path: "expiresAt", message: "Expected a time in the future" }])
  return { name, expiresAt }
})

const refusing = asProblem({
  InvalidFields: ({ errors }: InvalidFields) => invalid(errors),
  SignOnNotIncluded: ({ planId, planName }: SignOnNotIncluded) =>
    new Problem({
      code: "plan_limit_reached",
      detail: `The plan ${planName} includes no single sign-on and no provisioning; change the plan, or ask the operator of this installation`,
      planLimit: { limit: 0, current: 1, planId: PlanId.make(planId) }
    }),
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
