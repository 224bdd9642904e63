/** `kanmon serve`: what `npm start` runs. */
import { basePath } from "@kanmon/protocol/Api"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import * as Demonstration from "../demo/Demonstration.ts"
import * as Logging from "../Logging.ts"
import { layer as product, Summary } from "../Product.ts"
import { Settings } from "../Settings.ts"
import * as ProcessMetrics from "../ProcessMetrics.ts"
import * as Telemetry from "../Telemetry.ts"
import { version } from "../version.ts"

const greet = Effect.gen(function* () {
  const { baseUrl, natsUrl, region, roles, signUp, stripeSecretKey, stripeWebhookSecret } = yield* Settings
  const { bus, database, nobodyTold } = yield* Summary
  const api = roles.includes("api")
  const alone = Option.isNone(natsUrl) && roles.length < 3
  const deafToPayments = Option.isSome(stripeSecretKey) && Option.isNone(stripeWebhookSecret)
  yield* Console.log(
    [
      "",
      `  Kanmon ${version} (${roles.join(", ")}${roles.includes("probe") ? ` in ${region}` : ""})`,
      ...(api ? [`  address   ${baseUrl}`] : []),
      `  database  ${database}`,
      `  bus       ${bus}`,
      ...(alone ? ["  NATS_URL is not set: no other process can join this one."] : []),
      ...(api
        ? [
            `  docs      ${baseUrl}${basePath}/docs`,
            "",
            signUp === "open"
              ? `  Next: create your account and get your API key; README.md, "The first monitor", has the four commands.`
              : "  Signing up is closed (KANMON_SIGNUP).",
            ...(nobodyTold ? ["  Nobody is told of outages yet: docs/guide/alerts.md adds a channel and a rule."] : []),
            ...(deafToPayments ? ["  Payments are not heard of: STRIPE_WEBHOOK_SECRET is not set."] : [])
          ]
        : []),
      ""
    ].join("\n")
  )
})

/** What somebody who came to look needs to know. */
const showAround = Effect.gen(function* () {
  const { baseUrl } = yield* Settings
  const { apiKey, email, pageUrl, password } = yield* Demonstration.Demonstration
  yield* Console.log(
    [
      "",
      `  Kanmon ${version}, a demonstration. The shop in it is made up: its monitors, its outages, its incidents.`,
      "",
      `  status page  ${pageUrl}`,
      `  API docs     ${baseUrl}${basePath}/docs`,
      `  account      ${email}, password ${password}`,
      `  API key      ${apiKey}`,
      "",
      "  It lives in a data directory of its own and is made anew when it is older than a day. Ctrl-C stops it.",
      "  For your own monitors, leave out --demo.",
      ""
    ].join("\n")
  )
})

const environment = <E>(settings: Layer.Layer<Settings, E>) =>
  Layer.mergeAll(Telemetry.layer, ProcessMetrics.layer).pipe(
    Layer.provideMerge(Logging.layer),
    Layer.provideMerge(DataDirectory.layerLocked),
    Layer.provideMerge(settings)
  )

const real = (flags: Readonly<Record<string, string>>) =>
  Layer.launch(Layer.effectDiscard(greet).pipe(Layer.provide(product))).pipe(
    Effect.provide(environment(Settings.layerWith(flags)))
  )

const demonstration = Demonstration.serve(showAround).pipe(Effect.provide(environment(Demonstration.settings)))

export const serve = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Shows Kanmon with a made-up shop, in a data directory of its own"),
      Flag.withDefault(false)
    ),
    roles: Flag.String("roles").pipe(
      Flag.withDescription("The parts that this process plays, with commas: api, engine, probe (KANMON_ROLES)"),
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
).pipe(Command.withDescription("Serves: the API, the engine and a probe, or the parts that --roles names"))
