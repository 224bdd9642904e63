/**
 * The product in a terminal, with its embedded servers, started by `npm start` as in the README: however a person or a service
 * manager ends it, PostgreSQL and nats-server end with it. The terminal is a pseudo-terminal of `script`, which delivers Ctrl+C
 * to the whole process group as a real one does.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, type Scope } from "effect"
import * as Folder from "../support/Folder.ts"
import * as LoopingPlugins from "../support/LoopingPlugins.ts"
import { searchPath } from "../support/NatsServer.ts"
import * as Ports from "../support/Ports.ts"

const root = path.resolve(import.meta.dirname, "../..")
const program = "/usr/bin/script"

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.asVoid(eventually(Effect.sync(holds), (held) => held))

const isAlive = (pid: number): boolean => {
  try {
    // A zombie has ended: its parent has not asked yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

/** Empty when the process is gone. */
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

const firstNumber = (file: string): number | undefined => Number(/^\d+/.exec(read(file))?.[0]) || undefined

interface Terminal {
  readonly type: (text: string) => void
  readonly close: () => void
  readonly closed: () => boolean
  readonly health: string
  /** Waits until the product has greeted. */
  readonly greeted: Effect.Effect<void>
  /** The processes of Node and of the embedded servers. */
  readonly processes: Effect.Effect<{ readonly node: number; readonly servers: ReadonlyArray<number> }>
  /** Whether a process works on the data directory, as `initdb` does before there is a server. */
  readonly isWorkedOn: () => boolean
}

const open = (command = "npm start"): Effect.Effect<Terminal, never, Scope.Scope> =>
  Effect.gen(function* () {
    const data = yield* Folder.make()
    const port = yield* Effect.promise(Ports.freePort)
    let printed = ""
    const postgres = path.join(data, "postgres/data/postmaster.pid")
    const nats = path.join(data, "nats/nats.pid")
    const running = path.join(data, "running.json")
    const node = (): number | undefined => Number(/"pid":(\d+)/.exec(read(running))?.[1]) || undefined
    const child = yield* Effect.acquireRelease(
      Effect.sync((): ChildProcess =>
        spawn(program, ["--quiet", "--flush", "--return", "--command", command, "/dev/null"], {
          cwd: root,
          env: {
            HOME: process.env["HOME"] ?? "/",
            PATH: searchPath,
            KANMON_DATA_DIR: data,
            KANMON_PORT: String(port)
          },
          stdio: ["pipe", "pipe", "pipe"]
        })
      ),
      (started) =>
        Effect.sync(() => {
          started.kill("SIGKILL")
          for (const pid of [node(), firstNumber(postgres), firstNumber(nats)])
            if (pid !== undefined && isAlive(pid)) process.kill(pid, "SIGKILL")
        })
    )
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString("utf8")
      })
    return {
      type: (text) => child.stdin!.write(text),
      close: () => child.kill("SIGKILL"),
      health: `http://127.0.0.1:${port}/api/v1/health/live`,
      closed: () => child.exitCode !== null || child.signalCode !== null,
      greeted: until(() => {
        assert.isNull(child.exitCode, printed)
        return (printed + read(path.join(data, "output.log"))).includes("/api/v1/docs")
      }),
      processes: Effect.sync(() => {
        const servers = [firstNumber(postgres), firstNumber(nats)].filter((pid) => pid !== undefined)
        assert.isNotEmpty(servers)
        for (const pid of servers) assert.isTrue(isAlive(pid))
        return { node: node()!, servers }
      }),
      isWorkedOn: () =>
        readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && isAlive(Number(pid)) && commandOf(pid).includes(data))
    }
  })

const controlC = "\u0003"

describe.skipIf(!existsSync(program) || process.platform !== "linux")("the product in a terminal", () => {
  it.live("ends with all it started on Ctrl+C", () =>
    Effect.gen(function* () {
      const terminal = yield* open()
      yield* terminal.greeted
      const { node, servers } = yield* terminal.processes
      terminal.type(controlC)
      yield* until(terminal.closed)
      yield* until(() => ![node, ...servers].some(isAlive))
    }).pipe(Effect.scoped)
  )

  it.live("ends with all it started on two quick Ctrl+C", () =>
    Effect.gen(function* () {
      const terminal = yield* open()
      yield* terminal.greeted
      const { node, servers } = yield* terminal.processes
      terminal.type(controlC)
      terminal.type(controlC)
      yield* until(terminal.closed)
      yield* until(() => ![node, ...servers].some(isAlive))
    }).pipe(Effect.scoped)
  )

  it.live("keeps its processes when it is started again by itself, and ends with them on Ctrl+C", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make()
      const plugin = LoopingPlugins.plant(folder, "timer")
      const terminal = yield* open(`KANMON_PLUGINS=${plugin} npm start`)
      yield* terminal.greeted
      const before = yield* terminal.processes
      LoopingPlugins.arm(folder, "timer")
      const stalls = Effect.tryPromise(async () => {
        const answer = await fetch(terminal.health.replace(/\/live$/, ""), { signal: AbortSignal.timeout(2000) })
        return ((await answer.json()) as { readonly stalls: ReadonlyArray<unknown> }).stalls
      })
      yield* eventually(stalls, ({ length }) => length === 2)
      assert.deepStrictEqual(yield* terminal.processes, before)
      terminal.type(controlC)
      yield* until(terminal.closed)
      yield* until(() => ![before.node, ...before.servers].some(isAlive))
    }).pipe(Effect.scoped)
  )

  it.live("ends with all it started when Ctrl+C comes while it starts", () =>
    Effect.gen(function* () {
      const terminal = yield* open()
      yield* until(() => Effect.runSync(Effect.exit(terminal.processes))._tag === "Success")
      const { servers } = yield* terminal.processes
      terminal.type(controlC)
      yield* until(terminal.closed)
      yield* until(() => !servers.some(isAlive) && !terminal.isWorkedOn())
    }).pipe(Effect.scoped)
  )

  it.live("ends with all it started when the window is closed", () =>
    Effect.gen(function* () {
      const terminal = yield* open()
      yield* terminal.greeted
      const { node, servers } = yield* terminal.processes
      terminal.close()
      yield* until(() => ![node, ...servers].some(isAlive))
    }).pipe(Effect.scoped)
  )

  it.live("goes on in a session of its own when the window is closed, and ends with all it started on SIGTERM", () =>
    Effect.gen(function* () {
      const terminal = yield* open(`setsid --wait npm start > "$KANMON_DATA_DIR/output.log" 2>&1`)
      yield* terminal.greeted
      const { node, servers } = yield* terminal.processes
      terminal.close()
      yield* until(terminal.closed)
      yield* Effect.promise(async () => assert.isTrue((await fetch(terminal.health)).ok))
      assert.isTrue([node, ...servers].every(isAlive))
      process.kill(node, "SIGTERM")
      yield* until(() => ![node, ...servers].some(isAlive))
    }).pipe(Effect.scoped)
  )

  // `nohup` ignores SIGHUP for its program, but Node listens again.
  it.live.each(["SIGTERM", "SIGHUP"] as const)("ends with all it started on %s under nohup", (signal) =>
    Effect.gen(function* () {
      const terminal = yield* open(`nohup npm start > "$KANMON_DATA_DIR/output.log" 2>&1`)
      yield* terminal.greeted
      const { node, servers } = yield* terminal.processes
      process.kill(node, signal)
      yield* until(terminal.closed)
      yield* until(() => ![node, ...servers].some(isAlive))
    }).pipe(Effect.scoped)
  )
})
