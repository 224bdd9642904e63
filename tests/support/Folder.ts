/** A folder outside the workspace that is removed when the scope closes. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Effect, type Scope } from "effect"

/** Creates a folder with these files, by path. */
export const make = (files: Readonly<Record<string, string>> = {}): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), "kanmon-outside-")))
      await fs.chmod(folder, 0o755)
      for (const [name, text] of Object.entries(files)) {
        await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true })
        await fs.writeFile(path.join(folder, name), text)
      }
      return folder
    }),
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
  )
