/**
 * The walls between rooms hold: the tree passes, and each wall's canary, a planted violation, turns the linter red.
 * A gate that is silent is worse than none. Canaries for every restriction are derived from `oxlint.config.ts` and planted
 * in every folder that it covers; those of this file show what the walls are for.
 */
import { existsSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { OxlintOverride } from "oxlint"
import config from "../../oxlint.config.ts"
import { derived, lint, silent } from "./Canaries.ts"

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
    source: `import type { Monitors } from "@kanmon/monitoring/monitors"\nexport type X = Monitors`,
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
    rule: "kanmon(layers)"
  },
  {
    wall: "the dashboard's controls know no API",
    file: "apps/dashboard/src/ui/X.ts",
    source: `import "../api/request.ts"`,
    rule: "kanmon(layers)"
  },
  {
    wall: "the dashboard's components send no writes",
    file: "apps/dashboard/src/features/on-call/policies/X.ts",
    source: `export const x = (send: (route: string) => void) => send("POST /alert-rules")`,
    rule: "kanmon(writes-in-place)"
  },
  {
    wall: "the status page queries nothing",
    file: "packages/status-page/src/X.ts",
    source: `import "@kanmon/monitoring/status-pages"`,
    rule: restricted
  },
  {
    wall: "the dashboard links to no address from the root of the host",
    file: "apps/dashboard/src/routes/X.tsx",
    source: "export const X = ({ slug }: { slug: string }) => <a href={`/status/${slug}`}>{slug}</a>",
    rule: "kanmon(own-address)"
  },
  {
    wall: "the server puts no address together from the root of the host",
    file: "packages/identity/src/organizations/X.ts",
    source: 'export const x = (baseUrl: string) => new URL("/invitation", baseUrl)',
    rule: "kanmon(own-address)"
  },
  {
    wall: "a plugin does not see the store",
    file: "plugins/check-x/src/index.ts",
    source: `import "@kanmon/monitoring/monitors"`,
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
    source: `import "@kanmon/monitoring/monitors"`,
    rule: restricted
  },
  {
    wall: "the probe has no database",
    file: "packages/probe/src/X.ts",
    source: `import "@kanmon/monitoring/monitors"`,
    rule: restricted
  },
  ...["platform", "identity", "monitoring"].map((floor) => ({
    wall: `${floor} knows no bus driver`,
    file: `packages/${floor}/src/X.ts`,
    source: `import "@nats-io/jetstream"`,
    rule: restricted
  })),
  ...[
    ["platform/src/http", "identity/accounts"],
    ["platform/src", "monitoring/monitors"],
    ["identity/src/accounts", "monitoring/channels"],
    ["identity/src/billing", "monitoring"]
  ].flatMap(([from = "", to = ""]) =>
    [`import "@kanmon/${to}"`, `import type { X } from "@kanmon/${to}"\nexport type Y = X`].map((source) => ({
      wall: `the floors see downwards only: ${source} in ${from}`,
      file: `packages/${from}/X.ts`,
      source,
      rule: restricted
    }))
  ),
  ...[
    "packages/core/src",
    "packages/platform/src/http",
    "packages/identity/src/accounts",
    "packages/identity/src/sso/protocols",
    "packages/monitoring/src/channels",
    "plugins/auth-x/src",
    "apps/server/src/roles"
  ].flatMap((folder) =>
    ["better-auth", "better-auth/crypto", "@better-auth/passkey"].map((to) => ({
      wall: `accounts are kept by the driver of identity alone: ${to} in ${folder}`,
      file: `${folder}/X.ts`,
      source: `import ${JSON.stringify(to)}`,
      rule: restricted
    }))
  ),
  {
    wall: "the driver of accounts speaks no protocol of identity providers",
    file: "packages/identity/src/accounts/better-auth/X.ts",
    source: `import "openid-client"`,
    rule: restricted
  },
  {
    wall: "monitoring takes identity by its doors",
    file: "packages/monitoring/src/alerts/X.ts",
    source: `import "@kanmon/identity/testing/accounts/Accounts.ts"`,
    rule: restricted
  },
  {
    wall: "the testkit sees no store",
    file: "packages/testkit/src/X.ts",
    source: `import "@kanmon/monitoring/monitors"`,
    rule: restricted
  },
  {
    wall: "the demo sees no store",
    file: "packages/demo/src/X.ts",
    source: `import "@kanmon/monitoring/monitors"`,
    rule: restricted
  },
  {
    wall: "no package sees the demo",
    file: "packages/monitoring/src/X.ts",
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
    file: "packages/monitoring/src/X.ts",
    source: `import "@kanmon/server/Settings"`,
    rule: restricted
  },
  {
    wall: "time goes through the Clock",
    file: "packages/monitoring/src/X.ts",
    source: `export const now = Date.now()`,
    rule: "no-restricted-properties"
  },
  { wall: "nobody prints", file: "packages/monitoring/src/X.ts", source: `console.log(1)`, rule: "no-console" },
  {
    wall: "nobody reads the environment by the way",
    file: "packages/monitoring/src/X.ts",
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
  ...[
    ["features/monitor/X.tsx", `import "../monitors/select.ts"`, "kanmon(layers)"],
    ["features/monitor/X.tsx", `import "../../features/monitors/select.ts"`, "kanmon(layers)"],
    ["features/monitor/X.tsx", `import type { Y } from "../../routes/Y.ts"\nexport type X = Y`, "kanmon(layers)"],
    ["features/monitor/X.tsx", `import "@kanmon/protocol/Api"`, restricted],
    ["ui/X.tsx", `import "@kanmon/domain/Monitor"`, restricted],
    ["forms/X.tsx", `export { Effect } from "effect"`, restricted],
    ["live/X.ts", `import "../features/monitors/select.ts"`, "kanmon(layers)"],
    ["api/X.ts", `import "../routes/Now.tsx"`, "kanmon(layers)"],
    ["ui/X.tsx", `export const load = () => import("../api/request.ts")`, "kanmon(layers)"]
  ].map(([file = "", source = "", rule = ""]) => ({
    wall: `the parts of the dashboard see each other in one direction: ${source} in ${file}`,
    file: `apps/dashboard/src/${file}`,
    source,
    rule
  })),
  ...[
    ["packages/domain/src/X.ts", `import "../../core/src/Check.ts"`],
    ["packages/probe/src/X.ts", `export * from "../../monitoring/src/monitors/index.ts"`],
    ["plugins/check-x/src/X.ts", `export type X = import("../../check-http/src/index.ts").X`],
    ["apps/dashboard/src/ui/X.tsx", `import "../../../../packages/protocol/src/Api.ts"`]
  ].map(([file = "", source = ""]) => ({
    wall: `packages reach each other by name: ${source} in ${file}`,
    file,
    source,
    rule: "kanmon(own-package)"
  })),
  ...["packages/probe/src/X.ts", "packages/bus/src/X.ts"].map((file) => ({
    wall: `${file} has no database`,
    file,
    source: `import "effect/sql"\nimport "effect/sql/SqlClient"`,
    rule: restricted
  })),
  {
    wall: "as-code does not see the control plane",
    file: "packages/as-code/src/X.ts",
    source: `import "@kanmon/monitoring/openapi"`,
    rule: restricted
  },
  {
    wall: "the status page reads no file",
    file: "packages/status-page/src/X.ts",
    source: `import "node:fs"`,
    rule: restricted
  },
  {
    wall: "the app takes the control plane by its doors",
    file: "apps/server/src/X.ts",
    source: `import "@kanmon/monitoring/testing/monitors/Monitors.ts"`,
    rule: restricted
  },
  {
    wall: "the app takes identity by its doors",
    file: "apps/server/src/X.ts",
    source: `import "@kanmon/identity/testing/accounts/Accounts.ts"`,
    rule: restricted
  },
  ...[
    ["new Date()", "kanmon(ambient-date)"],
    ["performance.now()", "no-restricted"],
    ["crypto.randomUUID()", "no-restricted"],
    ["Math.random()", "no-restricted"]
  ].map(([use = "", rule = ""]) => ({
    wall: `domain has no time and no randomness of its own: ${use}`,
    file: "packages/domain/src/X.ts",
    source: `export const x = ${use}`,
    rule
  })),
  ...[
    String.raw`/^\s*(.*?)\s*$/`,
    String.raw`/<[^>]*>/`,
    String.raw`new RegExp("^(a+)+$")`,
    "new RegExp(`^${part}${part}$`)"
  ].map((expression) => ({
    wall: `expressions take linear time: ${expression}`,
    file: "plugins/check-x/src/X.ts",
    source: `const part = "[a-z]+"\nexport const x = ${expression}\nexport const y = part`,
    rule: "kanmon(linear-expressions)"
  })),
  ...[
    `text.trim().split(",")`,
    `text?.match(/a/)`,
    `text.replaceAll("a", "")`,
    `/a/.exec(text)`,
    `pattern.test(text.slice(1))`,
    `JSON.parse(text)`,
    `new URL(text, "http://localhost")`,
    `decodeURIComponent(text)`,
    "new RegExp(`^${text}`)",
    `text.length === 3 && text.split(",")`
  ].map((use) => ({
    wall: `texts of requests are bounded before they are matched, split or parsed: ${use}`,
    file: "packages/platform/src/http/X.ts",
    source: `const pattern = /a/\nexport const x = (text: string): unknown => ${use}\nexport const y = pattern`,
    rule: "kanmon(bounded-first)"
  })),
  ...[
    "plugins/check-http/src/X.ts",
    "plugins/check-tcp/src/deep/X.ts",
    "packages/core/src/HttpX.ts",
    "packages/identity/src/sso/protocols/X.ts",
    "packages/monitoring/src/domain-registrations/X.ts",
    "packages/monitoring/src/imports/X.ts"
  ].map((file) => ({
    wall: `answers and files are bounded before they are matched, split or parsed: ${file}`,
    file,
    source: "export const x = (text: string): unknown => JSON.parse(text)",
    rule: "kanmon(bounded-first)"
  })),
  ...[
    [`export const X = ({ a }: { readonly a: boolean }) => { if (a) useId(); return null }`, "rules-of-hooks"],
    [
      `export const X = ({ a }: { readonly a: string }) => { useEffect(() => history.pushState(a, ""), []); return null }`,
      "exhaustive-deps"
    ],
    [`export const X = () => <img src="x.png" />`, "alt-text"],
    [`export const X = () => <div role="buton" />`, "aria-role"]
  ].map(([source = "", rule = ""]) => ({
    wall: `React's rules: ${rule}`,
    file: "apps/dashboard/src/features/monitor/X.tsx",
    source: `import { useEffect, useId } from "react"\n${source}\nexport const used = [useEffect, useId]`,
    rule
  })),
  {
    wall: "types make no circle",
    file: "packages/monitoring/src/types/X.ts",
    source: `import type { Y } from "./Y.ts"\nexport interface X { readonly y: Y }`,
    rule: "no-cycle",
    beside: {
      "packages/monitoring/src/types/Y.ts": `import type { X } from "./X.ts"\nexport interface Y { readonly x?: X }`
    }
  },
  {
    wall: "imports make no circle",
    file: "packages/monitoring/src/circle/X.ts",
    source: `import { y } from "./Y.ts"\nexport const x = (): number => y()`,
    rule: "no-cycle",
    beside: {
      "packages/monitoring/src/circle/Y.ts": `import { x } from "./X.ts"\nexport const y = (): number => x()`
    }
  }
]

/** Each canary in a folder of its own kind: all are planted at once, so the names are told apart by a number. */
const planted = canaries.map((canary, index) => ({
  ...canary,
  file: canary.beside === undefined ? canary.file.replace(/(?=\.tsx?$)/, `${index}`) : canary.file
}))

/** One run reports on all of them. */
const reports = lint(
  config,
  Object.fromEntries(planted.flatMap(({ beside = {}, file, source }) => [[file, source], ...Object.entries(beside)]))
)

/** An override as they happen: it means to add a rule for a folder, and replaces the wall that stands there. */
const hole: OxlintOverride = {
  files: ["apps/dashboard/src/forms/**"],
  rules: { "typescript/no-restricted-imports": ["error", { patterns: [{ group: ["qr"] }] }] }
}

describe("the lint rules for imports", () => {
  it.each(planted)("report a violation: $wall", async ({ file, rule }) => {
    assert.include((await reports).filter((report) => report.startsWith(`${file}:`)).join("\n"), rule)
  })

  it("report a violation of every restriction in every folder that it covers", async () => {
    assert.deepStrictEqual(await silent(config), [])
  })

  it("have a canary for every override with a restriction", () => {
    const empty = derived(config).filter(({ canaries }) => canaries.length === 0)
    assert.deepStrictEqual(empty, [])
  })

  it("name only folders that exist", () => {
    const root = path.resolve(import.meta.dirname, "../..")
    const folders = config.overrides.flatMap(({ files }) =>
      files.map((glob) => path.dirname(`${glob.split(/[*{]/)[0]}x`))
    )
    assert.deepStrictEqual(
      folders.filter((folder) => !existsSync(path.join(root, folder))),
      []
    )
  })

  it("are found silent where a later override replaces them", async () => {
    const found = await silent({ ...config, overrides: [...config.overrides, hole] })
    assert.isNotEmpty(found)
    for (const canary of found) assert.include(canary, "apps/dashboard/src/forms/")
  })

  it("allow permitted imports", async () => {
    const output = await lint(config, {
      "packages/core/src/X.ts": `import { evaluate } from "@kanmon/domain/StatusEvaluation"\nexport const x = evaluate`,
      "plugins/check-x/src/index.ts": `import * as Check from "@kanmon/core/Check"\nexport default Check`,
      "plugins/check-x/test/x.test.ts": `import { suite } from "@kanmon/testkit/CheckContract"\nsuite()`,
      "packages/platform/src/http/Bounded.ts": `
        import { upTo } from "@kanmon/domain/BoundedText"
        export const cut = (text: string) => upTo(text, 100).split(",").map((part) => part.trim().split(";"))
        export const sliced = (text: string): unknown => JSON.parse(text.slice(0, 100))
        export const compared = (text: string) => (text.length > 100 ? undefined : new URL(text))
        export const decoded = (headers: Readonly<Record<string, string>>) => /a/.test(headers["accept"] ?? "")`,
      "packages/monitoring/src/Y.ts": `import { Problem } from "@kanmon/protocol/Problem"\nexport const y = Problem`,
      "apps/dashboard/src/features/monitor/X.ts": `import type { X } from "@kanmon/domain/Monitor"\nimport { y } from "../../api/y.ts"\nexport const x = y as X`
    })
    assert.deepStrictEqual(output, [])
  })
})
