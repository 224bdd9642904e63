/**
 * The inside of an evaluator's process: imports the modules it is told, calls their functions, one at a time, and answers. A
 * thread beside ends the process when a function uses up its CPU time; it does so even when nobody is left who asked.
 */
import { writeFileSync } from "node:fs"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import { type Answer, overran, type Question } from "./EvaluationProtocol.ts"
import * as SharedModules from "./SharedModules.ts"

type Functions = Readonly<Record<string, (settings: unknown, input: unknown) => unknown>>

/** Milliseconds of CPU time of the whole process. */
const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** The deadline while nothing runs, and when it has passed. */
const none = 0
const passed = -1

const serve = (): void => {
  try {
    // When memory runs out, the system ends this process first.
    writeFileSync("/proc/self/oom_score_adj", "1000")
  } catch {
    // Not on Linux.
  }
  const deadline = new Int32Array(new SharedArrayBuffer(4))
  const watchdog = new Worker(new URL(import.meta.url), { workerData: deadline, execArgv: [] })
  const set = (value: number): void => {
    // The end is near: nothing must come after it.
    if (Atomics.exchange(deadline, 0, value) === passed) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    Atomics.notify(deadline, 0)
  }

  const answer = async (question: Question): Promise<Answer> => {
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
  // Nothing runs that nobody watches.
  watchdog.once("online", () =>
    process.on("message", (question: Question) => {
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
