/**
 * `npm run build`: compiles the server into `dist`, which `src/Compiled.js` finds there. Child processes, and what they load by
 * its URL, are files of their own beside it, as they are in the sources.
 */
import { copyFile, readdir, rm, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { bundle, children, root } from "./bundle.ts"

const dist = path.join(root, "apps/server/dist")

/** Files that are imported by their URL, by their path in `dist`. */
const alone = {
  ...children,
  LoopWatchThread: "apps/server/src/loop-watch/LoopWatchThread.ts",
  "imports/UptimeKumaChild": "apps/server/src/imports/UptimeKumaChild.ts"
}
const sheets = "packages/status-page/src"
/** Files that are read at the start: every stylesheet of status pages. */
const assets = (await readdir(path.join(root, sheets)))
  .filter((name) => name.endsWith(".css"))
  .map((name) => path.join(sheets, name))

const began = Date.now()
await rm(dist, { recursive: true, force: true })
await bundle(dist, { kanmon: "apps/server/src/cli/Kanmon.ts" }, true)
for (const [name, file] of Object.entries(alone)) await bundle(dist, { [name]: file })
for (const asset of assets) await copyFile(path.join(root, asset), path.join(dist, path.basename(asset)))
await writeFile(path.join(dist, "built.json"), JSON.stringify({ at: began }))
console.log(`The server is compiled (${((Date.now() - began) / 1000).toFixed(1)} s)`)
