/** The `kanmon` command. */
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"

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

const { run } = await import("./cli/Kanmon.ts")
run()
