/** The composition root: the roles of this process, on the drivers that the settings choose. */
import { layerProbe } from "@kanmon/platform/ProcessHealth"
import { Effect, Layer } from "effect"
import * as Probe from "./roles/Probe.ts"
import * as Shared from "./roles/Shared.ts"
import { Settings } from "./Settings.ts"
import { Summary } from "./Summary.ts"

/** A probe alone, without a database. */
const probe = Layer.merge(Shared.metrics, Summary.layerProbe).pipe(
  Layer.provide(layerProbe),
  Layer.provide(Probe.layer)
)

/** The roles of `KANMON_ROLES`. A probe alone does not load the control plane, which is most of the code. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { roles } = yield* Settings
    if (roles.every((role) => role === "probe")) return probe
    const WithStore = yield* Effect.promise(() => import("./roles/WithStore.ts"))
    return WithStore.layer(roles, Layer.empty)
  })
).pipe(Layer.provide(Shared.layer))
