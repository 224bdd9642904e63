/**
 * The walls between rooms hold: the tree passes, and each wall's canary, a planted violation, turns the linter red.
 * A gate that is silent is worse than none.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")
const oxlint = path.join(root, "node_modules/.bin/oxlint")

interface Canary {
  readonly wall: string
  readonly file: string
  readonly source: string
  readonly rule: string
  readonly beside?: Readonly<Record<string, string>>
}

const restricted = "no-restricted-imports"

const canaries: ReadonlyArray<Canary> = [
  {
    wall: "domain imports effect alone",
    file: "packages/domain/src/X.ts",
    source: `import "@kanmon/core/Check"`,
    rule: restricted
  },
  { wall: "domain does no I/O", file: "packages/domain/src/X.ts", source: `import "node:fs"`, rule: restricted },
  {
    wall: "the kernel never imports a plugin",
    file: "packages/core/src/X.ts",
    source: `import "@kanmon/check-http"`,
    rule: restricted
  },
  {
    wall: "the kernel knows no driver",
    file: "packages/core/src/X.ts",
    source: `import "@nats-io/jetstream"`,
    rule: restricted
  },
  {
    wall: "the kernel does not see the store",
    file: "packages/core/src/X.ts",
    source: `import type { Monitors } from "@kanmon/control-plane/monitors"\nexport type X = Monitors`,
    rule: restricted
  },
  {
    wall: "the dashboard takes no code of the contract",
    file: "apps/dashboard/src/X.ts",
    source: `import "@kanmon/protocol/Api"`,
    rule: restricted
  },
  {
    wall: "a feature of the dashboard sees no other feature",
    file: "apps/dashboard/src/features/x/X.ts",
    source: `import "../monitors/select.ts"`,
    rule: restricted
  },
  {
    wall: "the dashboard's controls know no API",
    file: "apps/dashboard/src/ui/X.ts",
    source: `import "../api/request.ts"`,
    rule: restricted
  },
  {
    wall: "the status page queries nothing",
    file: "packages/status-page/src/X.ts",
    source: `import "@kanmon/control-plane/status-pages"`,
    rule: restricted
  },
  {
    wall: "a plugin does not see the store",
    file: "plugins/check-x/src/index.ts",
    source: `import "@kanmon/control-plane/monitors"`,
    rule: restricted
  },
  {
    wall: "a plugin does not see another plugin",
    file: "plugins/check-x/src/index.ts",
    source: `import "@kanmon/check-http"`,
    rule: restricted
  },
  {
    wall: "a plugin does not see the app",
    file: "plugins/check-x/src/index.ts",
    source: `import "@kanmon/server/Settings"`,
    rule: restricted
  },
  {
    wall: "an example for plugin authors sees what is published alone",
    file: "docs/examples/plugins/check-x/src/index.ts",
    source: `import "@kanmon/testkit/Targets"`,
    rule: restricted
  },
  {
    wall: "the protocol sees domain alone",
    file: "packages/protocol/src/X.ts",
    source: `import "@kanmon/core/Check"`,
    rule: restricted
  },
  {
    wall: "the bus does not see the store",
    file: "packages/bus/src/X.ts",
    source: `import "@kanmon/control-plane/monitors"`,
    rule: restricted
  },
  {
    wall: "the probe has no database",
    file: "packages/probe/src/X.ts",
    source: `import "@kanmon/control-plane/monitors"`,
    rule: restricted
  },
  {
    wall: "the control plane knows no bus driver",
    file: "packages/control-plane/src/X.ts",
    source: `import "@nats-io/jetstream"`,
    rule: restricted
  },
  {
    wall: "the testkit sees no store",
    file: "packages/testkit/src/X.ts",
    source: `import "@kanmon/control-plane/monitors"`,
    rule: restricted
  },
  {
    wall: "the demo sees no store",
    file: "packages/demo/src/X.ts",
    source: `import "@kanmon/control-plane/monitors"`,
    rule: restricted
  },
  {
    wall: "no package sees the demo",
    file: "packages/control-plane/src/X.ts",
    source: `import "@kanmon/demo/Shop"`,
    rule: restricted
  },
  {
    wall: "no plugin sees the demo",
    file: "plugins/check-x/src/index.ts",
    source: `import "@kanmon/demo/Shop"`,
    rule: restricted
  },
  {
    wall: "nobody in packages imports an app",
    file: "packages/control-plane/src/X.ts",
    source: `import "@kanmon/server/Settings"`,
    rule: restricted
  },
  {
    wall: "time goes through the Clock",
    file: "packages/control-plane/src/X.ts",
    source: `export const now = Date.now()`,
    rule: "no-restricted-properties"
  },
  { wall: "nobody prints", file: "packages/control-plane/src/X.ts", source: `console.log(1)`, rule: "no-console" },
  {
    wall: "nobody reads the environment by the way",
    file: "packages/control-plane/src/X.ts",
    source: `export const home = process.env["HOME"]`,
    rule: "no-process-env"
  },
  {
    wall: "nobody fetches by the way",
    file: "plugins/check-x/src/index.ts",
    source: `export const answer = fetch("http://a.example")`,
    rule: "no-restricted-globals"
  },
  ...[
    [`crypto.randomUUID()`, "no-restricted-properties"],
    [`globalThis.crypto.subtle`, "no-restricted-properties"],
    [`window.navigator.clipboard.writeText("")`, "no-restricted-properties"],
    [`navigator.credentials`, "no-restricted-properties"],
    [`navigator.storage.persist()`, "no-restricted-properties"],
    [`navigator.serviceWorker`, "no-restricted-properties"],
    [`new Notification("")`, "no-restricted-globals"]
  ].map(([use = "", rule = ""]) => ({
    wall: `pages also work over plain HTTP: ${use}`,
    file: "apps/dashboard/src/features/x/X.ts",
    source: `export const x = (): unknown => ${use}`,
    rule
  })),
  {
    wall: "the status page also works over plain HTTP",
    file: "packages/status-page/src/client/X.ts",
    source: `export const id = (): string => crypto.randomUUID()`,
    rule: "no-restricted-properties"
  },
  {
    wall: "imports make no circle",
    file: "packages/control-plane/src/X.ts",
    source: `import { y } from "./Y.ts"\nexport const x = (): number => y()`,
    rule: "no-cycle",
    beside: { "packages/control-plane/src/Y.ts": `import { x } from "./X.ts"\nexport const y = (): number => x()` }
  }
]

const lint = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-walls-"))
  try {
    await fs.copyFile(path.join(root, ".oxlintrc.json"), path.join(folder, ".oxlintrc.json"))
    for (const [name, source] of Object.entries(files)) {
      await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await fs.writeFile(path.join(folder, name), `${source}\n`)
    }
    const run = promisify(execFile)(process.execPath, [oxlint, "--format", "unix"], { cwd: folder })
    return await run.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout?: string }) => error.stdout ?? String(error)
    )
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

describe("the lint rules for imports", () => {
  it.each(canaries)("reports a violation: $wall", async ({ beside, file, rule, source }) => {
    assert.include(await lint({ [file]: source, ...beside }), rule)
  })

  it("allows permitted imports", async () => {
    const output = await lint({
      "packages/core/src/X.ts": `import { evaluate } from "@kanmon/domain/StatusEvaluation"\nexport const x = evaluate`,
      "plugins/check-x/src/index.ts": `import * as Check from "@kanmon/core/Check"\nexport default Check`,
      "plugins/check-x/test/x.test.ts": `import { suite } from "@kanmon/testkit/CheckContract"\nsuite()`,
      "packages/control-plane/src/Y.ts": `import { Problem } from "@kanmon/protocol/Problem"\nexport const y = Problem`
    })
    assert.notInclude(output, "Error")
  })
})
