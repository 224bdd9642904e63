/**
 * `kanmon serve --demo`: the product with the shop of `@kanmon/demo`, in a separate data directory with embedded servers.
 * It ignores the database and the bus that the settings name.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { unlimitedPlanId } from "@kanmon/domain/Plan"
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import { Monitors } from "@kanmon/monitoring/monitors"
import { Projects } from "@kanmon/identity/projects"
import { Cause, Clock, Context, Effect, Layer, Option, Predicate } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import { authSettings } from "../roles/ControlPlane.ts"
import * as Shared from "../roles/Shared.ts"
import * as WithStore from "../roles/WithStore.ts"
import { Settings } from "../Settings.ts"
import * as DemoManifest from "./DemoManifest.ts"
import * as JobSimulator from "@kanmon/demo/JobSimulator"
import * as OnCall from "@kanmon/demo/OnCall"
import * as SignInLink from "@kanmon/demo/SignInLink"
import * as Seed from "./Seed.ts"
import * as Targets from "@kanmon/demo/Targets"

/** Address and credentials of the demo. */
export class Demonstration extends Context.Service<
  Demonstration,
  {
    readonly pageUrl: string
    readonly email: string
    readonly password: string
    readonly apiKey: string
    /** Signs in once, without the password; undefined where the demo is not opened on this machine. */
    readonly signInUrl: string | undefined
  }
>()("@kanmon/server/Demonstration") {}

/** The settings of the environment, without those that refer to an installation's data, listeners and providers. */
export const settings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const real = yield* Settings
    const dataDirectory = path.resolve(real.dataDirectory, "demo")
    // The embedded database may run as another user, which needs access to its files.
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
      // The shop checks more often than the free plan allows.
      defaultPlan: unlimitedPlanId,
      stripeSecretKey: Option.none(),
      roles: ["api", "engine", "probe"],
      allowPrivateTargets: true
    })
  })
).pipe(Layer.provide(Settings.layer))

/** The API's address for a process on this machine. */
const apiUrl = Effect.map(Settings, ({ baseUrl, host, port }) => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}${BaseAddress.pathOf(baseUrl)}${basePath}`
})

/** Starts the targets, creates the shop's data unless it exists, and simulates its jobs. */
const prepare = (earlier: Option.Option<DemoManifest.DemoManifest>) =>
  Effect.gen(function* () {
    const directory = yield* DataDirectory
    const { baseUrl } = yield* Settings
    const projects = yield* Projects
    const monitors = yield* Monitors
    const ports = yield* Targets.start(Option.map(earlier, (manifest) => manifest.ports).pipe(Option.getOrUndefined))
    const manifest = Option.isSome(earlier)
      ? earlier.value
      : yield* Effect.flatMap(Seed.run(ports), (created) => DemoManifest.write(directory.path, created))
    const { apiKey, id } = yield* projects.get(manifest.projectId)
    const jobs = yield* monitors.list(id, { type: "heartbeat", limit: 100, cursor: undefined })
    const api = yield* apiUrl
    for (const { signalToken } of jobs.items)
      if (signalToken !== null) yield* Effect.forkScoped(JobSimulator.simulate(`${api}/heartbeat/${signalToken}`))
    const { email, password } = manifest
    const access = { api, email, password }
    if (Option.isNone(earlier)) {
      const { items } = yield* monitors.list(id, { q: "Card payments", limit: 1, cursor: undefined })
      for (const payments of items)
        yield* Effect.forkScoped(
          OnCall.respond(access, id, payments.id, `http://127.0.0.1:${ports.http}/shop`, manifest.policyId)
        )
    }
    const signInUrl = yield* SignInLink.start(baseUrl, OnCall.signIn(access))
    return Demonstration.of({ pageUrl: `${baseUrl}/status/${Seed.slug}`, email, password, apiKey, signInUrl })
  })

const product = (earlier: Option.Option<DemoManifest.DemoManifest>) =>
  WithStore.layer(
    ["api", "engine", "probe"],
    Layer.effect(Demonstration, prepare(earlier)).pipe(Layer.provide(authSettings))
  ).pipe(Layer.provide(Shared.layer))

/** Serves the demo until interrupted and runs `greet` when it is ready. Reuses an earlier demo; recreates it if it does not start. */
export const serve = <E, R>(greet: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { path: directory } = yield* DataDirectory
    const earlier = yield* DemoManifest.read(directory, yield* Clock.currentTimeMillis)
    const launch = (manifest: Option.Option<DemoManifest.DemoManifest>) =>
      Layer.launch(Layer.effectDiscard(greet).pipe(Layer.provide(product(manifest))))
    const recreate = Effect.andThen(DemoManifest.wipe(directory), launch(Option.none()))
    if (Option.isNone(earlier)) return yield* recreate
    return yield* launch(earlier).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) || Predicate.isTagged(Cause.squash(cause), "ServeError")
          ? Effect.failCause(cause)
          : Effect.logWarning("The earlier demo does not start; it is recreated", cause).pipe(Effect.andThen(recreate))
      )
    )
  })
