/**
 * A process that evaluates one question at a time, within limits of CPU time, memory and time by the clock. It is a process and
 * not a thread because V8 ends the whole process, and not the thread, when a thread's heap is full at the wrong moment (a `Set`
 * that grows is enough); and because a process can be ended in the middle of anything.
 */
import { fork } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { extname } from "node:path"
import { type Answer, overran, type Question } from "./EvaluationProtocol.ts"
import * as SharedModules from "./SharedModules.ts"

/** What came of a question; `cpu` are milliseconds of CPU time. */
export type Outcome =
  | Answer
  /** It needed more CPU time. */
  | { readonly _tag: "Overran" }
  /** It broke the process: it needed more memory, or earlier questions had left it with too little. */
  | { readonly _tag: "Crashed" }
  /** The process could not be started, or was ended by somebody, or gave no answer in time by the clock. */
  | { readonly _tag: "Lost"; readonly message: string }

/** A question as it is put to a process. */
export type Asked = Omit<Question, "cpuLimit" | "folders">

interface Limits {
  /** Milliseconds of CPU time. */
  readonly cpu: number
  /** Milliseconds by the clock. */
  readonly wait: number
}

export interface EvaluationProcess {
  /** Asks; only one question at a time. */
  readonly ask: (question: Asked, limits: Limits, done: (outcome: Outcome) => void) => void
  /** Whether it can be asked. */
  readonly isAlive: () => boolean
  /** Whether it has been asked anything. */
  readonly isUsed: () => boolean
  /** Ends it. A question in flight is not answered any more. */
  readonly end: () => void
}

/** The heap of a process, in MiB: a JSON document of 1 MiB takes up to 40. */
const heapLimit = 128

/** How much nicer than this process one in the background is. Others go first; but on a busy machine it still has its turns. */
const niceness = 5
/** How processes end that V8 gives up. */
const crashes: ReadonlySet<string | null> = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS"])

const child = new URL(`./EvaluationChild${extname(import.meta.url)}`, import.meta.url)

/** `later` calls something after so many milliseconds, and returns how to call it off. `background`: everything else goes first. */
export const start = (
  later: (millis: number, wake: () => void) => () => void,
  background: boolean
): EvaluationProcess => {
  let used = false
  let pending: ((outcome: Outcome) => void) | undefined
  let callOff = (): void => undefined

  const answer = (outcome: Outcome): void => {
    const done = pending
    pending = undefined
    callOff()
    done?.(outcome)
  }

  const running = fork(child, {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${heapLimit}`, "--max-semi-space-size=8"],
    // Nothing of this process's secrets is for what strangers wrote.
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  let alive = running.pid !== undefined
  // A process that stops does not wait for this one, which ends when it is left alone.
  running.unref()
  running.channel?.unref()
  running.on("message", (said: Answer) => answer(said))
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
      const whole: Question = { ...question, cpuLimit: limits.cpu, folders: SharedModules.folders() }
      try {
        running.send(whole, (error) => {
          if (error !== null) answer({ _tag: "Lost", message: error.message })
        })
      } catch (error) {
        // It holds what cannot be sent, such as a function.
        answer({ _tag: "Threw", message: String(error), cpu: 0 })
      }
    },
    isAlive: () => alive,
    isUsed: () => used,
    end
  }
}
