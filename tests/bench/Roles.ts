/** Measures the cost of a check in each role, for the figures in docs/operate/sizing.md. */
import * as Database from "@kanmon/platform/database/Database"
import { jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createMonitors, interval, signUp, sleep } from "./Api.ts"
import { script, usage } from "./Child.ts"
import type { Options } from "./EndToEnd.ts"
import * as Parts from "./Parts.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const names = ["api", "engine", "probe"] as const

export const run = async (server: Server, { monitors, seconds }: Options): Promise<void> => {
  const parts = await Parts.make(server)
  if (parts === undefined) return row("skipped", "", "nats-server is not installed")
  const targets = await script<{ readonly port: number }>("targets.ts")
  try {
    const port = 20_000 + (process.pid % 5000)
    const children = {
      api: parts.start("api", "api", { KANMON_PORT: String(port) }),
      engine: parts.start("engine", "engine"),
      probe: parts.start("probe", "probe")
    }
    const base = `http://127.0.0.1:${port}/api/v1`
    while (
      !(await fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false
      ))
    )
      await sleep(100)
    const key = await signUp(base)
    await sleep(3000)
    const idle = await usage(children.probe.pid!)
    await createMonitors(base, key, `http://127.0.0.1:${targets.first.port}/`, monitors)
    await sleep(interval * 1000 + 5000)

    heading(`Parts: ${whole(monitors)} http monitors every ${interval} s, ${seconds} s, each part a process of its own`)
    const look = async () => ({
      ...(await observations(server.databaseUrl)),
      ...(await parts.servers()),
      stream: await stream(parts.natsUrl),
      used: await Promise.all(names.map((name) => usage(children[name].pid!)))
    })
    const before = await look()
    await sleep(seconds * 1000)
    const after = await look()
    const checks = after.rows - before.rows
    const micros = (cpu: number): string => `${whole((cpu * 1e6) / checks)} µs`
    row("checks per second", whole(checks / seconds), `expected ${whole(monitors / interval)}`)
    names.forEach((name, index) => {
      const cpu = after.used[index]!.cpuSeconds - before.used[index]!.cpuSeconds
      row(`CPU of a check: ${name}`, micros(cpu), `resident ${whole(after.used[index]!.rss / 1e6)} MB`)
    })
    row("CPU of a check: nats-server", micros(after.bus - before.bus))
    row("CPU of a check: PostgreSQL", micros(after.database - before.database))
    row("probe's memory per monitor", `${tenths((after.used[2]!.rss - idle.rss) / monitors / 1024)} KB`)
    row("bytes of a check: PostgreSQL", whole((after.bytes - before.bytes) / checks), "table and index")
    row(
      "bytes of a check: stream KANMON_CHECKS",
      whole((after.stream.bytes - before.stream.bytes) / (after.stream.messages - before.stream.messages))
    )
  } finally {
    targets.child.kill()
    await parts.close()
  }
}

const observations = (url: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{ rows: bigint; bytes: bigint }>`SELECT (SELECT count(*) FROM observations) AS rows,
      (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('observations') WHERE isleaf)::bigint AS bytes`
  ).pipe(
    Effect.map(([found]) => ({ rows: Number(found!.rows), bytes: Number(found!.bytes) })),
    Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie,
    Effect.runPromise
  )

const stream = async (url: string) => {
  const { host, username } = new URL(url)
  const connection = await connect({ servers: host, token: username })
  const { state } = await (await jetstreamManager(connection)).streams.info("KANMON_CHECKS")
  await connection.close()
  return { bytes: state.bytes, messages: state.messages }
}
