/** The `kanmon` command. */
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"

const settingsFile = ".env"

// Before anything reads a setting. What the environment has already goes first.
if (existsSync(settingsFile)) {
  try {
    process.loadEnvFile(settingsFile)
  } catch (error) {
    // oxlint-disable-next-line no-console -- there is no logger yet
    console.error(`kanmon: ${settingsFile} in ${process.cwd()} cannot be read: ${(error as Error).message}`)
    process.exit(1)
  }
}

// Name lookups run on Node's thread pool: with its four threads, four slow name servers would hold up every check.
// oxlint-disable-next-line node/no-process-env -- read by the runtime itself, before anything else.
process.env["UV_THREADPOOL_SIZE"] ??= "32"

// What is loaded is kept compiled, below the system's folder for temporary files: the next start takes half the time.
enableCompileCache()

const { run } = await import("./cli/Kanmon.ts")
run()
