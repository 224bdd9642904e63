/**
 * What an account can do to the others: 50 monitors whose rules cost as much as they can, on their schedule, through check-now,
 * through tests of what is not saved, and with settings that change. How soon the process answers, and how late another
 * account's checks begin, without them and with them.
 */
import * as Database from "@kanmon/store/database/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Account, createMonitors, interval, post, makeAccount, sleep } from "./Api.ts"
import { script, usage } from "./Child.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const honest = 500
const hostile = 50
const seconds = 30
/** How often the process is asked whether it lives, in milliseconds. */
const beat = 10

/** Paths of the hostile server, and what is looked for in what it sends. */
const rules: ReadonlyArray<readonly [path: string, rule: object]> = [
  ["alike", { jsonPath: "$.l[?$.x==$.y]" }],
  ["alike", { jsonPath: "$..*..*..*" }],
  ["letters", { bodyMatches: "[ab]*a[ab]{90}[cd]" }],
  ["letters", { bodyContains: `${"ab".repeat(16_000)}bb${"ab".repeat(16_000)}` }]
]

export const run = async (server: Server): Promise<void> => {
  const targets = await script<{ readonly port: number }>("targets.ts")
  const bodies = await script<{ readonly port: number }>("hostileBodies.ts")
  try {
    await server.start()
    const other = await makeAccount(server.base, "other@example.org")
    await createMonitors(server.base, other.apiKey, `http://127.0.0.1:${targets.first.port}/`, honest)
    await sleep(interval * 1000)
    const calm = await measured(server, other)

    const attackers = await Promise.all(["one", "two"].map((name) => makeAccount(server.base, `${name}@example.org`)))
    let attacking = true
    let asked = 0
    const attack = async (index: number): Promise<void> => {
      const headers = { "x-api-key": attackers[index % 2]!.apiKey }
      const [path, rule] = rules[index % rules.length]!
      const body = {
        name: `Hostile ${index}`,
        type: "http",
        url: bodyUrl(bodies.first.port, path, index),
        interval,
        ...rule
      }
      const { id } = (await (await post(`${server.base}/monitors`, body, headers)).json()) as { readonly id: string }
      while (attacking) {
        const turn = asked++
        if (turn % 3 === 0) await post(`${server.base}/monitors/${id}/check`, {}, headers)
        else if (turn % 3 === 1) await post(`${server.base}/monitors/test`, { ...body, name: `Test ${turn}` }, headers)
        else {
          const url = bodyUrl(bodies.first.port, path, turn)
          await fetch(`${server.base}/monitors/${id}`, {
            method: "PATCH",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify({ url })
          })
        }
        await sleep(100)
      }
    }
    const attacks = Array.from({ length: hostile }, (_, index) => attack(index))
    await sleep(interval * 1000)
    const before = asked
    const stormy = await measured(server, other)

    heading(
      `${hostile} hostile monitors of others beside ${honest} http monitors every ${interval} s, ${seconds} s each`
    )
    const columns = (name: string, note: string, value: (of: Measured) => string): void =>
      row(name, `${value(calm)} | ${value(stormy)}`, note)
    row("", "without | with them")
    columns("/health/live p50", "", ({ p50 }) => `${tenths(p50)} ms`)
    columns("/health/live p99", "under 50 ms", ({ p99 }) => `${tenths(p99)} ms`)
    columns("/health/live worst", "", ({ worst }) => `${whole(worst)} ms`)
    columns("the other account's schedule lag p99", "under 200 ms", ({ lag }) => `${whole(lag)} ms`)
    columns("its checks, and those that were not up", "", ({ checks, failed }) => `${whole(checks)}, ${failed}`)
    columns("resident memory of the process", "", ({ rss }) => `${whole(rss / 1e6)} MB`)
    row("hostile requests meanwhile", whole(asked - before), "check-now, tests and changes")
    attacking = false
    await Promise.all(attacks)
  } finally {
    targets.child.kill()
    bodies.child.kill()
  }
}

const bodyUrl = (port: number, path: string, index: number): string => `http://127.0.0.1:${port}/${path}?${index}`

type Measured = Awaited<ReturnType<typeof measured>>

const measured = async (server: Server, { projectId }: Account) => {
  const from = Date.now()
  const waits: Array<number> = []
  // One after the other would hide how long those would have waited who came meanwhile.
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
