/** Checks … */
import * as Check from "@kanmon/core/Check"
import { Hostname, Port } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect, Schema } from "effect"

const check = Check.define({
  type: "my-type",
  title: "My type",
  summary: "Says in one sentence what it asks of its target.",
  config: Schema.Struct({
    host: Hostname.annotate({ description: "Host name or IP address" }),
    port: Port.annotate({ description: "TCP port" })
  }),
  example: { host: "target.example.org", port: 1234 },
  defaults: { timeout: 10 },
  host: ({ host }) => host,
  target: ({ host, port }) => `${host}:${port}`,
  // One attempt, through the capabilities of the host: the Dialer and the Resolver of @kanmon/core.
  run: (_config, _attempt) => Effect.die(new Error("check-my-type is not written yet"))
})

export default Plugin.define({ name: "check-my-type", contract: 1, checks: [check] })
