/** How fast a backlog of observations is judged by one engine, and by two, as processes of their own. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { EventBus } from "@kanmon/core/EventBus"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Engine from "@kanmon/engine/Engine"
import * as Database from "@kanmon/store/database/Database"
import * as Migrations from "@kanmon/store/database/Migrations"
import * as Partitions from "@kanmon/store/history/Partitions"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { descendants, root, usage } from "./Child.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"
import * as Synthetic from "./Synthetic.ts"

const monitors = 5000
const rounds = 20
const total = monitors * rounds
const chunk = 1000

interface Judged {
  readonly perSecond: number
  /** Seconds of CPU for each second that passed. */
  readonly cores: { readonly engines: number; readonly database: number; readonly bus: number }
}

export const run = async (server: Server): Promise<void> => {
  heading(`Engines: a backlog of ${whole(total)} observations of ${whole(monitors)} monitors`)
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-engines-"))
  const binary = await Effect.runPromise(EmbeddedNats.find(`${process.env["PATH"]}:/usr/sbin`))
  if (binary === undefined) return row("skipped", "", "nats-server is not installed")
  const program = Effect.gen(function* () {
    const nats = yield* EmbeddedNats.start(binary, folder)
    const url = Redacted.value(nats.url).replace("//", `//${Redacted.value(nats.token)}@`)
    const bus = Engine.streams.pipe(
      Layer.provideMerge(NatsBus.layer({ url: Redacted.make(url), description: "NATS", maxBytes: 4 * 1024 ** 3 }))
    )
    const database = Layer.effectDiscard(Effect.andThen(Migrations.run, Partitions.keep(90))).pipe(
      Layer.provideMerge(Database.layer(Redacted.make(server.databaseUrl)))
    )
    const judge = (engines: number) => measure(server, { engines, folder, url, busPid: nats.pid()! })
    return yield* Effect.gen(function* () {
      return [yield* judge(1), yield* judge(2)] as const
    }).pipe(Effect.provide(Layer.merge(bus, database)))
  })
  const [one, two] = await Effect.runPromise(Effect.scoped(program)).finally(() =>
    fs.rm(folder, { recursive: true, force: true })
  )
  for (const [name, { cores, perSecond }] of [
    ["one engine", one],
    ["two engines", two]
  ] as const) {
    row(`judged per second, ${name}`, whole(perSecond))
    row(
      "  cores used: engines, PostgreSQL, NATS",
      [cores.engines, cores.database, cores.bus].map(tenths).join(" "),
      `of ${availableParallelism()}`
    )
  }
  row("ratio, two engines to one", ratio(two.perSecond / one.perSecond), "at least 1.7 where there are cores for both")
}

const measure = Effect.fnUntraced(function* (
  server: Server,
  options: { readonly engines: number; readonly folder: string; readonly url: string; readonly busPid: number }
) {
  const bus = yield* EventBus
  const sql = yield* SqlClient.SqlClient
  const tag = `engines${options.engines}x`
  const observations = yield* Synthetic.make({ monitors, rounds, tag })
  for (let index = 0; index < total; index += chunk) {
    yield* bus.publish(observations.slice(index, index + chunk).map((one) => message(one, Synthetic.interval)))
  }
  yield* sql`CHECKPOINT`
  const engines = Array.from({ length: options.engines }, (_, index) => start(server, options, index))
  // The first fifth is not measured: engines start at different times.
  while ((yield* Synthetic.stored(tag)) < total / 5) yield* Effect.sleep(250)
  const first = yield* Synthetic.stored(tag)
  const began = performance.now()
  const before = yield* consumption(server, engines, options.busPid)
  while ((yield* Synthetic.stored(tag)) < total) yield* Effect.sleep(250)
  const seconds = (performance.now() - began) / 1000
  const after = yield* consumption(server, engines, options.busPid)
  yield* Effect.forEach(engines, stop, { concurrency: "unbounded" })
  const judged: Judged = {
    perSecond: (total - first) / seconds,
    cores: {
      engines: (after.engines - before.engines) / seconds,
      database: (after.database - before.database) / seconds,
      bus: (after.bus - before.bus) / seconds
    }
  }
  return judged
})

const start = (
  server: Server,
  { engines, folder, url }: { readonly engines: number; readonly folder: string; readonly url: string },
  index: number
): ChildProcess =>
  spawn(process.execPath, ["apps/server/src/main.ts", "serve", "--roles", "engine"], {
    cwd: root,
    env: {
      ...process.env,
      KANMON_DATA_DIR: path.join(folder, `engine-${engines}-${index}`),
      KANMON_SECRET: "bench",
      DATABASE_URL: server.databaseUrl,
      NATS_URL: url
    },
    stdio: ["ignore", "ignore", "inherit"]
  })

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill()
  })

const consumption = (server: Server, engines: ReadonlyArray<ChildProcess>, bus: number) =>
  Effect.promise(async () => {
    const own = await Promise.all(engines.map(({ pid }) => usage(pid!)))
    const database = await descendants(server.databasePid())
    return {
      engines: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      database: Object.values(database).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      bus: (await usage(bus)).cpuSeconds
    }
  })
