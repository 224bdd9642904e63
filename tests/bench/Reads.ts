/** Measures what people read over HTTP, with 10,000 monitors and 90 days of history: lists, the overview, logs. */
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { makeAccount, post } from "./Api.ts"
import * as BigProject from "./BigProject.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const requests = 200

/** One of the monitors, of which the log is long. */
const someone = (turn: number) => BigProject.monitorId(1 + (turn % BigProject.watchedClosely))

const reads: ReadonlyArray<readonly [name: string, route: (turn: number) => string]> = [
  ["list of 100", (turn) => `/monitors?limit=100&type=http${turn % 2 === 0 ? "" : "&status=up"}`],
  ["list by tag", (turn) => `/monitors?limit=100&tag=tag6:${turn % 47}`],
  ["search", (turn) => `/monitors?limit=100&q=service%20${1000 + turn * 7}`],
  ["search that finds nothing", (turn) => `/monitors?limit=100&q=nothing-${turn}`],
  ["sorted by name", () => "/monitors?limit=100&sort=name"],
  ["sorted by uptime", () => "/monitors?limit=100&sort=-uptime"],
  ["sorted by response time", () => "/monitors?limit=100&sort=responseTime"],
  ["sorted by last change", () => "/monitors?limit=100&sort=-lastChange"],
  ["summaries of all", () => "/monitors/summaries"],
  ["overview", () => "/overview"],
  ["check log, newest", (turn) => `/monitors/${someone(turn)}/checks?limit=100`],
  ["check log of 90 days, failed", (turn) => `/monitors/${someone(turn)}/checks?limit=100&status=down&${window()}`],
  ["outages of 90 days", (turn) => `/monitors/${BigProject.monitorId(1 + turn * 13)}/outages?${window()}`],
  ["uptime of 90 days", (turn) => `/monitors/${BigProject.monitorId(1 + turn * 13)}/uptime?${window()}`]
]

const window = (): string => `from=${new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)}`

const percentile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!

export const run = async (server: Server): Promise<void> => {
  await server.start()
  const { apiKey } = await makeAccount(server.base, "bench@example.org")
  const headers = { "x-api-key": apiKey }
  const made = await post(
    `${server.base}/monitors`,
    { name: "Service", type: "http", url: "http://127.0.0.1:9/", interval: 86_400 },
    headers
  )
  const { id } = (await made.json()) as { readonly id: string }
  await server.stop()

  const database = ManagedRuntime.make(
    Database.layer(Redacted.make(server.databaseUrl), { maxConnections: 1 }).pipe(Layer.orDie)
  )
  heading(`Reading ${whole(BigProject.monitors)} monitors with 90 days of history`)
  const began = Date.now()
  await database.runPromise(BigProject.fill(id, began))
  /** How often a day of the check log was read from beginning to end. */
  const scans = () =>
    database.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [found] = yield* sql<{ scans: number; rows: number }>`SELECT sum(seq_scan)::float8 AS scans,
          sum(n_live_tup)::float8 AS rows FROM pg_stat_user_tables WHERE relname ~ '^observations_2' AND n_live_tup > 1000`
        return found!
      })
    )
  const { rows } = await scans()
  row("rows of the check log", whole(rows), `written in ${whole((Date.now() - began) / 1000)} s`)

  // The engine's jobs read the log from beginning to end once in a while: measured is what readers cause.
  process.env["KANMON_ROLES"] = "api"
  await server.start()
  delete process.env["KANMON_ROLES"]
  const before = await scans()
  for (const [name, route] of reads) {
    const times: Array<number> = []
    let bytes = 0
    for (let turn = 0; turn < requests; turn++) {
      const asked = performance.now()
      const answer = await fetch(`${server.base}${route(turn)}`, { headers })
      bytes = (await answer.arrayBuffer()).byteLength
      times.push(performance.now() - asked)
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`)
    }
    const [first] = times
    const sorted = times.toSorted((one, other) => one - other)
    row(
      `${name}: p50 / p99`,
      `${tenths(percentile(sorted, 0.5))} / ${tenths(percentile(sorted, 0.99))} ms`,
      `first ${tenths(first!)} ms, ${whole(bytes / 1000)} kB; p99 under 100 ms`
    )
  }
  // PostgreSQL tells its statistics with a delay.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  row("scans of a day of the check log by readers", whole((await scans()).scans - before.scans), "none")
  await database.dispose()
}
