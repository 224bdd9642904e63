/**
 * An installation as an operator of many machines runs it, on loopback: three probes in two or three regions, engines, two APIs, a
 * nats-server and PostgreSQL, each a process of its own that can be killed, frozen, cut off and started again.
 */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { freePort } from "../support/Ports.ts"
import { Effect, type Scope } from "effect"
import { searchPath } from "../support/NatsServer.ts"
import type { Counters } from "./Counters.ts"
import * as Process from "./Process.ts"
import * as Servers from "./Servers.ts"
import * as Wire from "./Wire.ts"

export const probes = ["probe-1", "probe-2", "probe-3"] as const

type ProbeName = (typeof probes)[number]

/** Where each probe is. */
export type Places = Readonly<Record<ProbeName, string>>

/** The third is alone in its region. */
export const twoRegions: Places = { "probe-1": "eu-west", "probe-2": "eu-west", "probe-3": "us-east" }

/** Each is alone, so none takes over what another one watched. */
export const threeRegions: Places = { "probe-1": "eu-west", "probe-2": "ap-south", "probe-3": "us-east" }

export interface Fleet {
  readonly databaseUrl: string
  readonly natsUrl: string
  /** The addresses of the APIs. */
  readonly apis: ReadonlyArray<string>
  readonly members: ReadonlyMap<string, Process.Process>
  readonly member: (name: string) => Process.Process
  /** Cuts the wired probe off the bus. */
  readonly cut: Effect.Effect<void>
  readonly mend: Effect.Effect<void>
  /** Every stay away that has ended, and those that have not. */
  readonly absences: () => ReadonlyArray<Process.Absence>
}

export interface FleetOptions {
  readonly engines: number
  readonly folder: string
  readonly counters: Counters
  /** The name server of each probe. */
  readonly resolver: (probe: string) => string
  readonly places: Places
  /** Settings of every process of the product. */
  readonly settings: Readonly<Record<string, string>>
}

/** A folder for a fleet's files and logs. With `keep` it is not removed, for debugging. */
export const folder = (keep: () => boolean): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const made = await fs.mkdtemp(path.join(tmpdir(), "kanmon-faults-"))
      // The database runs as a user of its own when the tests run as root.
      await fs.chmod(made, 0o755)
      return made
    }),
    (made) =>
      keep()
        ? Effect.logWarning(`What the processes said is in ${made}`)
        : Effect.promise(() => fs.rm(made, { recursive: true, force: true, maxRetries: 5 }))
  )

const root = path.resolve(import.meta.dirname, "../..")
const secret = "a secret that all processes of a fleet share"

/** This one reaches the bus over a wire that can be cut. */
const wired: ProbeName = "probe-2"

/** Starts everything and returns when all of it serves. */
export const make = (options: FleetOptions): Effect.Effect<Fleet, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { counters, folder, places } = options
    const keeper = yield* Process.keeper
    const ended: Array<Process.Absence> = []
    const present = new Map<string, Process.Absence>()
    const absent = (absence: Process.Absence): void => {
      if (absence.to === undefined) present.set(absence.name, absence)
      else {
        present.delete(absence.name)
        ended.push(absence)
      }
    }
    const members = new Map<string, Process.Process>()
    const add = (name: string, command: Process.Command, isReady: Process.ProcessOptions["isReady"]) =>
      Effect.suspend(() => {
        const log = path.join(folder, `${name}.log`)
        const made = Process.make({ name, command, log, isReady, absent, keeper })
        members.set(name, made)
        return made.start
      })

    const database = yield* Servers.postgres(folder)
    const bus = yield* Servers.nats(folder)
    yield* add("postgres", database.command, database.isReady)
    yield* add("nats", bus.command, bus.isReady)
    const wire = yield* Wire.make(bus.port)

    const product = (name: string, env: Readonly<Record<string, string>>): Process.Command => ({
      program: process.execPath,
      args: ["apps/server/src/main.js", "serve"],
      cwd: root,
      env: {
        HOME: process.env["HOME"] ?? "/",
        PATH: searchPath,
        NATS_URL: bus.url,
        KANMON_SECRET: secret,
        // One installation has one address; its cookies are named after it.
        KANMON_BASE_URL: "http://127.0.0.1:3000",
        KANMON_DATA_DIR: path.join(folder, name),
        KANMON_REGIONS: [...new Set(Object.values(places))].join(),
        KANMON_ALLOW_PRIVATE_TARGETS: "true",
        // The APIs look up the targets of new monitors.
        KANMON_DNS_RESOLVER: options.resolver(probes[0]!),
        KANMON_DEFAULT_PLAN: "plan_enterprise",
        KANMON_WRITES_PER_MINUTE: "1000000",
        // The ledger counts each message.
        KANMON_GROUP_ALERTS: "1000000",
        KANMON_READS_PER_MINUTE: "1000000",
        // All targets are one host.
        KANMON_HOST_CONCURRENCY: "2000",
        OTEL_EXPORTER_OTLP_ENDPOINT: counters.endpoint(name),
        ...options.settings,
        ...env
      }
    })
    const greets = async (printed: () => string): Promise<boolean> => /^\{"message":"Kanmon /m.test(printed())

    const apis: Array<string> = []
    for (const name of ["api-1", "api-2"]) {
      const port = yield* Effect.promise(freePort)
      const base = `http://127.0.0.1:${port}/api/v1`
      apis.push(base)
      const command = product(name, {
        KANMON_ROLES: "api",
        KANMON_PORT: String(port),
        DATABASE_URL: database.url
      })
      yield* add(name, command, () =>
        fetch(`${base}/health`, { signal: AbortSignal.timeout(5000) }).then(
          ({ ok }) => ok,
          () => false
        )
      )
    }
    for (let index = 1; index <= options.engines; index++) {
      const env = { KANMON_ROLES: "engine", DATABASE_URL: database.url }
      yield* add(`engine-${index}`, product(`engine-${index}`, env), greets)
    }
    for (const name of probes) {
      const env = {
        KANMON_ROLES: "probe",
        KANMON_REGION: places[name],
        KANMON_DNS_RESOLVER: options.resolver(name),
        ...(name === wired ? { NATS_URL: `nats://127.0.0.1:${wire.port}` } : {})
      }
      yield* add(name, product(name, env), greets)
    }

    let cutAt: number | undefined
    return {
      databaseUrl: database.url,
      natsUrl: bus.url,
      apis,
      members,
      member: (name) => members.get(name)!,
      cut: Effect.andThen(
        Effect.sync(() => {
          cutAt = Date.now()
          absent({ name: wired, how: "cut", from: cutAt, to: undefined })
        }),
        wire.cut
      ),
      mend: Effect.andThen(
        wire.mend,
        Effect.sync(() => {
          absent({ name: wired, how: "cut", from: cutAt!, to: Date.now() })
        })
      ),
      absences: () => [...ended, ...present.values()]
    }
  })
