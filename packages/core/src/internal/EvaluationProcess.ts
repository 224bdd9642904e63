/**
 * A process that runs one evaluation at a time, with limits on CPU time, memory and wall-clock time. Not a thread, because
 * V8 ends the whole process when a thread's heap is full at the wrong moment (a growing `Set` is enough), and because a
 * process can be killed at any point.
 */
import { fork } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { extname } from "node:path"
import { type EvaluationReply, overran, type EvaluationRequest } from "./EvaluationProtocol.ts"
import * as SharedModules from "./SharedModules.ts"

/** The result of an evaluation; `cpu` is its CPU time in milliseconds. */
export type EvaluationOutcome =
  | EvaluationReply
  /** It exceeded its CPU time. */
  | { readonly _tag: "Overran" }
  /** It crashed the process: it needed too much memory, or earlier evaluations had left too little. */
  | { readonly _tag: "Crashed" }
  /** The process could not start, was killed, or did not answer in time. */
  | { readonly _tag: "Lost"; readonly message: string }

/** An evaluation as the caller passes it. */
export type Asked = Omit<EvaluationRequest, "cpuLimit" | "folders">

interface Limits {
  /** CPU time in milliseconds. */
  readonly cpu: number
  /** Wall-clock time in milliseconds. */
  readonly wait: number
}

export interface EvaluationProcess {
  /** Starts an evaluation; only one at a time. */
  readonly ask: (question: Asked, limits: Limits, done: (outcome: EvaluationOutcome) => void) => void
  /** Whether it can take an evaluation. */
  readonly isAlive: () => boolean
  /** Whether it has run an evaluation. */
  readonly isUsed: () => boolean
  /** Ends it. A running evaluation gets no result. */
  readonly end: () => void
}

/** Heap of a process in MiB: parsing 1 MiB of JSON takes up to 40. */
const heapLimit = 128

/** Added niceness of background processes. They yield to others, but still get CPU time on a busy machine. */
const niceness = 5
/** Exit signals of a V8 crash. */
const crashes: ReadonlySet<string | null> = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS"])

const child = new URL(`./EvaluationChild${extname(import.meta.url)}`, import.meta.url)

/** `later` schedules a callback and returns a function that cancels it. `background` lowers the priority. */
export const start = (
  later: (millis: number, wake: () => void) => () => void,
  background: boolean
): EvaluationProcess => {
  let used = false
  let pending: ((outcome: EvaluationOutcome) => void) | undefined
  let callOff = (): void => undefined

  const answer = (outcome: EvaluationOutcome): void => {
    const done = pending
    pending = undefined
    callOff()
    done?.(outcome)
  }

  const running = fork(child, {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${heapLimit}`, "--max-semi-space-size=8"],
    // No environment: user-written code must not see this process's secrets.
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  let alive = running.pid !== undefined
  // A stopping process does not wait for this one, which ends on its own.
  running.unref()
  running.channel?.unref()
  running.on("message", (said: EvaluationReply) => answer(said))
  running.on("error", ({ message }) => {
    alive = false
    answer({ _tag: "Lost", message })
  })
  running.on("exit", (code, signal) => {
    alive = false
    if (signal === overran) answer({ _tag: "Overran" })
    else if (crashes.has(signal)) answer({ _tag: "Crashed" })
    else answer({ _tag: "Lost", message: `the process ended with ${signal ?? code}` })
  })
  if (background && running.pid !== undefined) setPriority(running.pid, Math.min(19, getPriority() + niceness))

  const end = (): void => {
    alive = false
    callOff()
    pending = undefined
    running.kill("SIGKILL")
  }

  return {
    ask: (question, limits, done) => {
      used = true
      pending = done
      if (!alive) return queueMicrotask(() => answer({ _tag: "Lost", message: "it could not be started" }))
      callOff = later(limits.wait, () => {
        end()
        done({ _tag: "Lost", message: `it gave no answer within ${limits.wait} ms` })
      })
      const whole: EvaluationRequest = { ...question, cpuLimit: limits.cpu, folders: SharedModules.folders() }
      try {
        running.send(whole, (error) => {
          if (error !== null) answer({ _tag: "Lost", message: error.message })
        })
      } catch (error) {
        // The evaluation contains something that cannot be sent, such as a function.
        answer({ _tag: "Threw", message: String(error), cpu: 0 })
      }
    },
    isAlive: () => alive,
    isUsed: () => used,
    end
  }
}
