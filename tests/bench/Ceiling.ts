/**
 * Measures the most that one process can do on this machine, with its targets beside it: raises the load step by step, until
 * checks start late or results are lost.
 */
import { createTogether, interval, signUp, sleep } from "./Api.ts"
import { script } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import { observed } from "./Observed.ts"
import { heading, row, whole } from "./report.ts"
import type { Server } from "./Server.ts"

/** Checks a second of the first step, and how many more each step adds. */
const first = 400
const step = 200
const most = 4000
/** Schedule lag in milliseconds (p99) above which a load is too high. */
const late = 500
/** The share of the checks that must be stored within three seconds. */
const complete = 0.98

export const run = async (server: Server, seconds: number): Promise<Figures> => {
  const targets = await script<{ readonly port: number }>("targets.ts")
  const url = `http://127.0.0.1:${targets.first.port}/`
  try {
    await server.start()
    const key = await signUp(server.base)
    heading(`Ceiling: http monitors every ${interval} s, more of them every ${seconds + interval + 3} s`)
    let reached = { rate: 0, lag: 0 }
    let monitors = 0
    for (let rate = first; rate <= most; rate += step) {
      await createTogether(server.base, key, url, { from: monitors, until: rate * interval })
      monitors = rate * interval
      await sleep((interval + 3) * 1000)
      const from = Date.now()
      await sleep(seconds * 1000)
      const until = Date.now()
      await sleep(3000)
      const { count, p99 } = await observed(server.databaseUrl, from, until)
      const perSecond = (count * 1000) / (until - from)
      row(`${whole(rate)} a second: stored, lag p99`, whole(perSecond), `${whole(p99)} ms`)
      if (p99 > late || perSecond < rate * complete) break
      reached = { rate: perSecond, lag: p99 }
    }
    row("the most", whole(reached.rate), "at least 2,200")
    return { ceiling: [reached.rate, reached.lag] }
  } finally {
    targets.child.kill()
  }
}
