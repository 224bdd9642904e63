/** Violations of the restrictions in `oxlint.config.ts`, derived from them and planted in a copy of the repository's folders. */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import * as fc from "fast-check"
import type { OxlintConfig, OxlintOverride } from "oxlint"
import type { Layers } from "../lint/plugin.ts"
import type { Writes } from "../lint/writes.ts"

const root = path.resolve(import.meta.dirname, "../..")
const oxlint = path.join(root, "node_modules/.bin/oxlint")

type Files = Readonly<Record<string, string>>

/** What oxlint reports for `files`, one line each: `file:line:column: message [severity/rule]`. */
export const lint = async (config: OxlintConfig, files: Files): Promise<ReadonlyArray<string>> => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kanmon-walls-"))
  try {
    const jsPlugins = config.jsPlugins?.map((plugin) => path.resolve(root, String(plugin)))
    fs.writeFileSync(path.join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, jsPlugins }))
    for (const [name, source] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), `${source}\n`)
    }
    const run = promisify(execFile)(process.execPath, [oxlint, "--format", "unix"], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024
    })
    const output = await run.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout?: string; readonly stderr?: string }) =>
        error.stdout || `${error.stderr}${String(error)}`
    )
    return output.split("\n").filter((line) => line !== "" && !/^\d+ problems?$/.test(line))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const generated = new Set(["node_modules", "dist", "screenshots"])

const foldersBelow = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !generated.has(entry.name) && !entry.name.startsWith("."))
    .flatMap(({ name }) => [path.posix.join(folder, name), ...foldersBelow(path.posix.join(folder, name))])

const folders = foldersBelow("")

type Rule = readonly [name: string, ...options: ReadonlyArray<unknown>]

const rulesOf = ({ rules = {} }: OxlintOverride): ReadonlyArray<Rule> =>
  Object.entries(rules).flatMap(([name, value]): ReadonlyArray<Rule> => {
    if (value === "off" || (Array.isArray(value) && value[0] === "off")) return []
    return [Array.isArray(value) ? [name, ...(value.slice(1) as ReadonlyArray<unknown>)] : [name]]
  })

interface Pattern {
  readonly group?: ReadonlyArray<string>
  readonly regex?: string
  readonly allowTypeImports?: boolean
}

const specifiers = ({ group = [], regex }: Pattern): ReadonlyArray<string> => [
  ...group
    .filter((each) => !each.startsWith("!"))
    .map((each) => each.replaceAll("**", "canary/deep").replaceAll("*", "canary")),
  ...(regex === undefined ? [] : fc.sample(fc.stringMatching(new RegExp(regex)), { numRuns: 5, seed: 1 }))
]

const imports = (options: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  (options[0] as { readonly patterns: ReadonlyArray<Pattern> }).patterns.flatMap((pattern) =>
    specifiers(pattern).flatMap((to) => [
      `import ${JSON.stringify(to)}`,
      `export * from ${JSON.stringify(to)}`,
      ...(pattern.allowTypeImports === true ? [] : [`export type * from ${JSON.stringify(to)}`])
    ])
  )

const relative = (folder: string, to: string): string => {
  const found = path.posix.relative(folder, to)
  return found.startsWith(".") ? found : `./${found}`
}

const layerImports = (folder: string, { apart, hidden, within }: Layers): ReadonlyArray<string> => {
  const [layer = ""] = folder.slice(within.length + 1).split("/")
  const others = [
    ...(hidden[layer] ?? []).map((name) => `${within}/${name}/Canary.ts`),
    ...(apart.includes(layer) ? [`${within}/${layer}/canary/Canary.ts`] : [])
  ].map((to) => JSON.stringify(relative(folder, to)))
  return others.flatMap((to) => [`import ${to}`, `export type * from ${to}`])
}

/** Violations of a rule in a folder, each on a line of its own. */
const violations: Readonly<Record<string, (options: ReadonlyArray<unknown>, folder: string) => ReadonlyArray<string>>> =
  {
    "no-restricted-imports": imports,
    "typescript/no-restricted-imports": imports,
    "no-restricted-globals": (options) =>
      (options as ReadonlyArray<{ readonly name: string }>).map(
        ({ name }, index) => `export const g${index} = ${name}`
      ),
    "no-restricted-properties": (options) =>
      (options as ReadonlyArray<{ readonly object?: string; readonly property: string }>).map(
        ({ object = "screen", property }, index) => `export const p${index} = ${object}.${property}`
      ),
    "kanmon/own-package": (_, folder) => [
      `import ${JSON.stringify(relative(folder, "packages/canary/src/Canary.ts"))}`,
      `export type * from ${JSON.stringify(relative(folder, "plugins/canary/src/Canary.ts"))}`
    ],
    "kanmon/layers": ([layers], folder) => layerImports(folder, layers as Layers),
    "kanmon/ambient-date": () => ["export const d0 = new Date()", "export const d1 = Date()"],
    "kanmon/linear-expressions": () => ["export const e0 = /a+a+$/", 'export const e1 = new RegExp("^(b+)+$")'],
    "kanmon/own-address": () => [
      'export const a0 = (base: string) => new URL("/monitors", base)',
      "export const a1 = (url: URL) => `${url.origin}/monitors`",
      "export const a2 = (origin: string, path: string) => `${origin}${path}`",
      "export const a3 = (page: Window) => page.location.origin",
      'export const a4 = () => location.assign("/monitors")'
    ],
    "kanmon/writes-in-place": ([options]) => [
      'export const w0 = "POST /monitors"',
      "export const w1 = (act: string) => `DELETE /monitors/:monitorId/${act}`",
      "export const w2 = () => useMutation()",
      ...(options as Writes).cache.map((method, index) => `export const w${index + 3} = () => client.${method}()`)
    ],
    "kanmon/bounded-first": () => [
      'export const t0 = (text: string) => text.split(",")',
      "export const t1 = (text: string): unknown => JSON.parse(text)",
      "export const t2 = (text: string) => /a/.test(text)"
    ]
  }

/** Rules that restrict what a folder may use: an override with one of these needs canaries. */
const isRestriction = ([name]: Rule): boolean => /(?:^|\/)no-restricted-|^kanmon\//.test(name)

const covers = ({ excludeFiles = [], files }: OxlintOverride, file: string): boolean =>
  files.some((glob) => path.matchesGlob(file, glob)) && !excludeFiles.some((glob) => path.matchesGlob(file, glob))

export interface Derived {
  readonly files: ReadonlyArray<string>
  readonly rule: string
  readonly canaries: ReadonlyArray<{ readonly file: string; readonly lines: ReadonlyArray<string> }>
}

/** For every override with a restriction, the canaries for each folder that it covers. Folders where a later override turns the rule off are exceptions. */
export const derived = ({ overrides = [] }: OxlintConfig): ReadonlyArray<Derived> =>
  overrides.flatMap((override, index) =>
    rulesOf(override)
      .filter(isRestriction)
      .map(([rule, ...options], part) => {
        const isOff = (file: string): boolean =>
          overrides.slice(index + 1).some((later) => later.rules?.[rule] === "off" && covers(later, file))
        const canaries = folders
          .map((folder) => ({ folder, file: `${folder}/Canary${index}x${part}.ts` }))
          .filter(({ file }) => covers(override, file) && !isOff(file))
          .map(({ file, folder }) => ({ file, lines: violations[rule]?.(options, folder) ?? [] }))
          .filter(({ lines }) => lines.length > 0)
        return { files: override.files, rule, canaries }
      })
  )

/** The canaries that no report is about. */
export const silent = async (config: OxlintConfig): Promise<ReadonlyArray<string>> => {
  const all = derived(config)
  const files = all.flatMap(({ canaries }) => canaries.map(({ file, lines }) => [file, lines.join("\n")] as const))
  const reports = await lint(config, Object.fromEntries(files))
  const reported = new Set(
    reports.map((report) => {
      const [, place = "", rule = ""] = /^([^:]+:\d+):.*\((.+)\)\]$/.exec(report) ?? []
      return `${place} ${rule}`
    })
  )
  return all.flatMap(({ canaries, rule }) =>
    canaries.flatMap(({ file, lines }) =>
      lines.flatMap((line, index) =>
        reported.has(`${file}:${index + 1} ${rule.split("/").at(-1)}`) ? [] : [`${file}: ${line}: no ${rule}`]
      )
    )
  )
}
