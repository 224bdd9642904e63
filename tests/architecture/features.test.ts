/**
 * The walls inside the control plane: features see each other through their doors, make no circle, and keep their SQL in
 * repositories; the platform knows no feature. Each wall is proved by a planted violation.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../../packages/control-plane/src")

/** Sources by their path below `src`. */
type Sources = Readonly<Record<string, string>>

interface Import {
  readonly from: string
  /** A path below `src`, or the name of a package. */
  readonly to: string
}

const importsOf = (sources: Sources): ReadonlyArray<Import> =>
  Object.entries(sources).flatMap(([from, source]) =>
    [...source.matchAll(/(?:\bfrom|\bimport\()\s*"([^"]+)"/g)].map(([, to]) => ({
      from,
      to: to!.startsWith(".") ? path.posix.join(path.posix.dirname(from), to!) : to!
    }))
  )

/** `undefined` for what is at the top: the layers that put the features together. */
const featureOf = (file: string): string | undefined => (file.includes("/") ? file.split("/")[0] : undefined)

const crossings = (sources: Sources): ReadonlyArray<Import> =>
  importsOf(sources).filter(
    ({ from, to }) => to.endsWith(".ts") && featureOf(to) !== undefined && featureOf(from) !== featureOf(to)
  )

const pastTheDoor = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ to }) => featureOf(to) !== "platform" && !/^[^/]+\/index\.ts$/.test(to))
    .map(({ from, to }) => `${from} imports ${to}: import the feature's index.ts`)

const fromThePlatform = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ from }) => featureOf(from) === "platform")
    .map(({ from, to }) => `${from} imports ${to}: the platform knows no feature`)

const circles = (sources: Sources): ReadonlyArray<string> => {
  const uses = new Map<string, Set<string>>()
  for (const { from, to } of crossings(sources)) {
    const feature = featureOf(from)
    if (feature !== undefined) uses.set(feature, (uses.get(feature) ?? new Set()).add(featureOf(to)!))
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(uses.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  return [...uses.keys()]
    .filter((feature) => reaches(feature, feature))
    .map((feature) => `${feature} is part of a circle`)
}

/** Repositories, and what has no feature of its own: the platform, and the backup of whatever tables there are. */
const mayUseSql = (file: string): boolean => /Repository\.ts$|^(?:platform|backup)\//.test(file)

const sqlElsewhere = (sources: Sources): ReadonlyArray<string> =>
  importsOf(sources)
    .filter(({ from, to }) => /^(?:effect\/sql|@effect\/sql-pg)(?:\/|$)/.test(to) && !mayUseSql(from))
    .map(({ from, to }) => `${from} imports ${to}: move its SQL into a repository`)

/** What the door exports for the files of a feature. */
const layers = [
  { kind: /Handlers\.ts$/, layer: "layerApi" },
  { kind: /Routes\.ts$/, layer: "layerRoutes" },
  { kind: /Worker\.ts$/, layer: "layerWorker" }
]

const withoutLayer = (sources: Sources): ReadonlyArray<string> =>
  Object.keys(sources).flatMap((file) => {
    const feature = featureOf(file)
    const layer = layers.find(({ kind }) => kind.test(file))?.layer
    if (feature === undefined || feature === "platform" || layer === undefined) return []
    const door = sources[`${feature}/index.ts`] ?? ""
    return new RegExp(`\\b${layer}\\b`).test(door) ? [] : [`${feature}/index.ts exports no ${layer} with ${file}`]
  })

const read = async (): Promise<Sources> => {
  const files = (await fs.readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts"))
  const entries = files.map(async (file) => [file, await fs.readFile(path.join(root, file), "utf8")] as const)
  return Object.fromEntries(await Promise.all(entries))
}

const walls = [
  {
    wall: "features are imported through their doors",
    violations: pastTheDoor,
    canary: { "alerts/Alerts.ts": `import { Plans } from "../billing/Plans.ts"` }
  },
  {
    wall: "the platform knows no feature",
    violations: fromThePlatform,
    canary: { "platform/http/RequestPipeline.ts": `import { Regions } from "../../regions/index.ts"` }
  },
  {
    wall: "features make no circle",
    violations: circles,
    canary: {
      "alerts/Alerts.ts": `import { Plans } from "../billing/index.ts"`,
      "billing/Plans.ts": `import { Projects } from "../projects/index.ts"`,
      "projects/Projects.ts": `import type { Alerts } from "../alerts/index.ts"`
    }
  },
  {
    wall: "SQL is in repositories, the platform and the backup",
    violations: sqlElsewhere,
    canary: { "alerts/Alerts.ts": `import type { SqlClient } from "effect/sql"` }
  },
  {
    wall: "doors export the layers of operations, routes and jobs under the same names",
    violations: withoutLayer,
    canary: {
      "alerts/index.ts": `export { layer as layerApi } from "./AlertsHandlers.ts"`,
      "alerts/AlertsHandlers.ts": "",
      "alerts/ReminderWorker.ts": ""
    }
  }
]

describe("the walls inside the control plane", () => {
  it.each(walls)("hold: $wall", async ({ violations }) => {
    assert.deepStrictEqual(violations(await read()), [])
  })

  it.each(walls)("turn red on a violation: $wall", ({ canary, violations }) => {
    assert.isNotEmpty(violations(canary))
  })
})
