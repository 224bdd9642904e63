/**
 * A server that runs as our child: supervised, started again when it dies, stopped with the scope, and found again when a
 * killed parent left it running.
 */
import { type ChildProcess, execFile } from "node:child_process"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { promisify } from "node:util"
import { Clock, Data, Deferred, Effect, type Scope } from "effect"

/** The server cannot run; the message says why and what to do. */
export class ServerProcessFailed extends Data.TaggedError("ServerProcessFailed")<{ readonly message: string }> {}

export interface ServerProcessOptions {
  /** For people. */
  readonly name: string
  readonly launch: () => Promise<ChildProcess>
  /** Whether the server with this process id serves. Asked again and again after a launch. */
  readonly isReady: (pid: number) => Promise<boolean>
  /** Runs each time the server is ready, before anybody is told. */
  readonly prepare?: Effect.Effect<void, ServerProcessFailed>
  /** What it last said, for the message when it does not start. */
  readonly lastWords: () => Promise<string>
  /** Asks it to stop; the second one, some seconds later, insists. */
  readonly signals: readonly [NodeJS.Signals, NodeJS.Signals]
}

export interface ServerProcess {
  /** Another one after a restart. */
  readonly pid: () => number | undefined
}

const readyMillis = 30_000
const stopMillis = 8000
const calmMillis = 60_000

/** Runs a step that may fail, and says what it was. */
export const attempt = <A>(what: string, body: () => Promise<A>): Effect.Effect<A, ServerProcessFailed> =>
  Effect.tryPromise({
    try: body,
    catch: (cause) => new ServerProcessFailed({ message: `${what}: ${(cause as Error).message.trim()}` })
  })

/** Starts the server and returns when it serves. From then on it is started again whenever it dies. */
export const supervise = (
  options: ServerProcessOptions
): Effect.Effect<ServerProcess, ServerProcessFailed, Scope.Scope> =>
  Effect.gen(function* () {
    let child: ChildProcess | undefined
    let stopping = false
    const ready = yield* Deferred.make<void, ServerProcessFailed>()

    const live = Effect.gen(function* () {
      for (let failures = 0; ; failures++) {
        const began = yield* Clock.currentTimeMillis
        child = yield* attempt(`${options.name} cannot be started`, options.launch)
        const ended = exit(child)
        const serves = yield* Effect.raceFirst(
          Effect.as(becomesReady(options, child.pid), true),
          Effect.as(ended, false)
        )
        if (serves) {
          if (options.prepare !== undefined) yield* options.prepare
          yield* Deferred.succeed(ready, undefined)
          yield* ended
        } else if (!(yield* Deferred.isDone(ready))) {
          const words = yield* Effect.promise(options.lastWords)
          return yield* new ServerProcessFailed({
            message: `${options.name} ended while it was starting. It said: ${words}`
          })
        }
        if (stopping) return yield* Effect.never
        if ((yield* Clock.currentTimeMillis) - began > calmMillis) failures = 0
        yield* Effect.logError(`${options.name} ended; it is started again`)
        yield* Effect.sleep(Math.min(100 * 2 ** failures, 5000))
      }
    }).pipe(
      // A start that fails is told to whoever waits for it; a restart that fails is tried again.
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

const exit = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const done = (): void => resume(Effect.void)
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once("exit", done)
    child.once("error", done)
  })

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
          message: `${options.name} does not serve after ${readyMillis / 1000} s`
        })
      }
      yield* Effect.sleep(20)
    }
  })

const stop = (child: ChildProcess, [ask, insist]: readonly [NodeJS.Signals, NodeJS.Signals]): Effect.Effect<void> =>
  Effect.gen(function* () {
    child.kill(ask)
    const ended = yield* exit(child).pipe(Effect.timeoutOption(stopMillis))
    if (ended._tag === "Some") return
    child.kill(insist)
    yield* exit(child).pipe(Effect.timeoutOption(2000))
  })

/**
 * Stops a server that a killed parent left running. Process ids are used again, so the command line must hold `mark`: the
 * path of something that belongs to this server alone.
 */
export const stopStale = async (
  pid: number,
  mark: string,
  [ask, insist]: readonly [NodeJS.Signals, NodeJS.Signals]
): Promise<void> => {
  if (!Number.isInteger(pid) || pid <= 1 || !(await isServer(pid, mark))) return
  process.kill(pid, ask)
  for (let waited = 0; waited < stopMillis; waited += 50) {
    if (!(await isServer(pid, mark))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  process.kill(pid, insist)
  await new Promise((resolve) => setTimeout(resolve, 500))
}

const isServer = (pid: number, mark: string): Promise<boolean> =>
  promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
    ({ stdout }) => stdout.includes(mark),
    () => false
  )

/** Systems give ports above to connections that go out: one that is free there may be taken before it is listened on. */
const [lowestPort, highestPort] = [20_000, 32_000]

/** A loopback port nobody listens on. */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < 100; tried++) {
    const port = randomInt(lowestPort, highestPort)
    if (await isFree(port)) return port
  }
  throw new Error(`None of a hundred ports between ${lowestPort} and ${highestPort} is free`)
}

/** Whether nobody listens on a loopback port. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
