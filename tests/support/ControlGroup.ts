/** Control groups of Linux, which limit the processes in them and the children that those start: version 2, and version 1 where it is still used. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, type Scope } from "effect"

/** A limit in a version of control groups: where groups are made, and the files that set it. */
export interface Limit {
  readonly root: string
  readonly files: Readonly<Record<string, string>>
}

const make = ({ files, root }: Limit): string => {
  // Where each controller has a folder of its own, the folder above them is no group, and what is made in it are plain files.
  fs.accessSync(path.join(root, "cgroup.procs"))
  const made = fs.mkdtempSync(path.join(root, "kanmon-"))
  try {
    for (const [file, text] of Object.entries(files)) {
      const limit = path.join(made, file)
      // The kernel makes the files of the controllers that a group has.
      fs.accessSync(limit)
      fs.writeFileSync(limit, text)
    }
  } catch (error) {
    fs.rmdirSync(made)
    throw error
  }
  return made
}

/** The first of the limits that this machine lets us set. */
export const usable = <A extends Limit>(limits: ReadonlyArray<A>): A | undefined =>
  limits.find((limit) => {
    try {
      fs.rmdirSync(make(limit))
      return true
    } catch {
      return false
    }
  })

/** A group with the limit. Processes that are in it at its end leave it. */
export const group = (limit: Limit): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => make(limit)),
    (made) =>
      Effect.sync(() => {
        for (const pid of members(made)) enter(limit.root, pid)
        fs.rmdirSync(made)
      })
  )

/** The file of a group to which a process is written that is to be in it. */
export const membersFile = (made: string): string => path.join(made, "cgroup.procs")

export const members = (made: string): ReadonlyArray<number> =>
  fs
    .readFileSync(membersFile(made), "utf8")
    .split("\n")
    .filter((pid) => pid !== "")
    .map(Number)

export const enter = (made: string, pid: number): void => fs.writeFileSync(membersFile(made), String(pid))

/** A limit of memory. */
export interface MemoryLimit extends Limit {
  /** How often the kernel has killed a process of a group for the limit. */
  readonly kills: (group: string) => number
}

const killed = (file: string) => (group: string) =>
  Number(/^oom_kill (\d+)$/m.exec(fs.readFileSync(path.join(group, file), "utf8"))?.[1])

/** For as many bytes; undefined where no group for memory can be made. */
export const memory = (bytes: number): MemoryLimit | undefined =>
  usable([
    { root: "/sys/fs/cgroup", files: { "memory.max": String(bytes) }, kills: killed("memory.events") },
    {
      root: "/sys/fs/cgroup/memory",
      files: { "memory.limit_in_bytes": String(bytes) },
      kills: killed("memory.oom_control")
    }
  ])
