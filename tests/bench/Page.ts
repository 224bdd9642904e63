/** Measures a status page of 500 monitors with 90 days of history: size, latency and database load. */
import { gzipSync } from "node:zlib"
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { script as scriptOfPage } from "@kanmon/status-page/Assets"
import * as Past from "../support/Past.ts"
import { post, signUp, sleep } from "./Api.ts"
import { script } from "./Child.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const count = 500
const seconds = 8
const rate = 1000
const connections = 32

interface Seen {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
  readonly failed: number
  readonly bytes: number
}

const readers = async (url: string, ...more: ReadonlyArray<number>): Promise<Seen> =>
  (await script<Seen>("readers.ts", [url, String(connections), String(seconds), ...more.map(String)])).first

const publish = async (base: string, key: string) => {
  const headers = { "x-api-key": key }
  const monitors: Array<{ readonly id: string; readonly heartbeatUrl: string }> = []
  const make = async (index: number): Promise<void> => {
    const answer = await post(
      `${base}/monitors`,
      { name: `Service ${index}`, type: "heartbeat", interval: 86_400 },
      headers
    )
    monitors.push((await answer.json()) as (typeof monitors)[number])
  }
  for (let begun = 0; begun < count; begun += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => make(begun + index)))
  await post(
    `${base}/status-pages`,
    {
      name: "Acme",
      slug: "acme",
      monitors: monitors.map(({ id }, index) => ({ monitorId: id, displayGroup: `Group ${Math.floor(index / 40)}` }))
    },
    headers
  )
  return monitors
}

export const run = async (server: Server): Promise<void> => {
  await server.start()
  const monitors = await publish(server.base, await signUp(server.base))
  const database = ManagedRuntime.make(
    Database.layer(Redacted.make(server.databaseUrl), { maxConnections: 1 }).pipe(Layer.orDie)
  )
  const now = Date.now()
  await database.runPromise(
    Past.write(
      monitors.map(({ id }, index) => Past.varied(id, index, now)),
      now
    )
  )
  // Only pages read this table.
  const loads = () =>
    database.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ scans: bigint }>`SELECT seq_scan + idx_scan AS scans FROM pg_stat_user_tables
          WHERE relname = 'status_page_monitors'`
        return Number(row!.scans)
      })
    )

  heading(`A status page of ${count} monitors, 90 days`)
  const url = `${new URL(server.base).origin}/status/acme`
  const began = performance.now()
  const first = Buffer.from(await (await fetch(url)).arrayBuffer())
  row("first answer, nothing in memory", `${whole(performance.now() - began)} ms`)
  row("first HTML, gzip", `${tenths(gzipSync(first).length / 1000)} kB`, "at most 60 kB")
  row("script, gzip", `${tenths(gzipSync(scriptOfPage.source).length / 1000)} kB`, "at most 12 kB")

  await readers(url)
  await sleep(1500)
  const before = await loads()
  const fast = await readers(url)
  const steady = await readers(url, rate)
  await sleep(1500)
  const reads = (await loads()) - before
  const bare = await script<{ readonly port: number }>("bareServer.ts", [String(Math.round(fast.bytes))])
  const baseline = await readers(`http://127.0.0.1:${bare.first.port}/`)
  bare.child.kill()
  row("requests per second, warm", whole(fast.perSecond), "at least 1,000")
  row(
    "a bare Node server, the same bytes",
    whole(baseline.perSecond),
    `ratio ${ratio(baseline.perSecond / fast.perSecond)}`
  )
  row(
    `at ${whole(rate)} a second: p50 / p99 / worst`,
    `${tenths(steady.p50)} / ${tenths(steady.p99)} / ${tenths(steady.worst)} ms`,
    "p99 under 20 ms"
  )
  row("failed", whole(fast.failed + steady.failed))
  row("reads of the page in the database meanwhile", whole(reads), "none by readers; a minute brings one")

  const events = (async () => {
    for (let turn = 0; turn < seconds; turn++) {
      await fetch(`${monitors[turn % 40]!.heartbeatUrl}${turn % 80 < 40 ? "/fail" : ""}`)
      await sleep(1000)
    }
  })()
  const busy = await readers(url, rate)
  await events
  row("an outage a second: p50 / p99 / worst", `${tenths(busy.p50)} / ${tenths(busy.p99)} / ${tenths(busy.worst)} ms`)
  await database.dispose()
}
