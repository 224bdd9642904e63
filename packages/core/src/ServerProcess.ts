/**
 * A server as a child process: supervised, restarted when it dies, and stopped with the scope. When this process is killed, a guard
 * stops the server. A process that is replaced hands its server over to the next process.
 */
import { type ChildProcess, execFile } from "node:child_process"
import { randomInt } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { promisify } from "node:util"
import { Clock, Data, Deferred, Effect, type Scope } from "effect"
import * as ServerGuard from "./ServerGuard.ts"

/** The server cannot run; the message says why and what to do. */
export class ServerProcessFailed extends Data.TaggedError("ServerProcessFailed")<{ readonly message: string }> {}

export interface ServerProcessOptions {
  /** Display name. */
  readonly name: string
  readonly command: ServerGuard.Command
  readonly guard: ServerGuard.GuardFiles
  /** A server that the process before this one handed over; it is used until it ends. */
  readonly adopted?: Adopted | undefined
  /** Whether the server with this process id is ready. Polled after a launch. */
  readonly isReady: (pid: number) => Promise<boolean>
  /** Runs whenever the server is ready, before it is reported as such. */
  readonly prepare?: Effect.Effect<void, ServerProcessFailed>
  /** The end of its output, for the error message when it does not start. */
  readonly outputTail: () => Promise<string>
  /** Asks it to stop; the second signal, some seconds later, forces it. */
  readonly signals: readonly [NodeJS.Signals, NodeJS.Signals]
}

/** A running server that is no child of this process. Its command line contains `mark`, as for {@link stopStale}. */
export interface Adopted {
  readonly pid: number
  readonly mark: string
}

/** Lets a process that is replaced keep its servers. */
export interface Handover {
  /** Whether the previous process left its servers running. */
  readonly isBegun: boolean
  /** The file that marks a handover. */
  readonly file: string
}

/** The supervised process: a child, or a server that was handed over. */
interface Running {
  readonly pid: number | undefined
  readonly kill: (signal: NodeJS.Signals) => void
  /** Ends with the server. */
  readonly ended: Effect.Effect<void>
}

export interface ServerProcess {
  /** Changes after a restart. */
  readonly pid: () => number | undefined
}

const readyMillis = 30_000
const stopMillis = 8000
const calmMillis = 60_000

/** Runs a step; a failure names it. */
export const attempt = <A>(what: string, body: () => Promise<A>): Effect.Effect<A, ServerProcessFailed> =>
  Effect.tryPromise({
    try: body,
    catch: (cause) => new ServerProcessFailed({ message: `${what}: ${(cause as Error).message.trim()}` })
  })

/** Starts the server and returns when it is ready. It is restarted whenever it dies. */
export const supervise = (
  options: ServerProcessOptions
): Effect.Effect<ServerProcess, ServerProcessFailed, Scope.Scope> =>
  Effect.gen(function* () {
    let child: Running | undefined
    let handedOver = options.adopted
    let stopping = false
    const ready = yield* Deferred.make<void, ServerProcessFailed>()

    const live = Effect.gen(function* () {
      for (let failures = 0; ; failures++) {
        const began = yield* Clock.currentTimeMillis
        child =
          handedOver === undefined
            ? ofChild(
                yield* attempt(`${options.name} cannot be started`, () =>
                  ServerGuard.spawnGuarded(options.command, options)
                )
              )
            : ofAdopted(handedOver, options)
        handedOver = undefined
        const ended = endWithProcess(child, options.signals[1])
        const serves = yield* Effect.raceFirst(
          Effect.as(becomesReady(options, child.pid), true),
          Effect.as(ended, false)
        )
        if (serves) {
          if (options.prepare !== undefined) yield* options.prepare
          yield* Deferred.succeed(ready, undefined)
          yield* ended
        } else if (!(yield* Deferred.isDone(ready))) {
          const words = yield* Effect.promise(options.outputTail)
          return yield* new ServerProcessFailed({
            message: `${options.name} ended during startup. Its output: ${words}`
          })
        }
        if (stopping) return yield* Effect.never
        if ((yield* Clock.currentTimeMillis) - began > calmMillis) failures = 0
        yield* Effect.logError(`${options.name} ended; restarting it`)
        yield* Effect.sleep(Math.min(100 * 2 ** failures, 5000))
      }
    }).pipe(
      // A failed start is reported to the caller; a failed restart is retried.
      Effect.catch((error) =>
        Effect.flatMap(Deferred.fail(ready, error), (first) =>
          first ? Effect.never : Effect.andThen(Effect.logError(error.message), Effect.sleep("5 seconds"))
        )
      ),
      Effect.forever
    )

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        stopping = true
        return child === undefined ? Effect.void : stop(child, options.signals)
      })
    )
    yield* Effect.forkScoped(live)
    yield* Deferred.await(ready)
    return { pid: () => child?.pid }
  })

/** The running servers, each with the signal that ends it at once. */
const running = new Map<Running, NodeJS.Signals>()

const endAll = (): void => {
  for (const [child, signal] of running) child.kill(signal)
}

/**
 * Ends the server when this process exits without closing its scopes: after a second signal, or after a defect. Returns when it
 * has ended.
 */
const endWithProcess = (server: Running, signal: NodeJS.Signals): Effect.Effect<void> => {
  if (running.size === 0 && !process.listeners("exit").includes(endAll)) process.on("exit", endAll)
  running.set(server, signal)
  return Effect.map(server.ended, () => void running.delete(server))
}

const ofChild = (child: ChildProcess): Running => ({
  pid: child.pid,
  kill: (signal) => void child.kill(signal),
  ended: Effect.callback<void>((resume) => {
    const done = (): void => resume(Effect.void)
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once("exit", done)
    child.once("error", done)
  })
})

const ofAdopted = ({ mark, pid }: Adopted, options: ServerProcessOptions): Running => {
  const release = ServerGuard.guard(pid, options)
  return {
    pid,
    kill: (signal) => {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
    },
    // No event tells it of a process that this one did not start.
    ended: Effect.promise(() => isRunning(pid, mark)).pipe(
      Effect.delay("200 millis"),
      Effect.repeat({ while: (alive) => alive }),
      Effect.andThen(Effect.sync(release))
    )
  }
}

const becomesReady = (
  options: ServerProcessOptions,
  pid: number | undefined
): Effect.Effect<void, ServerProcessFailed> =>
  Effect.gen(function* () {
    if (pid === undefined) return yield* Effect.never
    const began = yield* Clock.currentTimeMillis
    while (!(yield* Effect.promise(() => options.isReady(pid)))) {
      if ((yield* Clock.currentTimeMillis) - began > readyMillis) {
        return yield* new ServerProcessFailed({
          message: `${options.name} is not ready after ${readyMillis / 1000} s`
        })
      }
      yield* Effect.sleep(20)
    }
  })

const stop = (server: Running, [ask, insist]: readonly [NodeJS.Signals, NodeJS.Signals]): Effect.Effect<void> =>
  Effect.gen(function* () {
    server.kill(ask)
    const ended = yield* server.ended.pipe(Effect.timeoutOption(stopMillis))
    running.delete(server)
    if (ended._tag === "Some") return
    server.kill(insist)
    yield* server.ended.pipe(Effect.timeoutOption(2000))
  })

/**
 * Stops a server that an earlier process left running, such as a process that was killed together with its guard. Process ids are reused, so the command line must contain `mark`: a path
 * that belongs to this server only.
 */
export const stopStale = async (
  pid: number,
  mark: string,
  [ask, insist]: readonly [NodeJS.Signals, NodeJS.Signals]
): Promise<void> => {
  if (!Number.isInteger(pid) || pid <= 1 || !(await isRunning(pid, mark))) return
  process.kill(pid, ask)
  for (let waited = 0; waited < stopMillis; waited += 50) {
    if (!(await isRunning(pid, mark))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  process.kill(pid, insist)
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** Whether this process is that server: its command line contains `mark`. A process that has ended has none. */
export const isRunning = (pid: number, mark: string): Promise<boolean> =>
  commandOf(pid).then(
    (command) => command.includes(mark),
    () => false
  )

/** Linux tells it in a file; to ask `ps` takes a start some 50 ms. */
const commandOf = async (pid: number): Promise<string> =>
  process.platform === "linux"
    ? (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ")
    : (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout

/** Systems use higher ports for outgoing connections: a free one may be taken before it is used. */
const [lowestPort, highestPort] = [20_000, 32_000]

/** A free loopback port. */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < 100; tried++) {
    const port = randomInt(lowestPort, highestPort)
    if (await isFree(port)) return port
  }
  throw new Error(`None of a hundred ports between ${lowestPort} and ${highestPort} is free`)
}

/** Whether a loopback port is free. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
