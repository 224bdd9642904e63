/** The alerts in docs/deploy/prometheus ask for metrics that there are, and the guide explains each. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { metrics } from "../../apps/server/scripts/metrics.ts"
import { read, root } from "../support/Deployment.ts"

interface Rules {
  readonly groups: ReadonlyArray<{
    readonly rules: ReadonlyArray<{ readonly alert: string; readonly expr: string; readonly annotations: object }>
  }>
}

const file = "prometheus/kanmon.rules.yaml"
const rules = async () => (parse(await read(file)) as Rules).groups.flatMap((group) => group.rules)
const all = Object.values(metrics).flat()

const promtool = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .map((folder) => path.join(folder, "promtool"))
  .find((program) => existsSync(program))

describe("the metrics", () => {
  it("has unique names and descriptions", () => {
    const names = all.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const { description, name } of all) {
      assert.match(name, /^(kanmon|process|nodejs)_[a-z0-9_]+$/)
      assert.isAbove(description.length, 0, name)
    }
  })
})

describe("the alerts", () => {
  it("uses existing metrics", async () => {
    const known = new Map(all.map(({ name, type }) => [name, type]))
    for (const { alert, expr } of await rules()) {
      const names = expr.match(/\b(kanmon|process|nodejs)_\w+/g) ?? []
      if (alert !== "KanmonDown") assert.isAbove(names.length, 0, alert)
      for (const name of names) {
        const own = name.replace(/_(bucket|count|sum)$/, "")
        assert.isTrue(known.has(name) || known.get(own) === "histogram", `${alert} asks for ${name}`)
      }
    }
  })

  it("explains every alert, and no others", async () => {
    const guide = await fs.readFile(path.join(root, "docs/operate/watching.md"), "utf8")
    assert.deepStrictEqual(
      [...guide.matchAll(/^\| `(Kanmon\w+)`/gm)].map(([, name]) => name),
      (await rules()).map(({ alert }) => alert)
    )
  })

  it.skipIf(promtool === undefined)("passes promtool", async () => {
    const folder = path.join(root, "docs/deploy/prometheus")
    await promisify(execFile)(promtool!, ["check", "rules", path.join(folder, "kanmon.rules.yaml")])
    await promisify(execFile)(promtool!, ["check", "config", path.join(folder, "prometheus.yml")])
  })
})
