/**
 * Sets up runs of tests that start products: they run the compiled server, as users do, which starts with two thirds of the
 * work. `npm ci` leaves one; after a change of the sources it is made again.
 */
import { execFile } from "node:child_process"
import * as path from "node:path"
import { promisify } from "node:util"
import * as Compiled from "../../apps/server/src/Compiled.js"

const root = path.resolve(import.meta.dirname, "../..")

export default async (): Promise<void> => {
  if (Compiled.entry({ args: ["serve"], plugins: undefined, root }) !== undefined) return
  await promisify(execFile)(process.execPath, [path.join(root, "apps/server/scripts/build.ts")])
}
