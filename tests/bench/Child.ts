/** Child processes of a benchmark, and their CPU and memory use from `/proc`. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"

export const root = path.resolve(import.meta.dirname, "../..")

/** Runs a script with Node; resolves with its first line of output, read as JSON, and the process. */
export const script = <A>(
  file: string,
  args: ReadonlyArray<string> = [],
  flags: ReadonlyArray<string> = []
): Promise<{ readonly child: ChildProcess; readonly first: A }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, path.join(import.meta.dirname, file), ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit", "ipc"]
    })
    let text = ""
    child.stdout!.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8")
      const end = text.indexOf("\n")
      if (end >= 0) resolve({ child, first: JSON.parse(text.slice(0, end)) as A })
    })
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)))
  })

/** CPU seconds (user and system) that a process used, those of its children that have ended, and its memory in bytes. Linux only. */
export const usage = async (
  pid: number
): Promise<{ readonly cpuSeconds: number; readonly ofEnded: number; readonly rss: number }> => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  // Clock ticks are 100 a second on every Linux that Node supports.
  const seconds = (at: number): number => (Number(fields[at]) + Number(fields[at + 1])) / 100
  return { cpuSeconds: seconds(11), ofEnded: seconds(13), rss: Number(fields[21]) * 4096 }
}

interface Process {
  readonly pid: number
  readonly name: string
}

/** A process and all below it. */
export const treeOf = async (pid: number): Promise<ReadonlyArray<Process>> => {
  const children = await childrenByParent()
  const below = (parent: number): ReadonlyArray<Process> =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child.pid)])
  const own = [...children.values()].flat().find((process) => process.pid === pid)
  return [...(own === undefined ? [] : [own]), ...below(pid)]
}

const childrenByParent = async (): Promise<ReadonlyMap<number, ReadonlyArray<Process>>> => {
  const parents = new Map<number, Array<Process>>()
  for (const entry of await fs.readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await fs.readFile(`/proc/${entry}/stat`, "utf8").catch(() => "")
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"))
    parents.set(parent, [...(parents.get(parent) ?? []), { pid: Number(entry), name }])
  }
  return parents
}

/** All descendants of a process, by command name, with their usage added up. */
export const descendants = async (pid: number): Promise<Record<string, { cpuSeconds: number; rss: number }>> => {
  const totals: Record<string, { cpuSeconds: number; rss: number }> = {}
  for (const { name, pid: own } of (await treeOf(pid)).slice(1)) {
    const used = await usage(own).catch(() => ({ cpuSeconds: 0, rss: 0 }))
    const total = (totals[name] ??= { cpuSeconds: 0, rss: 0 })
    total.cpuSeconds += used.cpuSeconds
    total.rss += used.rss
  }
  return totals
}
