/** Measures the latency from a failure to its notification, alone and with a thousand failures at once. */
import type { ChildProcess } from "node:child_process"
import { createMonitors, post, signUp, sleep } from "./Api.ts"
import { script } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import { heading, row, whole } from "./report.ts"
import type { Server } from "./Server.ts"

interface Report {
  readonly arrivals: ReadonlyArray<{ readonly event: string; readonly monitor: string; readonly at: number }>
  readonly failedAt: ReadonlyArray<readonly [path: string, at: number]>
}

const monitors = 5000
const mass = 1000
const channels = 3

const ask = (child: ChildProcess): Promise<Report> =>
  new Promise((resolve) => {
    child.once("message", (report) => resolve(report as Report))
    child.send({ ask: true })
  })

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** Milliseconds from each target's failing response to the receipt of its `monitor_down`. */
const latencies = ({ arrivals, failedAt }: Report): ReadonlyArray<number> => {
  const began = new Map(failedAt.map(([path, at]) => [`Monitor ${Number(path.slice(2)) - 1}`, at]))
  return arrivals.flatMap(({ at, event, monitor }) =>
    event === "monitor_down" && began.has(monitor) ? [at - began.get(monitor)!] : []
  )
}

/** Monitors that are checked once a second together, and how often each is made to fail. */
const few = 10
const rounds = 6

/** The latency from a failure to its notification where nearly nothing happens. */
export const alone = async (server: Server): Promise<Figures> => {
  const { child, first } = await script<{ readonly hooks: number; readonly targets: number }>("receiver.ts")
  try {
    await server.start()
    const key = await signUp(server.base)
    const headers = { "x-api-key": key }
    const config = { url: `http://127.0.0.1:${first.hooks}/0` }
    await post(`${server.base}/notification-channels`, { name: "Hook", type: "webhook", config }, headers)
    await post(`${server.base}/alert-rules`, { name: "Down", trigger: "monitor_down" }, headers)
    await createMonitors(server.base, key, `http://127.0.0.1:${first.targets}/`, few)
    await sleep(15_000)
    const found: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      child.send({ below: few, forget: true })
      await sleep(12_000)
      found.push(...latencies(await ask(child)))
      child.send({ below: 0 })
      await sleep(12_000)
    }
    heading("Alerts at 1 check a second")
    row("notifications", whole(found.length), `expected ${few * rounds}`)
    row(
      "from the failing answer to the receiver p50 / p99",
      `${whole(quantile(found, 0.5))} / ${whole(quantile(found, 0.99))} ms`,
      "at most 150 ms"
    )
    return { alertAlone: [quantile(found, 0.99)] }
  } finally {
    child.kill()
  }
}

export const run = async (server: Server): Promise<Figures> => {
  const { child, first } = await script<{ readonly hooks: number; readonly targets: number }>("receiver.ts")
  try {
    await server.start()
    const key = await signUp(server.base)
    const create = async (path: string, body: object): Promise<void> => {
      const answer = await post(`${server.base}${path}`, body, { "x-api-key": key })
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    }
    for (let index = 0; index < channels; index++) {
      const url = `http://127.0.0.1:${first.hooks}/${index}`
      await create("/notification-channels", { name: `Hook ${index}`, type: "webhook", config: { url } })
    }
    await create("/alert-rules", { name: "Down", trigger: "monitor_down" })
    await createMonitors(server.base, key, `http://127.0.0.1:${first.targets}/`, monitors)
    await sleep(15_000)

    heading(`Alerts at ${whole(monitors / 10)} checks a second, ${channels} channels`)
    child.send({ below: 50 })
    await sleep(13_000)
    const few = latencies(await ask(child))
    row("notifications of 50 failures", whole(few.length), `expected ${50 * channels}`)
    row(
      "from the failing answer to the receiver p50 / p99",
      `${whole(quantile(few, 0.5))} / ${whole(quantile(few, 0.99))} ms`,
      "at most 100 ms"
    )

    heading(`${whole(mass)} monitors down at once, ${channels} channels each`)
    const before = (await ask(child)).arrivals.length
    child.send({ below: mass })
    const began = Date.now()
    const reads: Array<number> = []
    let done = 0
    while (Date.now() - began < 60_000) {
      const asked = performance.now()
      await (await fetch(`${server.base}/monitors?limit=50`, { headers: { "x-api-key": key } })).arrayBuffer()
      reads.push(performance.now() - asked)
      await sleep(50)
      done = (await ask(child)).arrivals.length - before
      if (done >= (mass - 50) * channels) break
    }
    const all = latencies(await ask(child))
    row("notifications", whole(done), `expected ${whole((mass - 50) * channels)}`)
    row("all of them in", `${whole(Date.now() - began)} ms`, "at most 30,000; the checks alone are spread over 10,000")
    row("slowest, from the failing answer", `${whole(quantile(all, 1))} ms`)
    row(
      "API p50 / p99 meanwhile",
      `${whole(quantile(reads, 0.5))} / ${whole(quantile(reads, 0.99))} ms`,
      "at most 100 ms"
    )
    return { alert: [quantile(few, 0.99)] }
  } finally {
    child.kill()
  }
}
