/** The regions over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Regions } from "./Regions.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "regions",
  Effect.fnUntraced(function* (handlers) {
    const regions = yield* Regions

    return handlers.handleAll({
      list: () =>
        Effect.map(regions.current, ({ labels, probes }) =>
          labels.map((region) => ({ region, alive: (probes[region] ?? 0) > 0 }))
        )
    })
  })
)
