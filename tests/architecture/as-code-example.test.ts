/** The example of a workflow fits the example of a file: it passes its variables, and notices changes by hand. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { parse } from "yaml"

const read = (name: string): string =>
  fs.readFileSync(path.resolve(import.meta.dirname, "../../docs/examples/as-code", name), "utf8")

interface Workflow {
  readonly on: { readonly schedule?: ReadonlyArray<{ readonly cron: string }> }
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { readonly if: string; readonly steps: ReadonlyArray<{ readonly run?: string }> }>
  >
}

it("passes every variable of the file, and compares the server with it on a schedule", () => {
  const { env, jobs, on } = parse(read("github-actions.yml")) as Workflow
  const needed = new Set([...read("kanmon.yaml").matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name!))
  assert.isAbove(needed.size, 0)
  for (const name of needed) assert.strictEqual(env[name], `\${{ secrets.${name} }}`)
  assert.lengthOf(on.schedule ?? [], 1)
  const scheduled = Object.values(jobs).find((job) => job.if === "github.event_name == 'schedule'")
  assert.match(scheduled?.steps.at(-1)?.run ?? "", / pull -f monitoring\/ --check$/)
})
