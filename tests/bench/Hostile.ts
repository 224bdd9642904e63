/**
 * Measures the impact of one account on others: 50 monitors with the most expensive rules, checked on schedule, on demand, as
 * unsaved settings, and with changing settings. Compares response times and delays of another account's checks.
 */
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Account, createMonitors, interval, post, makeAccount, sleep } from "./Api.ts"
import { script, usage } from "./Child.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const owns = 500
const others = 50
const seconds = 30
/** Milliseconds between requests to the health endpoint. */
const beat = 10

/** Paths of the body server, with an expensive and a cheap rule for each. */
const rules: ReadonlyArray<readonly [path: string, hostile: object, harmless: object]> = [
  ["alike", { jsonPath: "$.l[?$.x==$.y]" }, { jsonPath: "$.x.key1" }],
  ["alike", { jsonPath: "$..*..*..*" }, { jsonPath: "$.l[0]" }],
  ["letters", { bodyMatches: "[ab]*a[ab]{90}[cd]" }, { bodyMatches: "baab" }],
  ["letters", { bodyContains: `${"ab".repeat(16_000)}bb${"ab".repeat(16_000)}` }, { bodyContains: "baab" }]
]

/** Two accounts that write at the default limit: 120 times per minute each. */
const writeEvery = (60_000 / 240) * others

interface Attack {
  readonly end: () => Promise<void>
}

/** Creates the expensive monitors and requests checks until it is stopped; then deletes them. */
const attack = async (
  server: Server,
  port: number,
  accounts: ReadonlyArray<Account>,
  which: 1 | 2
): Promise<Attack> => {
  let going = true
  let asked = 0
  const monitor = async (index: number): Promise<void> => {
    const headers = { "content-type": "application/json", "x-api-key": accounts[index % 2]!.apiKey }
    const { [index % rules.length]: rule } = rules
    const url = (turn: number): string => `http://127.0.0.1:${port}/${rule![0]}?${turn}`
    const settings = { name: `Other ${index}`, type: "http", url: url(index), interval, ...rule![which] }
    const { id } = (await (await post(`${server.base}/monitors`, settings, headers)).json()) as { readonly id: string }
    const one = `${server.base}/monitors/${id}`
    await sleep(Math.random() * writeEvery)
    for (;;) {
      if (!going) break
      const turn = asked++
      if (turn % 3 === 0) await post(`${one}/check`, {}, headers)
      else if (turn % 3 === 1) await post(`${server.base}/monitors/test`, settings, headers)
      else await fetch(one, { method: "PATCH", headers, body: JSON.stringify({ url: url(turn) }) })
      await sleep(writeEvery)
    }
    await fetch(one, { method: "DELETE", headers })
  }
  const monitors = Array.from({ length: others }, (_, index) => monitor(index))
  await sleep(2 * interval * 1000)
  return {
    end: async () => {
      going = false
      await Promise.all(monitors)
    }
  }
}

export const run = async (server: Server): Promise<void> => {
  const targets = await script<{ readonly port: number }>("targets.ts")
  const bodies = await script<{ readonly port: number }>("hostileBodies.ts")
  try {
    await server.start()
    const own = await makeAccount(server.base, "own@example.org")
    await createMonitors(server.base, own.apiKey, `http://127.0.0.1:${targets.first.port}/`, owns)
    const accounts = await Promise.all(["one", "two"].map((name) => makeAccount(server.base, `${name}@example.org`)))
    await sleep(interval * 1000)
    const alone = await measured(server, own)
    const beside = async (which: 1 | 2): Promise<Measured> => {
      const attacked = await attack(server, bodies.first.port, accounts, which)
      const seen = await measured(server, own)
      await attacked.end()
      return seen
    }
    const harmless = await beside(2)
    const hostile = await beside(1)

    heading(
      `${owns} http monitors every ${interval} s beside ${others} of other accounts on bodies of 1 MB, ${seconds} s each`
    )
    const columns = (name: string, note: string, value: (of: Measured) => string): void =>
      row(name, [alone, harmless, hostile].map(value).join(" | "), note)
    row("", "alone | others harmless | others hostile")
    columns("/health/live p50", "", ({ p50 }) => `${tenths(p50)} ms`)
    columns("/health/live p99", "under 50 ms", ({ p99 }) => `${tenths(p99)} ms`)
    columns("/health/live worst", "", ({ worst }) => `${whole(worst)} ms`)
    columns("schedule lag p99", "under 200 ms", ({ lag }) => `${whole(lag)} ms`)
    columns("checks, and those that were not up", "", ({ checks, failed }) => `${whole(checks)}, ${failed}`)
    columns("resident memory of the process", "", ({ rss }) => `${whole(rss / 1e6)} MB`)
  } finally {
    targets.child.kill()
    bodies.child.kill()
  }
}

type Measured = Awaited<ReturnType<typeof measured>>

const measured = async (server: Server, { projectId }: Account) => {
  const from = Date.now()
  const waits: Array<number> = []
  // Concurrent: sequential requests would hide the waiting time of requests that arrive meanwhile (coordinated omission).
  const asking: Array<Promise<void>> = []
  while (Date.now() - from < seconds * 1000) {
    const began = performance.now()
    asking.push(
      fetch(`${server.base}/health/live`)
        .then((answer) => answer.arrayBuffer())
        .then(() => void waits.push(performance.now() - began))
    )
    await sleep(beat)
  }
  await Promise.all(asking)
  const until = Date.now()
  const { rss } = await usage(server.pid())
  await sleep(1500)
  const sorted = waits.toSorted((left, right) => left - right)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return {
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    rss,
    ...(await schedule(server.databaseUrl, projectId, from, until))
  }
}

const schedule = (url: string, projectId: string, from: number, until: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ lag: number; checks: bigint; failed: bigint }>`
      SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM checked_at - scheduled_at) * 1000)::float8 AS lag,
        count(*) AS checks, count(*) FILTER (WHERE observations.status <> 'up') AS failed
      FROM observations JOIN monitors ON monitors.id = monitor_id
      WHERE project_id = ${projectId} AND checked_at >= ${new Date(from)} AND checked_at < ${new Date(until)}`
  ).pipe(
    Effect.map(([found]) => ({ lag: found!.lag, checks: Number(found!.checks), failed: Number(found!.failed) })),
    Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie,
    Effect.runPromise
  )
