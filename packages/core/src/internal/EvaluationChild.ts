/**
 * The child process of the evaluator: imports modules, calls their functions one at a time, and answers. A watchdog thread
 * ends the process when a function exceeds its CPU time, even when the parent is gone.
 */
import { writeFileSync } from "node:fs"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import { type EvaluationReply, overran, type EvaluationRequest } from "./EvaluationProtocol.ts"
import * as SharedModules from "./SharedModules.ts"

type Functions = Readonly<Record<string, (settings: unknown, input: unknown) => unknown>>

/** CPU time of the whole process in milliseconds. */
const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** The deadline when nothing runs, and when it has passed. */
const none = 0
const passed = -1

const serve = (): void => {
  try {
    // Makes the kernel kill this process first when memory runs out.
    writeFileSync("/proc/self/oom_score_adj", "1000")
  } catch {
    // Not on Linux.
  }
  const deadline = new Int32Array(new SharedArrayBuffer(4))
  const watchdog = new Worker(new URL(import.meta.url), { workerData: deadline, execArgv: [] })
  const set = (value: number): void => {
    // The process is about to end: nothing may run after this.
    if (Atomics.exchange(deadline, 0, value) === passed) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    Atomics.notify(deadline, 0)
  }

  const answer = async (question: EvaluationRequest): Promise<EvaluationReply> => {
    let before = cpu()
    try {
      for (const folder of question.folders) SharedModules.shareWith(folder)
      const functions = (await import(question.module)) as Functions
      before = cpu()
      set(Math.ceil(before + question.cpuLimit))
      const value = functions[question.function]!(question.settings, question.input)
      set(none)
      return { _tag: "Returned", value, cpu: cpu() - before }
    } catch (error) {
      set(none)
      return { _tag: "Threw", message: String(error), cpu: cpu() - before }
    }
  }
  // Starts only when the watchdog is ready.
  watchdog.once("online", () =>
    process.on("message", (question: EvaluationRequest) => {
      void answer(question).then((said) => process.send!(said))
    })
  )
  process.on("disconnect", () => process.exit())
}

/** Ends the process when its CPU time reaches the deadline. */
const watch = (deadline: Int32Array): never => {
  for (;;) {
    const at = Atomics.load(deadline, 0)
    const left = at === none ? Number.POSITIVE_INFINITY : at - cpu()
    if (left > 0) Atomics.wait(deadline, 0, at, Math.max(2, left))
    else if (Atomics.compareExchange(deadline, 0, at, passed) === at) process.kill(process.pid, overran)
  }
}

if (isMainThread) serve()
else watch(workerData as Int32Array)
