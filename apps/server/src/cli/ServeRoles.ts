/** Runs the roles of the settings, and prints a greeting when they are ready. */
import { version } from "@kanmon/platform/version"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Console, Effect, Layer, Option } from "effect"
import * as Product from "../Product.ts"
import { LoopWatch } from "../loop-watch/LoopWatch.ts"
import { Settings } from "../Settings.ts"
import { Summary } from "../Summary.ts"
import * as Greeting from "./Greeting.ts"

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
  const printed = process.stdout.isTTY
    ? ["", ...text, ""]
    : Greeting.jsonLines(text, toIso(yield* Clock.currentTimeMillis))
  yield* Console.log(printed.join("\n"))
  yield* Effect.flatMap(LoopWatch, ({ started }) => started)
})

export const run = Layer.launch(Layer.effectDiscard(greet).pipe(Layer.provide(Product.layer)))
