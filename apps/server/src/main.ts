/** The `kanmon` command. */
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"
import * as path from "node:path"
import type * as Kanmon from "./cli/Kanmon.ts"
import * as Compiled from "./Compiled.ts"

const settingsFile = ".env"

// Before any setting is read. Existing environment variables take precedence.
if (existsSync(settingsFile)) {
  try {
    process.loadEnvFile(settingsFile)
  } catch (error) {
    // oxlint-disable-next-line no-console -- there is no logger yet
    console.error(`kanmon: ${settingsFile} in ${process.cwd()} cannot be read: ${(error as Error).message}`)
    process.exit(1)
  }
}

// Node resolves names on its thread pool; with the default of four threads, four slow name servers would block all checks.
// oxlint-disable-next-line node/no-process-env -- read by the runtime itself, before anything else.
process.env["UV_THREADPOOL_SIZE"] ??= "32"

// Caches compiled modules in the system's temporary folder, which halves the startup time.
enableCompileCache()

const compiled = Compiled.entry({
  args: process.argv.slice(2),
  // oxlint-disable-next-line node/no-process-env -- settings are read by what is loaded here
  plugins: process.env["KANMON_PLUGINS"],
  root: path.resolve(import.meta.dirname, "../../..")
})
const { run }: typeof Kanmon = await import(compiled ?? "./cli/Kanmon.ts")
run()
