/** Runs the `kanmon` command as a process and returns its output. */
import { execFile, type ExecFileException } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"

const main = path.resolve(import.meta.dirname, "../../apps/server/src/main.js")

/** Only a command that hangs takes so long. */
const limitMillis = 240_000

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs a command to completion in a folder; by default the repository's. */
export const kanmon = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  options: { readonly cwd?: string } = {}
): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    execFile(
      process.execPath,
      [main, ...args],
      {
        cwd: options.cwd ?? path.resolve(import.meta.dirname, "../.."),
        env: { PATH: process.env["PATH"]!, HOME: process.env["HOME"] ?? "/", ...env },
        timeout: limitMillis
      },
      (error: ExecFileException | null, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }))
    )
  })
