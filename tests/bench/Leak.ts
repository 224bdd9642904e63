/**
 * Looks for leaks: five thousand monitors every ten seconds, while monitors are created and deleted, pages read, streams of
 * events opened and closed. Prints the slope of the memory of the process after its first fifth, in which it settles, and what
 * its heap has in use then and in the end.
 */
import { createTogether, interval, post, signUp, sleep } from "./Api.ts"
import { script, usage } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import * as LiveHeap from "./LiveHeap.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const monitors = 5000
/** Milliseconds between two looks at the memory, and between two rounds of use. */
const look = 2000
/** Monitors that each round of use creates and deletes. */
const passing = 20

export const run = async (server: Server, seconds: number): Promise<Figures> => {
  const targets = await script<{ readonly port: number }>("targets.ts")
  const url = `http://127.0.0.1:${targets.first.port}/`
  try {
    await server.start()
    const key = await signUp(server.base)
    const headers = { "x-api-key": key }
    const read = async (path: string): Promise<void> => {
      const answer = await fetch(`${server.base}${path}`, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    }
    await createTogether(server.base, key, url, { from: 0, until: monitors })
    const page = await post(
      `${server.base}/status-pages`,
      { name: "Bench", slug: "bench", monitorIds: await someIds(server.base, headers) },
      headers
    )
    if (page.status !== 201) throw new Error(`/status-pages: ${page.status} ${await page.text()}`)
    await sleep(interval * 1000)

    heading(`Leaks: ${whole(monitors / interval)} checks a second and changing monitors, ${whole(seconds)} s`)
    const until = Date.now() + seconds * 1000
    let rounds = 0
    const use = async (): Promise<void> => {
      for (; Date.now() < until; rounds++) {
        const body = Array.from({ length: passing }, (_, index) => ({
          name: `Passing ${rounds} ${index}`,
          type: "http",
          url: `${url}?passing`,
          interval
        }))
        const made = await post(`${server.base}/monitors/batch`, { monitors: body }, headers)
        const ids = ((await made.json()) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
        const stream = new AbortController()
        const opened = await fetch(`${server.base}/events`, { headers, signal: stream.signal })
        await read("/monitors/summaries")
        await read("/overview")
        await read("/public/status-pages/bench")
        await read(`/monitors/${ids[0]}/checks`)
        stream.abort()
        await opened.body?.cancel().catch(() => undefined)
        await fetch(`${server.base}/monitors`, {
          method: "DELETE",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ ids })
        }).then((answer) => answer.arrayBuffer())
        await sleep(look)
      }
    }
    const using = use()
    await sleep((seconds * 1000) / 5)
    const heapAtFirst = (await LiveHeap.measure(server.inspector)) / 1e6
    // The collection has made room, which fills again.
    await sleep(10 * look)
    const settled: Array<readonly [hours: number, megabytes: number]> = []
    const began = Date.now()
    while (Date.now() < until) {
      const { rss } = await usage(server.pid())
      settled.push([(Date.now() - began) / 3_600_000, rss / 1e6])
      await sleep(look)
    }
    await using
    const heapAtLast = (await LiveHeap.measure(server.inspector)) / 1e6
    const growth = slope(settled)
    row("monitors created and deleted", whole(rounds * passing))
    row("memory at first / at last", `${whole(settled[0]![1])} / ${whole(settled.at(-1)![1])} MB`)
    row("growth", `${tenths(growth)} MB an hour`)
    row(
      "heap in use at first / at last",
      `${tenths(heapAtFirst)} / ${tenths(heapAtLast)} MB`,
      "after a full collection"
    )
    return { leak: [growth, heapAtLast - heapAtFirst] }
  } finally {
    targets.child.kill()
  }
}

const someIds = async (base: string, headers: Record<string, string>): Promise<ReadonlyArray<string>> => {
  const answer = await fetch(`${base}/monitors?limit=50`, { headers })
  return ((await answer.json()) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
}

/** The slope of the line through these points that has the least squares. */
const slope = (points: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const [over, under] = points.reduce(
    ([sum, squares], [x, y]) => [sum + (x - meanX) * (y - meanY), squares + (x - meanX) ** 2] as const,
    [0, 0] as const
  )
  return over / under
}
