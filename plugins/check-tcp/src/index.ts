/** Checks that a TCP port accepts connections. */
import * as Check from "@kanmon/core/Check"
import { Hostname, Port } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { connect } from "@kanmon/core/TcpCheck"
import { Schema } from "effect"

const tcp = Check.define({
  type: "tcp",
  title: "TCP",
  summary: "Opens a TCP connection to a port.",
  config: Schema.Struct({
    host: Hostname.annotate({ description: "Host name or IP address" }),
    port: Port.annotate({ description: "TCP port" })
  }),
  example: { host: "db.example.org", port: 5432 },
  defaults: { timeout: 10 },
  host: ({ host }) => host,
  target: ({ host, port }) => `${host}:${port}`,
  run: ({ host, port }, attempt) => connect(host, port, attempt)
})

export default Plugin.define({ name: "@kanmon/check-tcp", contract: 1, checks: [tcp] })
