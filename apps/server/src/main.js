/** The `kanmon` command. JavaScript, as is `Compiled.js`: to read types, Node loads a compiler, which stays in memory with 12 MB. */
import { enableCompileCache } from "node:module"
import * as path from "node:path"
import * as Compiled from "./Compiled.js"
import * as EnvironmentFile from "./EnvironmentFile.js"

EnvironmentFile.load()

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
/** @type {typeof import("./cli/Kanmon.ts")} */
const { run } = compiled === undefined ? await import("./cli/Kanmon.ts") : await import(compiled)
run()
