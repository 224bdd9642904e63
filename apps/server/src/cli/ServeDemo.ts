/** Runs the demo, and prints its addresses and its account when it is ready. */
import { version } from "@kanmon/platform/version"
import { basePath } from "@kanmon/protocol/BasePath"
import { Console, Effect } from "effect"
import * as Demonstration from "../demo/Demonstration.ts"
import { LoopWatch } from "../loop-watch/LoopWatch.ts"
import { Settings } from "../Settings.ts"

export const { settings } = Demonstration

const greet = Effect.gen(function* () {
  const { baseUrl } = yield* Settings
  const { apiKey, email, pageUrl, password, signInUrl } = yield* Demonstration.Demonstration
  yield* Console.log(
    [
      "",
      `  Kanmon ${version}, demo. Its shop is fictional, with all monitors, outages and incidents.`,
      "",
      `  dashboard    ${signInUrl ?? baseUrl}${signInUrl === undefined ? "" : "  (signs you in, once)"}`,
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
  yield* Effect.flatMap(LoopWatch, ({ started }) => started)
})

export const run = Demonstration.serve(greet)
