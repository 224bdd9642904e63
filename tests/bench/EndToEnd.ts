/** Measures checks per second through the whole product, their cost, their delay, and the recovery after a restart. */
import { Effect } from "effect"
import * as BareLoop from "./BareLoop.ts"
import { createMonitors, interval, signUp, sleep } from "./Api.ts"
import { descendants, script, usage } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import { ask, observed } from "./Observed.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

export interface Options {
  readonly monitors: number
  readonly seconds: number
}

export const run = async (server: Server, options: Options): Promise<Figures> => {
  const targets = await script<{ readonly port: number }>("targets.ts")
  const url = `http://127.0.0.1:${targets.first.port}/`
  try {
    await server.start()
    const key = await signUp(server.base)
    const idle = await usage(server.pid())
    const created = await createMonitors(server.base, key, url, options.monitors)
    await sleep(interval * 1000 + 5000)

    heading(`End to end: ${whole(options.monitors)} http monitors every ${interval} s, ${options.seconds} s`)
    const from = Date.now()
    const before = await consumption(server)
    await sleep(options.seconds * 1000)
    const after = await consumption(server)
    // Observations in the table are stored and evaluated.
    const until = Date.now()
    await sleep(1500)
    const stored = await observed(server.databaseUrl, from, until)
    const perSecond = (stored.count * 1000) / (until - from)
    const cost = (part: keyof typeof before): number => ((after[part] - before[part]) * 1e6) / stored.count
    row("checks per second, stored and evaluated", whole(perSecond), `expected ${whole(options.monitors / interval)}`)
    row("of them up", `${tenths((stored.up * 100) / stored.count)} %`)
    row("schedule lag p50 / p99", `${whole(stored.p50)} / ${whole(stored.p99)} ms`, `worst ${whole(stored.worst)} ms`)
    row("CPU of a check: Kanmon", `${whole(cost("product"))} µs`)
    row("CPU of a check: nats-server", `${whole(cost("bus"))} µs`)
    row("CPU of a check: PostgreSQL", `${whole(cost("database"))} µs`)
    const rate = Math.min(1000, Math.max(100, Math.round(options.monitors / interval)))
    const baseline = await BareLoop.measure(url, rate, 8)
    row(
      "CPU of a request: bare undici loop",
      `${whole(baseline.cpuMicros)} µs`,
      `${whole(baseline.perSecond)} requests/s`
    )
    row("ratio, Kanmon's process", ratio(cost("product") / baseline.cpuMicros), "at most 3, aim for 2")
    const everything = cost("product") + cost("bus") + cost("database")
    row("ratio, with its servers", ratio(everything / baseline.cpuMicros))
    const { rss } = await usage(server.pid())
    row("resident memory", `${whole(rss / 1e6)} MB`, `idle before ${whole(idle.rss / 1e6)} MB`)
    row(
      "resident memory per monitor",
      `${tenths((rss - idle.rss) / options.monitors / 1024)} KB`,
      "with checks in flight"
    )

    heading("Restart after a hard kill")
    await server.stop("SIGKILL")
    const restarted = Date.now()
    await server.start()
    row("to healthy", `${whole(Date.now() - restarted)} ms`)
    const watched = await untilWatched(server.databaseUrl, restarted, options.monitors)
    row("to every monitor checked again", `${whole(watched)} ms`, `interval ${interval} s`)
    if (options.monitors === 5000)
      return {
        fiveThousand: [everything / 1000, rss / 1e6, everything / baseline.cpuMicros],
        create: [created.perSecond]
      }
    if (options.monitors === 16_000)
      return {
        ...(created.tenThousand === undefined ? {} : { createTogether: [created.tenThousand] }),
        sixteenThousand: [cost("product") / baseline.cpuMicros, everything / baseline.cpuMicros, stored.p99]
      }
    return {}
  } finally {
    targets.child.kill()
  }
}

const consumption = async (server: Server) => {
  const children = await descendants(server.pid())
  const database = await descendants(server.databasePid())
  return {
    product: (await usage(server.pid())).cpuSeconds,
    bus: children["nats-server"]?.cpuSeconds ?? 0,
    database: Object.values(database).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  }
}

const untilWatched = async (url: string, since: number, monitors: number): Promise<number> => {
  for (;;) {
    const [count, last] = await ask(url, (sql) =>
      Effect.map(
        sql<{ seen: bigint; last: Date }>`SELECT count(*) AS seen, max(first) AS last FROM
          (SELECT min(checked_at) AS first FROM observations WHERE checked_at > ${new Date(since)} GROUP BY monitor_id) f`,
        ([found]) => [Number(found!.seen), found!.last.getTime()] as const
      )
    ).catch(() => [0, 0] as const)
    if (count >= monitors) return last - since
    if (Date.now() - since > 120_000) return Number.NaN
    await sleep(500)
  }
}
