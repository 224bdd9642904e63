/**
 * The thread that watches the event loop. When the loop stands still, it writes what the loop was doing into the data directory,
 * ends the process and starts it again. It keeps nothing of the process but its number and its terminal: `execve` replaces the
 * program in place, so that a terminal, npm or a service manager sees no change.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { cpuUsage } from "node:process"
import { workerData } from "node:worker_threads"
import type { Activity } from "@kanmon/core/Activity"
import * as InFlight from "@kanmon/core/InFlight"
import type { LoopStall } from "@kanmon/core/LoopStall"
import * as Handover from "./Handover.ts"
import { framesOf, pause, type PausedThread } from "./PausedThread.ts"
import { append } from "./StallFile.ts"
import * as StallJudgement from "./StallJudgement.ts"
import { writtenTo } from "./SystemCall.ts"
import { counters, type Watched } from "./Watched.ts"

const watched = workerData as Watched
const counts = new Int32Array(watched.counters)
/** The time of its own that the main thread takes at most to pause, to answer, and to replace itself: it does nothing else then. */
const answeringMillis = 2000
const lookAgainMillis = 100

interface Thread {
  readonly cpu: number
  readonly isAsleep: boolean | undefined
}

/** Clock ticks of the kernel's statistics are a hundredth of a second on every system that Node runs on. */
const tickMillis = 10

/** State and CPU time of the main thread, which has the number of the process (proc(5)); elsewhere than on Linux, of the process. */
const mainThread = (): Thread => {
  try {
    const text = fs.readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const isAsleep = fields[0] === "S" && !waitsForTerminal()
    return { cpu: (Number(fields[11]) + Number(fields[12])) * tickMillis, isAsleep }
  } catch {
    const { system, user } = cpuUsage()
    return { cpu: (system + user) / 1000, isAsleep: undefined }
  }
}

/** Whether the main thread writes to a terminal that takes nothing, as after Ctrl+S: another process would wait there again. */
const waitsForTerminal = (): boolean => {
  try {
    const call = fs.readFileSync(`/proc/self/task/${process.pid}/syscall`, "latin1")
    const descriptor = writtenTo(call, process.arch)
    return descriptor !== undefined && fs.readlinkSync(`/proc/self/fd/${descriptor}`).startsWith("/dev/")
  } catch {
    return false
  }
}

const look = (): StallJudgement.Look => ({
  turns: Atomics.load(counts, counters.turns),
  at: performance.now(),
  isDebugged: Atomics.load(counts, counters.debugged) === 1,
  ...mainThread()
})

interface Described {
  readonly activity: Activity | null
  readonly plugin: string | null
}

const described = async (paused: PausedThread | undefined): Promise<Described> => {
  const unknown: Described = { activity: null, plugin: null }
  if (paused === undefined) return unknown
  const urls = paused.calls.map(({ url }) => url)
  const answer = await answered(
    paused.evaluate(`globalThis[Symbol.for(${JSON.stringify(watched.describer)})]?.(${JSON.stringify(urls)})`)
  )
  return typeof answer === "string" ? (JSON.parse(answer) as Described) : unknown
}

/** The answer of the main thread; undefined when there is none. On a busy machine it has more time. */
const answered = async <A>(answer: Promise<A>): Promise<A | undefined> => {
  let waiting = StallJudgement.begin(look())
  let timer: NodeJS.Timeout | undefined
  const given = new Promise<undefined>((resolve) => {
    timer = setInterval(() => {
      waiting = StallJudgement.next(waiting, look())
      if (waiting.own >= answeringMillis) resolve(undefined)
    }, lookAgainMillis)
  })
  return Promise.race([answer, given]).finally(() => clearInterval(timer))
}

const restart = async ({ elapsed }: StallJudgement.Judgement): Promise<void> => {
  const paused = await answered(pause())
  const { activity, plugin } = await described(paused)
  const stall: LoopStall = {
    at: Date.now(),
    release: watched.release,
    stalledMillis: Math.round(elapsed),
    activity,
    plugin,
    stack: framesOf(paused?.calls ?? [], watched.root),
    inFlight: InFlight.read(watched.inFlight) as ReadonlyArray<Activity>
  }
  // The process is started again even if nothing can be written.
  attempt(() => append(watched.directory, stall))
  attempt(() => Handover.begin(watched.directory, Date.now()))
  const [file, ...args] = watched.command
  if (paused !== undefined)
    await answered(paused.evaluate(`process.execve(${JSON.stringify(file)}, ${JSON.stringify([file, ...args])})`))
  // It cannot be interrupted, or this system has no `execve`.
  if (!watched.isSupervised) spawn(file, args, { stdio: "inherit" })
  process.kill(process.pid, "SIGKILL")
}

const attempt = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    fs.writeSync(2, `kanmon: The stall cannot be recorded in ${watched.directory}: ${(error as Error).message}\n`)
  }
}

let judgement = StallJudgement.begin(look())
const timer = setInterval(() => {
  judgement = StallJudgement.next(judgement, look())
  if (!StallJudgement.isStalled(judgement, Atomics.load(counts, counters.started) === 1)) return
  clearInterval(timer)
  void restart(judgement)
}, StallJudgement.lookMillis)
