/**
 * Tests a plugin in a folder against the contract of each kind it provides, and reports the results. The folder needs only
 * the plugin: shared packages come from the host. `test/world.ts`, if present, is the destination of its channels.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { fileOf } from "@kanmon/core/PluginSource"
import { startVitest, type TestCase } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    readonly kanmonPlugin: string
    /** URL of the module with the destination of its channels; empty when there is none. */
    readonly kanmonWorld: string
  }
}

/** The result of one law. */
export interface LawResult {
  /** The tested part: `the check redis-ping`. */
  readonly part: string
  readonly law: string
  readonly kept: "yes" | "no" | "does not apply"
  /** What failed. */
  readonly why?: string
}

export interface Report {
  readonly verdicts: ReadonlyArray<LawResult>
  /** Why the laws could not be tested at all. */
  readonly broken: ReadonlyArray<string>
  /** Whether its channels were tested against their own world. */
  readonly hasWorld: boolean
}

const shared = /^(?:effect|vitest|@effect\/vitest|@kanmon\/(?:core|domain|testkit))(?:\/|$)/

/** Tests every law. `plugin` is a folder or a file. */
export const hold = async (plugin: string): Promise<Report> => {
  const file = fileOf(path.resolve(plugin), "/")
  const world = worldOf(path.resolve(plugin))
  const verdicts: Array<LawResult> = []
  // TypeScript in this repository, JavaScript when installed.
  const suite = path.join(import.meta.dirname, `internal/pluginSuite${path.extname(import.meta.filename)}`)
  const vitest = await startVitest(
    "test",
    [],
    {
      config: false,
      watch: false,
      // It would be written beside this file, which other users may only read.
      cache: false,
      root: import.meta.dirname,
      include: [suite],
      exclude: [],
      reporters: [{ onTestCaseResult: (test) => void verdicts.push(verdictOf(test)) }],
      provide: { kanmonPlugin: file, kanmonWorld: world === undefined ? "" : pathToFileURL(world).href },
      pool: "forks",
      testTimeout: 30_000
    },
    {
      logLevel: "silent",
      plugins: [
        {
          name: "kanmon:shared-modules",
          enforce: "pre",
          resolveId(source) {
            return shared.test(source) ? this.resolve(source, import.meta.filename, { skipSelf: true }) : undefined
          }
        }
      ]
    }
  )
  const broken = [
    ...vitest.state.getTestModules().flatMap((module) => module.errors().map(({ message }) => firstLine(message))),
    ...vitest.state.getUnhandledErrors().map((error) => `an uncaught error: ${firstLine(messageOf(error))}`)
  ]
  await vitest.close()
  // Vitest sets it on failed tests; the caller of the report decides.
  process.exitCode = 0
  return { verdicts, broken, hasWorld: world !== undefined }
}

const worldOf = (plugin: string): string | undefined =>
  ["world.ts", "world.js", "world.mjs"]
    .map((name) => path.join(plugin, "test", name))
    .find((name) => fs.existsSync(name))

const verdictOf = (test: TestCase): LawResult => {
  const { errors = [], state } = test.result()
  const part = test.parent.type === "suite" ? test.parent.name : "the plugin"
  if (state === "skipped") return { part, law: test.name, kept: "does not apply" }
  if (state === "passed") return { part, law: test.name, kept: "yes" }
  return { part, law: test.name, kept: "no", why: errors.map(({ message }) => firstLine(message)).join("; ") }
}

const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)

const longestReason = 400

const firstLine = (message: string): string => {
  const line = stripVTControlCharacters(message).trim().split("\n")[0] ?? ""
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line
}
