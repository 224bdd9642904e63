/**
 * The whole product with a made-up shop in it, in a data directory and with servers of its own: whatever the settings
 * name, nothing real is read or written.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { unlimitedPlanId } from "@kanmon/domain/Plan"
import { basePath } from "@kanmon/protocol/Api"
import { Monitors } from "@kanmon/store/monitors/Monitors"
import { Projects } from "@kanmon/store/accounts/Projects"
import { Cause, Clock, Context, Effect, Layer, Option, Predicate } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import { authSettings, layerAfter } from "../Product.ts"
import { Settings } from "../Settings.ts"
import * as Imprint from "./Imprint.ts"
import * as Pulse from "./Pulse.ts"
import * as Seed from "./Seed.ts"
import * as Targets from "./Targets.ts"

/** For people: how to get at what was made up. */
export class Demonstration extends Context.Service<
  Demonstration,
  {
    readonly pageUrl: string
    readonly email: string
    readonly password: string
    readonly apiKey: string
  }
>()("@kanmon/server/Demonstration") {}

/** The settings of the environment, with everything closed that leads to an installation's data and pages. */
export const settings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const real = yield* Settings
    const dataDirectory = path.resolve(real.dataDirectory, "demo")
    // The embedded database may run as a user of its own, who has to get through to its files.
    yield* Effect.promise(() => fs.mkdir(path.dirname(dataDirectory), { recursive: true, mode: 0o711 }).catch(() => {}))
    return Settings.of({
      ...real,
      dataDirectory,
      secret: Option.none(),
      databaseUrl: Option.none(),
      natsUrl: Option.none(),
      watchdogUrl: Option.none(),
      otlpEndpoint: Option.none(),
      pagesDomain: Option.none(),
      pagesHost: Option.none(),
      tlsPort: Option.none(),
      http01Port: Option.none(),
      // The shop looks at itself more often than the free plan allows, and pays nobody.
      defaultPlan: unlimitedPlanId,
      stripeSecretKey: Option.none(),
      roles: ["api", "engine", "probe"],
      allowPrivateTargets: true
    })
  })
).pipe(Layer.provide(Settings.layer))

/** Where a process on this machine reaches the API. */
const apiUrl = Effect.map(Settings, ({ host, port }) => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}${basePath}`
})

/** Starts the targets, makes the shop unless it was made before, and keeps its jobs running. */
const prepare = (earlier: Option.Option<Imprint.Imprint>) =>
  Effect.gen(function* () {
    const directory = yield* DataDirectory
    const { baseUrl } = yield* Settings
    const projects = yield* Projects
    const monitors = yield* Monitors
    const ports = yield* Targets.start(Option.map(earlier, (imprint) => imprint.ports).pipe(Option.getOrUndefined))
    const imprint = Option.isSome(earlier)
      ? earlier.value
      : yield* Effect.flatMap(Seed.plant(ports), (made) => Imprint.write(directory.path, made))
    const { apiKey, id } = yield* projects.get(imprint.projectId)
    const jobs = yield* monitors.list(id, { type: "heartbeat", limit: 100, cursor: undefined })
    const api = yield* apiUrl
    for (const { signalToken } of jobs.items)
      if (signalToken !== null) yield* Effect.forkScoped(Pulse.beat(`${api}/heartbeat/${signalToken}`))
    const { email, password } = imprint
    return Demonstration.of({ pageUrl: `${baseUrl}/status/${Seed.slug}`, email, password, apiKey })
  })

const product = (earlier: Option.Option<Imprint.Imprint>) =>
  layerAfter(Layer.effect(Demonstration, prepare(earlier)).pipe(Layer.provide(authSettings)))

/**
 * Serves the demonstration until interrupted; `greet` is told when it stands. One that was made earlier is shown again,
 * and made anew when it does not start.
 */
export const serve = <E, R>(greet: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { path: directory } = yield* DataDirectory
    const earlier = yield* Imprint.read(directory, yield* Clock.currentTimeMillis)
    const launch = (imprint: Option.Option<Imprint.Imprint>) =>
      Layer.launch(Layer.effectDiscard(greet).pipe(Layer.provide(product(imprint))))
    const anew = Effect.andThen(Imprint.wipe(directory), launch(Option.none()))
    if (Option.isNone(earlier)) return yield* anew
    return yield* launch(earlier).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) || Predicate.isTagged(Cause.squash(cause), "ServeError")
          ? Effect.failCause(cause)
          : Effect.logWarning("The demonstration does not start again; it is made anew", cause).pipe(
              Effect.andThen(anew)
            )
      )
    )
  })
