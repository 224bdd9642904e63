/** The process of `Kanmon.ts`: runs one `kanmon` command after another, each with settings and a folder of its own. */
import { enableCompileCache } from "node:module"
import * as path from "node:path"
import { Effect } from "effect"
import type * as Kanmon from "../../apps/server/src/cli/Kanmon.ts"
import * as Compiled from "../../apps/server/src/Compiled.js"

/** A command. */
export interface Job {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

// As the command itself does.
enableCompileCache()

const root = path.resolve(import.meta.dirname, "../..")
const compiled = Compiled.entry({ args: [], plugins: undefined, root })
const { perform }: typeof Kanmon =
  compiled === undefined ? await import("../../apps/server/src/cli/Kanmon.ts") : await import(compiled)

/** What the run of tests gives to all of its processes (`loopbackOnly.js`). */
const isOfRun = (name: string): boolean => name === "NODE_OPTIONS" || name.startsWith("LOOPBACK_ONLY_")

const run = async ({ args, cwd, env }: Job): Promise<number> => {
  for (const name of Object.keys(process.env)) if (!isOfRun(name)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(2, Infinity, ...args)
  process.exitCode = undefined
  process.chdir(cwd)
  return await Effect.runPromise(perform())
}

const printed = { stdout: "", stderr: "" }
for (const name of ["stdout", "stderr"] as const) {
  process[name].write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error) => void),
    written?: (error?: Error) => void
  ): boolean => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
    const done = typeof encoding === "function" ? encoding : written
    if (done !== undefined) process.nextTick(done)
    return true
  }
}

// The worker of the tests has ended.
process.on("disconnect", () => process.exit())

process.on("message", (job: Job) => {
  Object.assign(printed, { stdout: "", stderr: "" })
  void run(job).then((code) => process.send!({ code, output: printed.stdout + printed.stderr }))
})
