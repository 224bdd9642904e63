#!/usr/bin/env node
/** The `kanmon` command of the package. */
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"

const complain = (message) => {
  process.stderr.write(`kanmon: ${message}\n`)
  process.exit(1)
}

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19))
  complain(`Node ${process.versions.node} is too old; install Node 22.19 or newer`)

// Before any setting is read. Existing environment variables take precedence.
if (existsSync(".env")) {
  try {
    process.loadEnvFile(".env")
  } catch (error) {
    complain(`.env in ${process.cwd()} cannot be read: ${error.message}`)
  }
}

// Plugins share the host's modules, and a compiled program has none to share.
// oxlint-disable-next-line node/no-process-env -- settings are read by what is loaded below
if ((process.env.KANMON_PLUGINS ?? "").trim() !== "")
  complain(
    "KANMON_PLUGINS: this package has the plugins that come with Kanmon, and loads no others; use the kanmon command of an installation, such as its container image"
  )

enableCompileCache()
const program = new URL("dist/kanmon.js", import.meta.url)
const { run } = await import(program.href)
run()
