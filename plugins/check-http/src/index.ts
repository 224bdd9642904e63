/** Checks a URL: status, body, certificate and timing, over a fresh connection each time. */
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { HttpConfig, validate } from "./HttpConfig.ts"
import { run } from "./run.ts"

const http = Check.define({
  type: "http",
  summary: "Requests a URL and looks at status, body, certificate and timing.",
  config: HttpConfig,
  example: { url: "https://example.org/health", expectedStatus: "200-299", bodyContains: "ok" },
  secrets: ["headers", "body", "url"],
  defaults: { timeout: 30 },
  // Nobody knows whether a text is in a body that cannot be read, or is looked for with rules that come to no end.
  inversion: { field: "invert", inconclusive: ["body_undecodable", "evaluation_too_expensive"] },
  validate,
  host: ({ url }) => new URL(url).hostname,
  target: ({ url }) => {
    const { origin, pathname } = new URL(url)
    return `${origin}${pathname}`
  },
  run
})

export default Plugin.define({ name: "@kanmon/check-http", contract: 1, checks: [http] })
