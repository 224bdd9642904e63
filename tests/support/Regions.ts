/** The regions of a process without a database. */
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { ProbeRegionRepository } from "@kanmon/monitoring/testing/regions/ProbeRegionRepository.ts"
import { Effect, Layer } from "effect"

export const layer = (configured: ReadonlyArray<string>) =>
  Regions.layer(configured).pipe(Layer.provide(Layer.mock(ProbeRegionRepository, { seen: () => Effect.succeed([]) })))
