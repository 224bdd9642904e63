/** Health over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import type { Health } from "@kanmon/protocol/HealthApi"
import { Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

/** Looks at everything this process depends on. */
export class HealthCheck extends Context.Service<HealthCheck, { readonly look: Effect.Effect<Health> }>()(
  "@kanmon/server/HealthCheck"
) {}

export const layer = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const { look } = yield* HealthCheck
    return handlers.handleAll({
      check: () =>
        Effect.map(
          look,
          (health) =>
            HttpServerResponse.jsonUnsafe(health, {
              status: health.status === "ok" ? 200 : 503,
              headers: { "cache-control": "no-store", ...(health.status === "ok" ? {} : { "retry-after": "5" }) }
            }) as never
        ),
      live: () => Effect.succeed({ status: "ok" as const })
    })
  })
)
