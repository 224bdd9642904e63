/** `kanmon serve`: what `npm start` runs. */
import { basePath } from "@kanmon/protocol/Api"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { DataDirectory } from "../DataDirectory.ts"
import * as Logging from "../Logging.ts"
import { layer as product, Summary } from "../Product.ts"
import { Settings } from "../Settings.ts"
import * as Telemetry from "../Telemetry.ts"
import { version } from "../version.ts"

const greet = Effect.gen(function* () {
  const { baseUrl, region, roles, signUp } = yield* Settings
  const { bus, database, nobodyTold } = yield* Summary
  const api = roles.includes("api")
  yield* Console.log(
    [
      "",
      `  Kanmon ${version} (${roles.join(", ")}${roles.includes("probe") ? ` in ${region}` : ""})`,
      ...(api ? [`  address   ${baseUrl}`] : []),
      `  database  ${database}`,
      `  bus       ${bus}`,
      ...(api
        ? [
            `  docs      ${baseUrl}${basePath}/docs`,
            "",
            signUp === "open"
              ? `  Next: create your account and get your API key; README.md, "The first monitor", has the four commands.`
              : "  Signing up is closed (KANMON_SIGNUP).",
            ...(nobodyTold ? ["  Nobody is told of outages yet: docs/guide/alerts.md adds a channel and a rule."] : [])
          ]
        : []),
      ""
    ].join("\n")
  )
})

const running = Layer.effectDiscard(greet).pipe(Layer.provide(product))

const environment = Layer.mergeAll(Logging.layer, Telemetry.layer).pipe(
  Layer.provideMerge(DataDirectory.layerLocked),
  Layer.provideMerge(Settings.layer)
)

export const serve = Command.make("serve", {}, () => Layer.launch(running.pipe(Layer.provide(environment)))).pipe(
  Command.withDescription("Serves: the API, the engine and a probe, or the roles that KANMON_ROLES names")
)
