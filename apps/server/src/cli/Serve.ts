/** `kanmon serve`, which `npm start` runs. */
import { Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import { EmbeddedServers } from "../EmbeddedServers.ts"
import { LoopWatch, quarantine } from "../loop-watch/LoopWatch.ts"
import * as Logging from "../Logging.ts"
import * as ProcessMetrics from "../ProcessMetrics.ts"
import * as RunningServer from "../RunningServer.ts"
import { Settings } from "../Settings.ts"
import * as StopLog from "../StopLog.ts"
import * as Telemetry from "../Telemetry.ts"

const environment = <E>(settings: Layer.Layer<Settings, E>) =>
  Layer.mergeAll(Telemetry.layer, ProcessMetrics.layer, RunningServer.announced, LoopWatch.layer).pipe(
    Layer.provideMerge(quarantine),
    Layer.provideMerge(StopLog.layer),
    Layer.provideMerge(Logging.layer),
    Layer.provideMerge(DataDirectory.layerLocked),
    Layer.provideMerge(settings)
  )

/** The settings are read before the product is loaded: a bad one is reported at once. */
const real = (flags: Readonly<Record<string, string>>) =>
  Effect.promise(() => import("./ServeRoles.ts")).pipe(
    Effect.flatMap(({ run }) => run),
    Effect.provide(EmbeddedServers.layer.pipe(Layer.provideMerge(environment(Settings.layerWith(flags)))))
  )

const demonstration = Effect.flatMap(
  Effect.promise(() => import("./ServeDemo.ts")),
  ({ run, settings }) => Effect.provide(run, environment(settings))
)

export const serve = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Runs a demo with a fictional shop, in a separate data directory"),
      Flag.withDefault(false)
    ),
    roles: Flag.String("roles").pipe(
      Flag.withDescription("The roles of this process, separated by commas: api, engine, probe (KANMON_ROLES)"),
      Flag.optional
    ),
    region: Flag.String("region").pipe(
      Flag.withDescription("The region of this process's probe, such as us-east (KANMON_REGION)"),
      Flag.optional
    )
  },
  ({ demo, region, roles }) =>
    demo
      ? demonstration
      : real({
          ...Option.match(roles, { onNone: () => ({}), onSome: (KANMON_ROLES) => ({ KANMON_ROLES }) }),
          ...Option.match(region, { onNone: () => ({}), onSome: (KANMON_REGION) => ({ KANMON_REGION }) })
        })
).pipe(Command.withDescription("Runs the API, the engine and a probe, or the roles of --roles"))
