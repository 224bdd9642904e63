/** Regions as a process sees them that has no database to remember them. */
import { Regions } from "@kanmon/engine/Regions"
import { ProbeRegions } from "@kanmon/store/regions/ProbeRegions"
import { Effect, Layer } from "effect"

export const layer = (configured: ReadonlyArray<string>) =>
  Regions.layer(configured).pipe(Layer.provide(Layer.mock(ProbeRegions, { seen: () => Effect.succeed([]) })))
