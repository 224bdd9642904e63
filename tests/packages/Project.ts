/** A project of somebody else's, outside this workspace: what is run there, and how it ended. */
import { execFile, type ExecFileException } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import * as Folder from "../support/Folder.ts"
import type { Ran } from "../support/Kanmon.ts"

export interface Project {
  readonly folder: string
  /** Runs a command there, to its end. */
  readonly run: (
    command: string,
    args: ReadonlyArray<string>,
    env?: Readonly<Record<string, string>>
  ) => Effect.Effect<Ran>
  readonly write: (file: string, text: string) => Effect.Effect<void>
}

/** Makes one that takes `@kanmon/…` from a registry of our own, and the rest from npm's. */
export const make = (
  registry: string,
  files: Readonly<Record<string, string>> = {}
): Effect.Effect<Project, never, Scope.Scope> =>
  Effect.map(Folder.make({ ...files, ".npmrc": `@kanmon:registry=${registry}\nignore-scripts=true\n` }), at)

/** The project in a folder that is there. */
export const at = (folder: string): Project => ({
  folder,
  run: (command, args, env) =>
    Effect.callback((resume) => {
      execFile(
        command,
        args,
        { cwd: folder, env: { ...surroundings, ...env }, timeout: 200_000 },
        (error: ExecFileException | null, stdout, stderr) =>
          resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }))
      )
    }),
  write: (file, text) =>
    Effect.promise(async () => {
      await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await fs.writeFile(path.join(folder, file), text)
    })
})

/** As in a terminal: nothing of the test runner's, and nothing of this workspace's npm. Behind a proxy, npm needs its CA. */
const surroundings: Record<string, string> = {
  PATH: process.env["PATH"]!,
  HOME: process.env["HOME"] ?? "/",
  NO_COLOR: "1",
  ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined
    ? {}
    : { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] })
}

/** Installs what its manifest names; what is in npm's cache is not fetched again. */
export const install = ({ run }: Project, ...more: ReadonlyArray<string>): Effect.Effect<Ran> =>
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...more])
