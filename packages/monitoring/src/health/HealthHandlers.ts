/** Health endpoints. */
import { Api } from "@kanmon/protocol/Api"
import { HealthCheck } from "@kanmon/platform/ProcessHealth"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

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
