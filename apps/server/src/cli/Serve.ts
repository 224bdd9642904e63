/** `kanmon serve`: what `npm start` runs. */
import { basePath } from "@kanmon/protocol/Api"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import * as Demonstration from "../demo/Demonstration.ts"
import * as Logging from "../Logging.ts"
import * as Greeting from "./Greeting.ts"
import * as Product from "../Product.ts"
import * as RunningServer from "../RunningServer.ts"
import { Settings } from "../Settings.ts"
import { Summary } from "../Summary.ts"
import * as ProcessMetrics from "../ProcessMetrics.ts"
import * as Telemetry from "../Telemetry.ts"
import { version } from "@kanmon/control-plane/version"

const greet = Effect.gen(function* () {
  const { adminEmails, baseUrl, natsUrl, region, roles, signUp, stripeSecretKey, stripeWebhookSecret } = yield* Settings
  const { localAccess, ...summary } = yield* Summary
  const text = Greeting.lines({
    ...summary,
    version,
    roles,
    region,
    baseUrl,
    signUp,
    namedAdmins: adminEmails.length,
    localAccess: Option.getOrUndefined(localAccess),
    ownBus: Option.isNone(natsUrl),
    webhooksDisabled: Option.isSome(stripeSecretKey) && Option.isNone(stripeWebhookSecret)
  })
  yield* Console.log(["", ...text, ""].join("\n"))
})

/** What a demo prints: its addresses and its account. */
const greetDemo = Effect.gen(function* () {
  const { baseUrl } = yield* Settings
  const { apiKey, email, pageUrl, password } = yield* Demonstration.Demonstration
  yield* Console.log(
    [
      "",
      `  Kanmon ${version}, demo. Its shop is fictional, with all monitors, outages and incidents.`,
      "",
      `  status page  ${pageUrl}`,
      `  API docs     ${baseUrl}${basePath}/docs`,
      `  account      ${email}, password ${password}`,
      `  API key      ${apiKey}`,
      "",
      "  The demo has its own data directory and is created again after a day. Ctrl-C stops it.",
      "  For your own monitors, omit --demo.",
      ""
    ].join("\n")
  )
})

const environment = <E>(settings: Layer.Layer<Settings, E>) =>
  Layer.mergeAll(Telemetry.layer, ProcessMetrics.layer, RunningServer.announced).pipe(
    Layer.provideMerge(Logging.layer),
    Layer.provideMerge(DataDirectory.layerLocked),
    Layer.provideMerge(settings)
  )

const real = (flags: Readonly<Record<string, string>>) =>
  Layer.launch(Layer.effectDiscard(greet).pipe(Layer.provide(Product.layer))).pipe(
    Effect.provide(environment(Settings.layerWith(flags)))
  )

const demonstration = Demonstration.serve(greetDemo).pipe(Effect.provide(environment(Demonstration.settings)))

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
