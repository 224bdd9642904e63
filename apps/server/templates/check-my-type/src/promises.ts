/** Checks … */
import { Hostname, Port } from "@kanmon/core/Hostname"
import { definePlugin, definePromiseCheck } from "@kanmon/core/PromisePlugin"
import { Schema } from "effect"

const check = definePromiseCheck({
  type: "my-type",
  summary: "Says in one sentence what it asks of its target.",
  config: Schema.Struct({
    host: Hostname.annotate({ description: "Host name or IP address" }),
    port: Port.annotate({ description: "TCP port" })
  }),
  example: { host: "target.example.org", port: 1234 },
  defaults: { timeout: 10 },
  host: ({ host }) => host,
  target: ({ host, port }) => `${host}:${port}`,
  // One attempt: `attempt` has the network and the signal to stop. Throw `down(…)` or `unknown(…)`.
  run: async (_config, _attempt) => {
    throw new Error("check-my-type is not written yet")
  }
})

export default definePlugin({ name: "check-my-type", contract: 1, checks: [check] })
