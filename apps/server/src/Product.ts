/** The composition root: the roles of this process, on the drivers that the settings choose. */
import * as Health from "@kanmon/control-plane/health"
import { Effect, Layer } from "effect"
import * as Api from "./roles/Api.ts"
import * as ControlPlane from "./roles/ControlPlane.ts"
import * as Engine from "./roles/Engine.ts"
import * as Probe from "./roles/Probe.ts"
import * as Shared from "./roles/Shared.ts"
import { type Role, Settings } from "./Settings.ts"
import { Summary } from "./Summary.ts"

type Roles = ReadonlyArray<Role>

const when = <E, R>(isPlayed: boolean, role: Layer.Layer<never, E, R>): Layer.Layer<never, E, R> =>
  isPlayed ? role : Layer.empty

/** The api, the engine or both, with this process's probe if it has one. `preparation` runs on the store before them. */
const controlPlane = <A, E, R>(roles: Roles, preparation: Layer.Layer<A, E, R>) =>
  Layer.merge(Shared.metrics, Summary.layer).pipe(
    // A process counts as live when all its roles have started.
    Layer.provide(Layer.merge(when(roles.includes("api"), Api.layer), when(roles.includes("engine"), Engine.layer))),
    Layer.provide(Health.layer),
    // Below the api, which reports the health of its process's probe.
    Layer.provide(when(roles.includes("probe"), Probe.layer)),
    Layer.provide(ControlPlane.services),
    Layer.provideMerge(preparation),
    Layer.provide(ControlPlane.store)
  )

/** A probe alone, without a database. */
const probe = Layer.merge(Shared.metrics, Summary.layerProbe).pipe(
  Layer.provide(Health.layerProbe),
  Layer.provide(Probe.layer)
)

/** The roles of `KANMON_ROLES`. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ roles }) =>
    roles.some((role) => role !== "probe") ? controlPlane(roles, Layer.empty) : probe
  )
).pipe(Layer.provide(Shared.layer))

/** All roles; `preparation` runs after the store is ready and before checks and requests begin. */
export const layerAfter = <A, E, R>(preparation: Layer.Layer<A, E, R>) =>
  controlPlane(["api", "engine", "probe"], preparation).pipe(Layer.provide(Shared.layer))
