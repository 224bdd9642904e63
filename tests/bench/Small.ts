/**
 * Measures what small installations cost: everything that one command starts (the product, its PostgreSQL and its NATS), idle
 * and with a hundred and five hundred monitors. Memory is PSS, so that what processes share counts once.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as BareLoop from "./BareLoop.ts"
import { createMonitorsQuietly, freePort, signUp, sleep } from "./Api.ts"
import { root, script, treeOf, usage } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"

/** Seconds between the checks of a monitor. */
const interval = 20
/** Until connections to the database that the start or a burst of requests opened, and nobody needs, are closed. */
const settling = 130_000

/** What `npm start` runs, as services and images run it: npm itself would stay in memory beside it, with 30 MB. */
const startScript = async (): Promise<string> => {
  const { scripts } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"))
  return scripts.start
}

/** The names of Node's processes: the main thread has one of its own. */
const isNode = (name: string): boolean => name === "node" || name === "MainThread"

const start = async (folder: string) => {
  const own = await freePort()
  const base = `http://127.0.0.1:${own}/api/v1`
  const began = Date.now()
  const child: ChildProcess = spawn("sh", ["-c", await startScript()], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      KANMON_PORT: String(own),
      KANMON_DATA_DIR: folder,
      KANMON_ALLOW_PRIVATE_TARGETS: "true",
      KANMON_WRITES_PER_MINUTE: "1000000",
      KANMON_NATS_PORT: String(await freePort())
    },
    stdio: ["ignore", process.env["BENCH_LOG"] === undefined ? "ignore" : "inherit", "inherit"]
  })
  for (;;) {
    const healthy = await fetch(`${base}/health`).then(
      ({ ok }) => ok,
      () => false
    )
    if (healthy) return { base, child, millis: Date.now() - began }
    if (child.exitCode !== null) throw new Error("The product ended")
    await sleep(20)
  }
}

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** CPU seconds and PSS in bytes of a process and all below it, by the name of the program. */
const consumption = async (pid: number) => {
  const parts = new Map<string, { cpu: number; memory: number }>()
  for (const process of await treeOf(pid)) {
    const { cpuSeconds, ofEnded } = await usage(process.pid).catch(() => ({ cpuSeconds: 0, ofEnded: 0 }))
    const rollup = await fs.readFile(`/proc/${process.pid}/smaps_rollup`, "utf8").catch(() => "")
    const part = parts.get(process.name) ?? { cpu: 0, memory: 0 }
    part.cpu += cpuSeconds + ofEnded
    part.memory += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024
    parts.set(process.name, part)
  }
  const sum = (of: "cpu" | "memory") => [...parts.values()].reduce((total, part) => total + part[of], 0)
  return { parts, cpu: sum("cpu"), memory: sum("memory") }
}

export const run = async (options: { readonly seconds: number }): Promise<Figures> => {
  const seconds = Math.max(60, options.seconds)
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-small-"))
  await fs.chmod(folder, 0o755)
  const targets = await script<{ readonly port: number }>("targets.ts")
  const url = `http://127.0.0.1:${targets.first.port}/`
  let running = await start(folder)
  try {
    heading(`Small installations: everything that npm start starts, ${seconds} s each`)
    row("first start to healthy", `${whole(running.millis)} ms`)
    const key = await signUp(running.base)
    const figures: Record<number, ReadonlyArray<number>> = {}
    let monitors = 0
    for (const wanted of [0, 100, 500]) {
      await createMonitorsQuietly(running.base, key, url, { from: monitors, until: wanted, interval })
      monitors = wanted
      await sleep(settling)
      const before = await consumption(running.child.pid!)
      await sleep(seconds * 1000)
      const after = await consumption(running.child.pid!)
      const cpu = after.cpu - before.cpu
      const each = [...after.parts]
        .map(([name, { cpu, memory }]) => {
          const used = cpu - (before.parts.get(name)?.cpu ?? 0)
          return `${name} ${tenths((used * 100) / seconds)} % ${whole(memory / 1e6)} MB`
        })
        .join(", ")
      const ofCore = (cpu * 100) / seconds
      const ofCheck = (cpu * 1000 * interval) / (seconds * wanted)
      const memory = after.memory / 1e6
      if (wanted === 0) {
        const ofNode = [...after.parts].reduce((sum, [name, own]) => (isNode(name) ? sum + own.memory : sum), 0) / 1e6
        figures[wanted] = [ofCore, memory, ofNode]
        row("idle: CPU of a core / memory", `${tenths(ofCore)} % / ${whole(memory)} MB`, each)
        continue
      }
      const bare = (await BareLoop.measure(url, wanted / interval, seconds)).cpuMicros / 1000
      figures[wanted] = [ofCheck, memory, ofCheck / bare]
      row(
        `${wanted} monitors every ${interval} s: CPU of a check / memory`,
        `${ofCheck.toFixed(2)} ms / ${whole(memory)} MB`,
        each
      )
      row("the same requests by a bare undici loop", `${bare.toFixed(2)} ms`, `ratio ${ratio(ofCheck / bare)}`)
    }
    await stop(running.child)
    running = await start(folder)
    row("start to healthy with these data", `${whole(running.millis)} ms`)
    return { idle: figures[0], hundred: figures[100], fiveHundred: figures[500], start: [running.millis / 1000] }
  } finally {
    await stop(running.child)
    targets.child.kill()
    await fs.rm(folder, { recursive: true, force: true })
  }
}
