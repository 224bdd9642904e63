/** Health endpoints. */
import { Api } from "@kanmon/protocol/Api"
import type { Health } from "@kanmon/protocol/HealthBody"
import { Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

/** Checks everything this process depends on. */
export class HealthCheck extends Context.Service<HealthCheck, { readonly look: Effect.Effect<Health> }>()(
  "@kanmon/control-plane/health/HealthCheck"
) {}

export const layer = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const { look } = yield* HealthCheck
    return handlers.handleAll({
      check: () =>
        Effect.map(look, (health) =>
          HttpServerResponse.jsonUnsafe(health, {
            status: health.status === "ok" ? 200 : 503,
            headers: { "cache-control": "no-store", ...(health.status === "ok" ? {} : { "retry-after": "5" }) }
          })
        ),
      live: () => Effect.succeed({ status: "ok" as const })
    })
  })
)
