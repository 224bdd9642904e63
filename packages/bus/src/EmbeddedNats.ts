/**
 * An embedded nats-server, if its binary is on the PATH: JetStream enabled, loopback only, with a token. Supervised by
 * `ServerProcess`.
 */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import { connect } from "node:net"
import * as path from "node:path"
import { promisify } from "node:util"
import type { Command } from "@kanmon/core/ServerGuard"
import {
  attempt,
  freePort,
  type Handover,
  isFree,
  isRunning,
  type ServerProcessFailed,
  stopStale,
  supervise
} from "@kanmon/core/ServerProcess"
import { Data, Effect, Fiber, Redacted, type Scope } from "effect"

export interface EmbeddedNats {
  /** `nats://127.0.0.1:port` */
  readonly url: Redacted.Redacted
  readonly token: Redacted.Redacted
  /** Kept in the data directory, so that consumers find the server again after a restart. */
  readonly port: number
  /** The previous port, when another program has taken it. */
  readonly formerPort: number | undefined
  /** Holds the token. */
  readonly tokenFile: string
  readonly version: string
  /** The running server's process id; changes after a restart. */
  readonly pid: () => number | undefined
}

const signals = ["SIGTERM", "SIGKILL"] as const

/** The nats-server on a PATH. */
export const find = (searchPath: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (const folder of searchPath.split(path.delimiter)) {
      const file = path.join(folder, "nats-server")
      const executable = await fs.access(file, constants.X_OK).then(
        () => true,
        () => false
      )
      if (executable) return file
    }
    return undefined
  })

/** The requested port is used by another program. */
export class PortTaken extends Data.TaggedError("PortTaken")<{ readonly port: number }> {}

/**
 * Starts the server with its files below `dataDirectory`. It listens on `port`, or on a port that is chosen on the first
 * start and kept. One that the process before this one handed over is used as it is if it would be started like that now.
 */
export const start = (
  binary: string,
  dataDirectory: string,
  port?: number,
  handover?: Handover
): Effect.Effect<EmbeddedNats, PortTaken | ServerProcessFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const home = homeOf(dataDirectory)
    yield* attempt("The bus's folder cannot be created", () => fs.mkdir(home, { recursive: true, mode: 0o700 }))
    const token = yield* attempt("The bus's token cannot be stored", () => tokenOf(home))
    const version = yield* Effect.forkScoped(
      attempt("nats-server does not start", () => versionOf(binary)),
      { startImmediately: true }
    )
    const configuration = configurationIn(home)
    const kept =
      handover?.isBegun === true ? yield* Effect.promise(() => handedOver({ binary, home, port, token })) : undefined
    if (kept === undefined)
      yield* attempt("A nats-server left over from an earlier run cannot be stopped", () => stopLeftOver(home))
    if (kept === undefined && port !== undefined && !(yield* Effect.promise(() => isFree(port))))
      return yield* new PortTaken({ port })
    const asked = kept?.port ?? port
    const { former, port: listens } =
      asked === undefined
        ? yield* attempt("No port is available for the bus", () => keptPort(home))
        : { port: asked, former: undefined }
    yield* attempt("The bus's configuration cannot be written", () =>
      fs.writeFile(configuration, configurationOf({ home, port: listens, token }), { mode: 0o600 })
    )
    const server = yield* supervise({
      name: "The embedded nats-server",
      command: commandOf(binary, configuration, home),
      guard: { inCharge: path.join(home, "guard.pid"), handover: handover?.file },
      adopted: kept,
      isReady: () => accepts(listens),
      outputTail: () => lastLine(home),
      signals
    })
    return {
      url: Redacted.make(`nats://127.0.0.1:${listens}`),
      token: Redacted.make(token),
      port: listens,
      formerPort: former,
      tokenFile: tokenFileIn(home),
      version: yield* Fiber.join(version),
      pid: server.pid
    }
  })

/** Stops a server that a killed parent left running, and removes its files below `dataDirectory`. */
export const remove = (dataDirectory: string): Effect.Effect<void, ServerProcessFailed> =>
  attempt("The bus's files cannot be removed", async () => {
    const home = homeOf(dataDirectory)
    await stopLeftOver(home)
    await fs.rm(home, { recursive: true, force: true })
  })

const homeOf = (dataDirectory: string): string => path.join(path.resolve(dataDirectory), "nats")
const pidFileIn = (home: string): string => path.join(home, "nats.pid")
const configurationIn = (home: string): string => path.join(home, "nats.conf")
const tokenFileIn = (home: string): string => path.join(home, "token")

/** The running server, if it is one that would be started like that. */
const handedOver = async (options: {
  readonly binary: string
  readonly home: string
  readonly port: number | undefined
  readonly token: string
}) => {
  const { binary, home, token } = options
  const port = options.port ?? Number(await fs.readFile(path.join(home, "port"), "utf8").catch(() => ""))
  const written = await fs.readFile(configurationIn(home), "utf8").catch(() => "")
  const pid = Number(await fs.readFile(pidFileIn(home), "utf8").catch(() => ""))
  const mark = `${binary} -c ${configurationIn(home)}`
  if (written !== configurationOf({ home, port, token }) || !(await isRunning(pid, mark))) return undefined
  return { pid, port, mark }
}

/** The port of earlier starts; a new one on the first start, or when another program uses it now. */
const keptPort = async (home: string): Promise<{ readonly port: number; readonly former: number | undefined }> => {
  const file = path.join(home, "port")
  const text = await fs.readFile(file, "utf8").catch(() => "")
  const kept = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (kept !== undefined && (await isFree(kept))) return { port: kept, former: undefined }
  const port = await freePort()
  await fs.writeFile(file, String(port), { mode: 0o600 })
  return { port, former: kept }
}

const stopLeftOver = async (home: string): Promise<void> =>
  stopStale(Number(await fs.readFile(pidFileIn(home), "utf8").catch(() => "")), configurationIn(home), signals)

const configurationOf = (options: { readonly home: string; readonly port: number; readonly token: string }): string => `
listen: "127.0.0.1:${options.port}"
server_name: "kanmon"
pid_file: ${JSON.stringify(pidFileIn(options.home))}
authorization { token: "${options.token}" }
jetstream { store_dir: ${JSON.stringify(path.join(options.home, "store"))} }
max_payload: 1MB
write_deadline: "10s"
debug: false
trace: false
`

const tokenOf = async (home: string): Promise<string> => {
  const file = tokenFileIn(home)
  try {
    await fs.writeFile(file, randomBytes(24).toString("hex"), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return (await fs.readFile(file, "utf8")).trim()
}

const versionOf = async (binary: string): Promise<string> => {
  const { stderr, stdout } = await promisify(execFile)(binary, ["--version"])
  return /(\d{1,9}\.\d{1,9}\.\d{1,9})/.exec(stdout + stderr)?.[1] ?? "unknown"
}

const logFile = (home: string): string => path.join(home, "nats.log")

const commandOf = (binary: string, configuration: string, home: string): Command => ({
  file: binary,
  args: ["-c", configuration],
  // Most of its memory is garbage: collecting it sooner saves a third of it, for little CPU time.
  // oxlint-disable-next-line node/no-process-env -- the server inherits the environment, and an operator may choose otherwise
  env: { GOGC: "40", ...process.env },
  // It is only needed when the server does not start.
  output: logFile(home),
  appends: false
})

const lastLine = (home: string): Promise<string> =>
  fs.readFile(logFile(home), "utf8").then(
    (text) => text.trim().split("\n").at(-1) ?? "",
    () => ""
  )

/** The port opens before JetStream has read its store, but it answers only afterwards: clients wait for that. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const conclude = (answer: boolean): void => {
      resolve(answer)
      socket.destroy()
    }
    socket.setTimeout(1000, () => conclude(false))
    socket.once("data", () => conclude(true))
    socket.once("error", () => conclude(false))
    socket.once("close", () => conclude(false))
  })
