/**
 * The walls inside the control plane: features see each other through their doors, make no circle, and keep their SQL in
 * repositories; the platform knows no feature, and identity none of monitoring; the gate of requests is passed by every route.
 * Each wall is proved by a planted violation.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

/** The packages of the control plane, from below: each may see those before it. */
const floors = ["platform", "identity", "monitoring"]
const root = path.resolve(import.meta.dirname, "../../packages")

/** Sources by the name of their floor and their path below its `src`: `identity/accounts/Accounts.ts`. */
type Sources = Readonly<Record<string, string>>

interface Import {
  readonly from: string
  /** The path of a source, or the name of a package. */
  readonly to: string
}

/** What `@kanmon/identity/accounts` and the like name. */
const sourceOf = (name: string): string => {
  const [, floor, module = ""] = /^@kanmon\/(platform|identity|monitoring)(?:\/(.+))?$/.exec(name) ?? []
  if (floor === undefined) return name
  if (module.startsWith("testing/")) return `${floor}/${module.slice("testing/".length)}`
  if (floor === "platform" && module !== "processes") return `${floor}/${module}.ts`
  return path.posix.join(floor, module, "index.ts")
}

const importsOf = (sources: Sources): ReadonlyArray<Import> =>
  Object.entries(sources).flatMap(([from, source]) =>
    [...source.matchAll(/(?:\bfrom|\bimport\()\s*"([^"]+)"/g)].map(([, to]) => ({
      from,
      to: to!.startsWith(".") ? path.posix.join(path.posix.dirname(from), to!) : sourceOf(to!)
    }))
  )

const floorOf = (file: string): string => file.split("/")[0]!

/** The folder of a feature. `undefined` for what is at the top: the layers that put the features together. */
const featureOf = (file: string): string | undefined => {
  const [floor, feature, ...rest] = file.split("/")
  if (floor === "platform") return floor
  return rest.length > 0 ? `${floor}/${feature}` : undefined
}

const crossings = (sources: Sources): ReadonlyArray<Import> =>
  importsOf(sources).filter(
    ({ from, to }) => to.endsWith(".ts") && featureOf(to) !== undefined && featureOf(from) !== featureOf(to)
  )

const pastTheDoor = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ to }) => featureOf(to) !== "platform" && !/^[^/]+\/[^/]+\/index\.ts$/.test(to))
    .map(({ from, to }) => `${from} imports ${to}: import the feature's index.ts`)

const upwards = (sources: Sources): ReadonlyArray<string> =>
  importsOf(sources)
    .filter(({ to }) => to.endsWith(".ts"))
    .filter(({ from, to }) => floors.indexOf(floorOf(to)) > floors.indexOf(floorOf(from)))
    .map(({ from, to }) => `${from} imports ${to}: a floor sees those below it alone`)

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

/** Features that every other one of their floor may ask. */
const bottoms = new Set(["identity/users", "monitoring/registry"])

const askedByTheBottom = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ from, to }) => bottoms.has(featureOf(from) ?? "") && featureOf(to) !== "platform")
    .map(({ from, to }) => `${from} imports ${to}: a feature at the bottom asks none`)

/** Features that serve any other one of their floor, and so see only these of it. */
const serving = new Map([["monitoring/delivery", new Set(["monitoring/channels", "monitoring/contact-methods"])]])

const seenByServants = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ from, to }) => {
      const sees = serving.get(featureOf(from) ?? "")
      return sees !== undefined && floorOf(to) === floorOf(from) && !sees.has(featureOf(to)!)
    })
    .map(({ from, to }) => `${from} imports ${to}: a sender implements a port of it`)

/** Repositories, and what has no feature of its own: the platform, and the backup of whatever tables there are. */
const mayUseSql = (file: string): boolean => /Repository\.ts$|^(?:platform|monitoring\/backup)\//.test(file)

const sqlElsewhere = (sources: Sources): ReadonlyArray<string> =>
  importsOf(sources)
    .filter(({ from, to }) => /^(?:effect\/sql|@effect\/sql-pg)(?:\/|$)/.test(to) && !mayUseSql(from))
    .map(({ from, to }) => `${from} imports ${to}: move its SQL into a repository`)

/** With these the gate decides who asks, how often, in which turn, whether it was answered before, and how much a body may contain. */
const gate = new Set(
  [
    "Authenticator",
    "BodyBounds",
    "CredentialLookups",
    "FairQueue",
    "Idempotency",
    "IdempotencyKeys",
    "Origin",
    "RateLimits",
    "ReadQueue",
    "Windows"
  ].map((part) => `platform/http/${part}.ts`)
)

/** Files of features that decide some of it themselves, and why the gate cannot. */
const atTheGate: Readonly<Record<string, readonly [parts: ReadonlyArray<string>, why: string]>> = {
  "identity/sso/Provisioning.ts": [
    ["CredentialLookups", "RateLimits", "ReadQueue"],
    "is the contract's middleware for the tokens of identity providers, which identity keeps"
  ],
  "identity/accounts/AuthHandlers.ts": [["Origin"], "signs people in, who have no credential yet"],
  "monitoring/heartbeats/SignalLimits.ts": [["Windows"], "counts by the token in the path, which a signal proves"],
  "monitoring/alerts/AcknowledgeHandlers.ts": [["CredentialLookups"], "looks up the link, which is the credential"],
  "monitoring/integrations/Inbound.ts": [
    ["BodyBounds"],
    "bodies that are not understood are kept, also when they are no JSON"
  ],
  "monitoring/integrations/InboundHandlers.ts": [
    ["CredentialLookups", "Windows"],
    "looks up the token, which is the credential, and counts requests by it"
  ]
}

const besideTheGate = (sources: Sources): ReadonlyArray<string> =>
  crossings(sources)
    .filter(({ from, to }) => gate.has(to) && featureOf(from) !== undefined && featureOf(from) !== "platform")
    .filter(({ from, to }) => !(atTheGate[from]?.[0] ?? []).some((part) => to === `platform/http/${part}.ts`))
    .map(({ from, to }) => `${from} imports ${to}: declare middleware at the endpoint`)

/** Handlers of the contract read the parameters of the path; routes of their own would pass no middleware. */
const routesBeside = (sources: Sources): ReadonlyArray<string> =>
  Object.entries(sources)
    .filter(([, source]) => /\bHttpRouter\.(?:HttpRouter|add|addAll|route|use|middleware)\b/.test(source))
    .map(([file]) => `${file} adds a route: make it an endpoint of the contract`)

/** The only file that tells probes of monitors, and the outbox that it does so through. */
const tellsProbes = new Set(["monitoring/specs/SpecUpdates.ts", "platform/outbox/Outbox.ts"])

const tellingProbes = (sources: Sources): ReadonlyArray<string> =>
  Object.entries(sources)
    .filter(([file, source]) => /\bappendSpecs\b/.test(source) && !tellsProbes.has(file))
    .map(([file]) => `${file} tells probes of monitors: call SpecUpdates`)

/** What the door exports for the files of a feature. */
const layers = [
  { kind: /Handlers\.ts$/, layer: "layer(?:Api|Direct)" },
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
  const entries = floors.map(async (floor) => {
    const folder = path.join(root, floor, "src")
    const files = (await fs.readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"))
    return files.map(async (file) => [`${floor}/${file}`, await fs.readFile(path.join(folder, file), "utf8")] as const)
  })
  return Object.fromEntries(await Promise.all((await Promise.all(entries)).flat()))
}

const walls = [
  {
    wall: "features are imported through their doors",
    violations: pastTheDoor,
    canary: { "identity/sso/Admissions.ts": `import { Plans } from "../billing/Plans.ts"` }
  },
  {
    wall: "features of the floor below are imported through their doors",
    violations: pastTheDoor,
    canary: { "monitoring/alerts/Alerts.ts": `import { Plans } from "@kanmon/identity/testing/billing/Plans.ts"` }
  },
  {
    wall: "the platform knows no feature",
    violations: upwards,
    canary: { "platform/http/RequestPipeline.ts": `import { Projects } from "@kanmon/identity/projects"` }
  },
  {
    wall: "identity knows nothing of monitoring",
    violations: upwards,
    canary: { "identity/accounts/EarlierAccess.ts": `import type { Channels } from "@kanmon/monitoring/channels"` }
  },
  {
    wall: "features make no circle",
    violations: circles,
    canary: {
      "monitoring/alerts/Alerts.ts": `import { Windows } from "../maintenance/index.ts"`,
      "monitoring/maintenance/Windows.ts": `import { Incidents } from "../incidents/index.ts"`,
      "monitoring/incidents/Incidents.ts": `import type { Alerts } from "../alerts/index.ts"`
    }
  },
  {
    wall: "the registry of monitors asks no feature",
    violations: askedByTheBottom,
    canary: { "monitoring/registry/RegistryRepository.ts": `import type { Alerts } from "../alerts/index.ts"` }
  },
  {
    wall: "the users of identity ask no feature",
    violations: askedByTheBottom,
    canary: { "identity/users/SessionRepository.ts": `import { Organizations } from "../organizations/index.ts"` }
  },
  {
    wall: "delivery knows none of the features that send",
    violations: seenByServants,
    canary: { "monitoring/delivery/Deliveries.ts": `import type { OpenAlerts } from "../alerts/index.ts"` }
  },
  {
    wall: "SQL is in repositories, the platform and the backup",
    violations: sqlElsewhere,
    canary: { "monitoring/alerts/Alerts.ts": `import type { SqlClient } from "effect/sql"` }
  },
  {
    wall: "the gate alone decides who asks, how often and how much",
    violations: besideTheGate,
    canary: {
      "monitoring/on-call/CalendarHandlers.ts": `import { RateLimits } from "@kanmon/platform/http/RateLimits"`
    }
  },
  {
    wall: "every route is an endpoint of the contract",
    violations: routesBeside,
    canary: {
      "monitoring/on-call/CalendarRoutes.ts": `const router = yield* HttpRouter.HttpRouter; yield* router.add("GET", path, feed)`
    }
  },
  {
    wall: "probes learn of monitors through SpecUpdates alone",
    violations: tellingProbes,
    canary: { "monitoring/alerts/AlertRules.ts": `yield* outbox.appendSpecs(monitors)` }
  },
  {
    wall: "doors export the layers of operations and jobs under the same names",
    violations: withoutLayer,
    canary: {
      "monitoring/alerts/index.ts": `export { layer as layerApi } from "./AlertsHandlers.ts"`,
      "monitoring/alerts/AlertsHandlers.ts": "",
      "monitoring/alerts/ReminderWorker.ts": ""
    }
  }
]

describe("the walls inside the control plane", () => {
  it("are looked for in every floor", async () => {
    const files = Object.keys(await read())
    for (const floor of floors) assert.isAbove(files.filter((file) => floorOf(file) === floor).length, 50)
  })

  it("need each exception at the gate", async () => {
    const found = crossings(await read())
    for (const [file, [parts]] of Object.entries(atTheGate))
      for (const part of parts)
        assert.isTrue(
          found.some(({ from, to }) => from === file && to === `platform/http/${part}.ts`),
          `${file}: ${part}`
        )
  })

  it("hold in the server, which puts the routes together", async () => {
    const folder = path.resolve(root, "../apps/server/src")
    const files = (await fs.readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"))
    const sources = files.map(async (file) => [file, await fs.readFile(path.join(folder, file), "utf8")] as const)
    assert.isAbove(files.length, 10)
    assert.deepStrictEqual(routesBeside(Object.fromEntries(await Promise.all(sources))), [])
  })

  it.each(walls)("hold: $wall", async ({ violations }) => {
    assert.deepStrictEqual(violations(await read()), [])
  })

  it.each(walls)("turn red on a violation: $wall", ({ canary, violations }) => {
    assert.isNotEmpty(violations(canary))
  })
})
