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

it("says before the schedule what to pull once, and what the comparison of a viewer's key leaves out", () => {
  const comment = read("github-actions.yml").split("name: Monitoring")[0]!.replaceAll(/\n# ?/g, " ")
  assert.match(comment, /Once, before the first night: kanmon pull -f monitoring\/ adopts .*the default rule/)
  assert.match(comment, /role viewer, but such a key does not compare headers.*--require-secrets/)
  const guide = fs.readFileSync(path.resolve(import.meta.dirname, "../../docs/guide/as-code.md"), "utf8")
  const imported = guide.split("## Import from Uptime Kuma")[1] ?? ""
  assert.match(imported, /kanmon apply -f kanmon.yaml .*\nkanmon pull -f kanmon.yaml /)
})
