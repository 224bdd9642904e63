/** Checks that a host answers, by a TCP handshake on port 80 instead of ICMP. */
import * as Check from "@kanmon/core/Check"
import { Hostname } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { connect } from "@kanmon/core/TcpCheck"
import { Schema } from "effect"

const port = 80

const ping = Check.define({
  type: "ping",
  summary: "Opens a TCP connection to port 80 of a host.",
  config: Schema.Struct({ host: Hostname.annotate({ description: "Host name or IP address" }) }),
  example: { host: "example.org" },
  defaults: { timeout: 10 },
  host: ({ host }) => host,
  target: ({ host }) => host,
  run: ({ host }, attempt) => connect(host, port, attempt)
})

export default Plugin.define({ name: "@kanmon/check-ping", contract: 1, checks: [ping] })
