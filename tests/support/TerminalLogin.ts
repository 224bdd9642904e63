/** `kanmon login` in a process of its own, as it waits for a person. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import type { Ran } from "./Kanmon.ts"

const main = path.resolve(import.meta.dirname, "../../apps/server/src/main.js")
const codePattern = /approve the code ([A-Z-]{9})/

/** Runs the command; `decide` gets the code as soon as it is shown, and what was printed up to then. */
export const run = (
  env: Readonly<Record<string, string>>,
  args: ReadonlyArray<string>,
  decide: (code: string, output: string) => Effect.Effect<unknown>
): Effect.Effect<Ran> =>
  Effect.gen(function* () {
    const child = spawn(process.execPath, [main, "login", ...args], { env: { PATH: process.env["PATH"]!, ...env } })
    let output = ""
    const exit = new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? -1)))
    const code = yield* Effect.promise(
      () =>
        new Promise<string>((resolve) => {
          const read = (chunk: Buffer) => {
            output += String(chunk)
            const found = codePattern.exec(output)?.[1]
            if (found !== undefined) resolve(found)
          }
          child.stdout.on("data", read)
          child.stderr.on("data", read)
          child.on("exit", () => resolve(""))
        })
    )
    if (code !== "") yield* decide(code, output)
    return { code: yield* Effect.promise(() => exit), output }
  })
