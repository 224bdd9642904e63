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

/** CPU seconds (user and system) a process has used, and its resident memory in bytes. Linux only. */
export const usage = async (pid: number): Promise<{ readonly cpuSeconds: number; readonly rss: number }> => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  // Clock ticks are 100 a second on every Linux that Node supports.
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rss: Number(fields[21]) * 4096 }
}

/** All descendants of a process, by command name, with their usage added up. */
export const descendants = async (pid: number): Promise<Record<string, { cpuSeconds: number; rss: number }>> => {
  const parents = new Map<number, Array<{ pid: number; name: string }>>()
  for (const entry of await fs.readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await fs.readFile(`/proc/${entry}/stat`, "utf8").catch(() => "")
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"))
    parents.set(parent, [...(parents.get(parent) ?? []), { pid: Number(entry), name }])
  }
  const totals: Record<string, { cpuSeconds: number; rss: number }> = {}
  const visit = async (parent: number): Promise<void> => {
    for (const { name, pid: own } of parents.get(parent) ?? []) {
      const used = await usage(own).catch(() => ({ cpuSeconds: 0, rss: 0 }))
      const total = (totals[name] ??= { cpuSeconds: 0, rss: 0 })
      total.cpuSeconds += used.cpuSeconds
      total.rss += used.rss
      await visit(own)
    }
  }
  await visit(pid)
  return totals
}
