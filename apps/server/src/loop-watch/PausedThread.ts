/** Pauses the main thread with the inspector, while it runs JavaScript, and asks what it does. */
import type { Debugger, Runtime } from "node:inspector"
import { Session } from "node:inspector"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import type { Frame } from "@kanmon/core/LoopStall"

export interface Call {
  readonly function: string
  /** The file; empty for code without one. */
  readonly url: string
  readonly line: number
  readonly column: number
}

export interface PausedThread {
  /** The innermost first. */
  readonly calls: ReadonlyArray<Call>
  /** Evaluates an expression in it; undefined if that throws. */
  readonly evaluate: (expression: string) => Promise<unknown>
}

/** The paused main thread. It never pauses while it is in a system call or in native code. */
export const pause = (): Promise<PausedThread> =>
  new Promise((resolve) => {
    const session = new Session()
    const evaluate = (expression: string): Promise<unknown> =>
      new Promise((told) => {
        session.post(
          "Runtime.evaluate",
          { expression, returnByValue: true, silent: true },
          (error: Error | null, answer?: Runtime.EvaluateReturnType) =>
            told(error === null && answer?.exceptionDetails === undefined ? answer?.result.value : undefined)
        )
      })
    const urls = new Map<string, string>()
    const callOf = ({ functionName, location }: Debugger.CallFrame): Call => ({
      function: functionName === "" ? "(anonymous)" : functionName,
      url: urls.get(location.scriptId) ?? "",
      line: location.lineNumber + 1,
      column: (location.columnNumber ?? 0) + 1
    })
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url))
    session.once("Debugger.paused", ({ params }) => resolve({ calls: params.callFrames.map(callOf), evaluate }))
    session.connectToMainThread()
    session.post("Debugger.enable", () => session.post("Debugger.pause"))
  })

const maxCalls = 20

/** The calls without the places of this machine: files are named from the root of the installation, others by their last parts. */
export const framesOf = (calls: ReadonlyArray<Call>, root: string): ReadonlyArray<Frame> =>
  calls.slice(0, maxCalls).map(({ url, ...call }) => ({ ...call, file: placeOf(url, root) }))

const placeOf = (url: string, root: string): string => {
  if (!url.startsWith("file:")) return url
  const file = fileURLToPath(url)
  const within = path.relative(root, file)
  return within.startsWith("..") ? file.split(path.sep).slice(-2).join("/") : within
}
