/** The regions over HTTP. */
import { EventBus } from "@kanmon/core/EventBus"
import { Api } from "@kanmon/protocol/Api"
import { Context, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ProbeRegionRepository } from "./ProbeRegionRepository.ts"
import { Regions } from "./Regions.ts"
import * as RegionStates from "./RegionStates.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "regions",
  Effect.fnUntraced(function* (handlers) {
    const regions = yield* Regions
    const services = Context.make(Regions, regions).pipe(
      Context.add(EventBus, yield* EventBus),
      Context.add(ProbeRegionRepository, yield* ProbeRegionRepository)
    )

    return handlers.handleAll({
      list: () =>
        Effect.map(regions.current, ({ labels, probes }) =>
          labels.map((region) => ({ region, alive: (probes[region] ?? 0) > 0 }))
        ),
      probes: () => Effect.provide(RegionStates.list, services)
    })
  })
)
