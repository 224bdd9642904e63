/** Checks a URL: status, body, certificate and timing, with a new connection each time. */
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import * as Expressions from "./Expressions.ts"
import { HttpConfig, validate } from "./HttpConfig.ts"
import { run } from "./run.ts"

const http = Check.define({
  type: "http",
  title: "HTTP",
  summary: "Requests a URL and checks status, body, certificate and timing.",
  config: HttpConfig,
  example: { url: "https://example.org/health", expectedStatus: "200-299", bodyContains: "ok" },
  secrets: ["headers", "body", "url", "username", "password", "token", "clientKey", "clientKeyPassphrase"],
  writeOnly: ["password", "token", "clientKey", "clientKeyPassphrase"],
  destination: ["url", "dnsOverride"],
  defaults: { timeout: 30 },
  // With an undecodable body or a rule that exceeds its limits, it is unknown whether a text is present.
  inversion: {
    field: "invert",
    inconclusive: ["body_undecodable", "evaluation_too_expensive", "client_certificate_unusable"]
  },
  validate,
  vetting: { module: Expressions.url, of: Expressions.of, function: Expressions.examine },
  host: ({ dnsOverride, url }) => dnsOverride ?? new URL(url).hostname,
  target: ({ url }) => {
    const { origin, pathname } = new URL(url)
    return `${origin}${pathname}`
  },
  run
})

export default Plugin.define({ name: "@kanmon/check-http", contract: 1, checks: [http] })
