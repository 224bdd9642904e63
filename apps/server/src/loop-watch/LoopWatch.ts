/**
 * Watches this process's event loop from a thread of its own. A loop that does not turn for five seconds ends the process, which
 * is started again at once; the embedded servers go on. Work that did that twice is held back: see `Quarantine`.
 */
import { existsSync } from "node:fs"
import * as inspector from "node:inspector"
import { extname, resolve } from "node:path"
import { Worker } from "node:worker_threads"
import * as Activity from "@kanmon/core/Activity"
import * as InFlight from "@kanmon/core/InFlight"
import { frameText } from "@kanmon/core/LoopStall"
import * as PluginOwner from "@kanmon/core/PluginOwner"
import { sourceOf } from "@kanmon/core/PluginSource"
import { Quarantine } from "@kanmon/core/Quarantine"
import { version as release } from "@kanmon/platform/version"
import { Context, Effect, Layer } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import { environment } from "../Settings.ts"
import * as Restart from "./Restart.ts"
import * as StallRecords from "./StallRecords.ts"
import { counterBytes, counters, type Watched } from "./Watched.ts"

export class LoopWatch extends Context.Service<LoopWatch>()("@kanmon/server/loop-watch/LoopWatch", {
  make: Effect.gen(function* () {
    const { path: directory } = yield* DataDirectory
    const memory = new SharedArrayBuffer(counterBytes)
    const counts = new Int32Array(memory)
    yield* announced
    // Drops those of other releases. Failures are ignored: they are not read either.
    const { stalls } = yield* Quarantine
    if (StallRecords.read(directory).length > stalls.length)
      yield* Effect.ignore(Effect.try(() => StallRecords.replace(directory, stalls)))
    yield* Effect.acquireRelease(
      Effect.sync(() => watch({ counters: memory, directory })),
      (thread) => Effect.promise(() => thread.terminate())
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(() => turn(counts), turnMillis).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    return {
      /** Everything has started: from now on no turn takes long. */
      started: Effect.sync(() => void Atomics.store(counts, counters.started, 1))
    }
  })
}) {
  /** Watches until the scope closes. */
  static readonly layer = Layer.effect(LoopWatch, LoopWatch.make)
}

/** The stalls of earlier processes with this release; another one may behave otherwise. */
export const quarantine: Layer.Layer<never, never, DataDirectory> = Layer.effect(
  Quarantine,
  Effect.gen(function* () {
    const { handover, path } = yield* DataDirectory
    const stalls = StallRecords.read(path).filter((stall) => stall.release === release)
    return { stalls, last: handover.isBegun ? stalls.at(-1) : undefined }
  })
)

const turnMillis = 1000

const turn = (counts: Int32Array): void => {
  Atomics.store(counts, counters.debugged, inspector.url() === undefined ? 0 : 1)
  Atomics.add(counts, counters.turns, 1)
}

const root = resolve(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../../.." : "../../..")

const describer = "@kanmon/server/loop-watch"

const watch = (shared: Pick<Watched, "counters" | "directory">): Worker => {
  const watched: Watched = {
    ...shared,
    inFlight: InFlight.memory,
    release,
    root,
    command: Restart.commandOf(process),
    isSupervised: Restart.isSupervised({
      pid: process.pid,
      parent: process.ppid,
      environment: environment(),
      isContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv")
    }),
    describer
  }
  Reflect.set(globalThis, Symbol.for(describer), describe)
  const thread = new Worker(new URL(`./LoopWatchThread${extname(import.meta.url)}`, import.meta.url), {
    name: "loop-watch",
    workerData: watched,
    // Such as those of the process for its own heap.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 }
  })
  thread.unref()
  return thread
}

/** Runs in the main thread while it is paused, and describes its activity as JSON. */
const describe = (files: ReadonlyArray<string>): string => {
  const plugin = files.map(PluginOwner.inFile).find((owner) => owner !== undefined)
  const activity = Activity.current() ?? (plugin === undefined ? null : ofPlugin(plugin))
  return JSON.stringify({ activity, plugin: plugin ?? null })
}

/** Code of a plugin that runs for nothing in particular, such as a timer, or while it is loaded. */
const ofPlugin = (specifier: string): Activity.Activity => ({
  kind: "plugin",
  key: specifier,
  version: sourceOf(specifier, process.cwd()).version?.() ?? "",
  label: specifier,
  size: null
})

const announced = Effect.gen(function* () {
  const { last, stalls } = yield* Quarantine
  if (last === undefined) return
  const { activity, inFlight, plugin, stack, stalledMillis } = last
  yield* Effect.logError("The event loop did not turn; the process was ended and started again").pipe(
    Effect.annotateLogs({
      stalledMillis,
      at: new Date(last.at).toISOString(),
      activity: activity ?? "unknown",
      ...(plugin === null ? {} : { plugin }),
      stack: stack.map(frameText),
      inFlight: inFlight.length,
      stalls: stalls.length
    })
  )
})
