/**
 * Measures how long a process is away whose event loop a plugin blocks for ever: from the block to the first answer of its successor, and
 * how much of that comes after the five seconds in which the watch waits for the loop. An ordinary start on the same data, in the same
 * run, is what a replacement is compared with.
 */
import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as LoopingPlugins from "../support/LoopingPlugins.ts"
import { post, signUp, sleep } from "./Api.ts"
import type { Figures } from "./Figures.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"
import * as Server from "./Server.ts"

const rounds = 5
/** So long a loop may not turn (docs/operate/watching.md). */
const watchSeconds = 5

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

const seconds = (since: number): number => (performance.now() - since) / 1000

const stallsOf = async (base: string): Promise<number | undefined> => {
  const answer = await fetch(`${base}/health`, { signal: AbortSignal.timeout(500) }).catch(() => undefined)
  const body = (await answer?.json().catch(() => undefined)) as { readonly stalls: ReadonlyArray<unknown> } | undefined
  return answer?.ok === true ? body?.stalls.length : undefined
}

const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isSo())) await sleep(10)
}

/** The processes of the embedded servers, as the files in the data directory name them. */
const serversOf = (folder: string): string =>
  ["postgres/data/postmaster.pid", "nats/nats.pid"]
    .map((file) => /^\d+/.exec(readFileSync(path.join(folder, file), "utf8"))![0])
    .join(" ")

export const run = async (): Promise<Figures> => {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-bench-plugins-"))
  const env = { KANMON_PLUGINS: LoopingPlugins.plant(folder, "check") }
  const server = await Server.make({ ownDatabase: true, env })
  try {
    const starts: Array<number> = []
    await server.start()
    const key = await signUp(server.base)
    for (let round = 0; round < rounds; round++) {
      await server.stop()
      const began = performance.now()
      await server.start()
      starts.push(seconds(began))
    }

    const servers = serversOf(server.dataDirectory)
    const { pid } = server
    const before = pid()
    const replaced: Array<number> = []
    for (let round = 1; round <= rounds; round++) {
      LoopingPlugins.arm(folder, "check")
      // Another monitor each time: one that blocked twice is held back.
      const monitor = { name: `Round ${round}`, type: "looping", host: "trap", interval: 10 }
      const made = await post(`${server.base}/monitors`, monitor, { "x-api-key": key })
      if (made.status !== 201) throw new Error(`${made.status} ${await made.text()}`)
      await until(() => LoopingPlugins.entered(folder, "check") === round)
      const began = performance.now()
      LoopingPlugins.disarm(folder, "check")
      await until(async () => (await stallsOf(server.base)) === round)
      replaced.push(seconds(began))
    }
    const after = median(replaced) - watchSeconds
    heading(`A plugin blocks the event loop for ever, ${rounds} times`)
    row("an ordinary start on the same data", `${tenths(median(starts))} s`, `of ${rounds}`)
    row(
      "from the block to the first answer",
      `${tenths(median(replaced))} s`,
      `slowest ${tenths(Math.max(...replaced))} s`
    )
    row("of it after the five seconds of the watch", `${tenths(after)} s`, "less than 5 s")
    row("of it, by an ordinary start", ratio(after / median(starts)))
    row(
      "process, PostgreSQL and NATS kept their numbers",
      before === pid() && servers === serversOf(server.dataDirectory) ? "yes" : "no",
      `${whole(before)}, ${servers}`
    )
    return { stall: [after, after / median(starts)] }
  } finally {
    await server.close()
    await fs.rm(folder, { recursive: true, force: true })
  }
}
