/**
 * An installation of separate processes, each with its role's NATS user and settings: two apis, two engines, and probes in
 * three regions, with the third-party example plugins. Everything is removed when the scope closes.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, Redacted } from "effect"
import * as Folder from "./Folder.ts"
import { eventually, freePort, make, type Product } from "./Product.ts"
import { RoledNats } from "./RoledNats.ts"
import * as RoleSettings from "./RoleSettings.ts"
import * as TestDatabase from "./TestDatabase.ts"

export const regions = ["ap-south", "eu-west", "us-east"] as const
type Region = (typeof regions)[number]

/** Number of probes per region. */
const population: Readonly<Record<Region, number>> = { "ap-south": 1, "eu-west": 2, "us-east": 1 }

const examples = path.resolve(import.meta.dirname, "../../docs/examples/plugins")

export interface Member extends Product {
  /** The health of this process, with or without an API. */
  readonly health: Effect.Effect<{ readonly status: number; readonly body: any }>
}

export const start = Effect.gen(function* () {
  const bus = yield* RoledNats
  const database = Redacted.value(yield* TestDatabase.create)
  const plugins = yield* Folder.make()
  yield* Effect.promise(() => fs.cp(examples, plugins, { recursive: true }))
  const belongs = RoleSettings.read()
  const common = {
    DATABASE_URL: database,
    KANMON_SECRET: "a secret that api and engine share, and nobody else",
    KANMON_PLUGINS: ["check-redis-ping", "notify-rocketchat"].map((name) => path.join(plugins, name)).join(),
    KANMON_BASE_URL: "http://status.example.org"
  }

  const member = Effect.fnUntraced(function* (
    role: RoleSettings.Role,
    user: string,
    env: Readonly<Record<string, string>> = {}
  ) {
    const settings = [...belongs].filter(([, roles]) => roles.has(role)).map(([name]) => name)
    const metrics = yield* freePort
    const product = yield* make({
      env: {
        ...common,
        KANMON_ROLES: role,
        KANMON_METRICS_PORT: String(metrics),
        NATS_URL: bus.urlOf(user),
        ...env
      },
      settings: new Set(settings)
    })
    const health = Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${metrics}/api/v1/health`).catch(() => undefined)
      return { status: response?.status ?? 0, body: (await response?.json()) as any }
    })
    const made: Member = { ...product, health }
    return made
  })

  /** One after the other: nine processes that start at once stall each other. */
  const answering = (members: ReadonlyArray<Member>) =>
    Effect.forEach(members, ({ health }) => eventually(health, ({ status }) => status === 200))
  const engines = yield* Effect.all([member("engine", "engine"), member("engine", "engine")])
  yield* answering(engines)
  const apis = yield* Effect.all([member("api", "api"), member("api", "api")])
  yield* answering(apis)
  const probes: Record<Region, ReadonlyArray<Member>> = { "ap-south": [], "eu-west": [], "us-east": [] }
  for (const region of regions) {
    const one = member("probe", `probe-${region}`, { KANMON_REGION: region })
    probes[region] = yield* Effect.replicateEffect(one, population[region])
  }
  yield* eventually(
    Effect.forEach(apis, ({ health }) => health, { concurrency: 2 }),
    (all) =>
      all.every(({ body, status }) => status === 200 && JSON.stringify(body.probes) === JSON.stringify(population))
  )
  return { apis, engines, probes, database, bus, common }
})
