/**
 * The process of Node is killed by `kill -9`, in a terminal and under `nohup`, while the product starts, runs and stops:
 * PostgreSQL, nats-server and their guards end without it, and the next start keeps what was accepted.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { isFree } from "@kanmon/core/ServerProcess"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { searchPath } from "../support/NatsServer.ts"
import * as Ports from "../support/Ports.ts"

const root = path.resolve(import.meta.dirname, "../..")
const program = "/usr/bin/script"

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

interface Process {
  readonly pid: number
  readonly command: string
}

/** The processes whose command line names this folder, or whose environment does: all that belongs to the installation. */
const processesOf = (folder: string): ReadonlyArray<Process> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
      const belongs = (command + read(`/proc/${pid}/environ`)).includes(folder)
      return belongs && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`)) ? [{ pid: Number(pid), command }] : []
    })

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

const until = (holds: () => boolean) => Effect.asVoid(eventually(Effect.sync(holds), (held) => held))

interface Installation {
  readonly folder: string
  readonly data: string
  readonly port: number
  readonly output: () => string
  readonly start: Effect.Effect<void>
  readonly hasEnded: () => boolean
}

/** `npm start` in a terminal of its own, which closes when the process has ended, or under `nohup` without one. */
const install = (how: "terminal" | "nohup") =>
  Effect.gen(function* () {
    const folder = yield* Folder.make()
    const port = yield* Effect.promise(Ports.freePort)
    let child: ChildProcess | undefined
    let printed = ""
    const env = {
      HOME: process.env["HOME"] ?? "/",
      PATH: searchPath,
      KANMON_DATA_DIR: path.join(folder, "data"),
      KANMON_PORT: String(port)
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const { pid } of processesOf(folder)) kill(pid)
      })
    )
    const installation: Installation = {
      folder,
      data: env.KANMON_DATA_DIR,
      port,
      output: () => printed,
      start: Effect.sync(() => {
        const [file, ...args] =
          how === "terminal"
            ? [program, "--quiet", "--flush", "--return", "--command", "npm start", "/dev/null"]
            : ["nohup", "npm", "start"]
        printed = ""
        child = spawn(file!, args, { cwd: root, env, stdio: ["pipe", "pipe", "pipe"] })
        for (const stream of [child.stdout!, child.stderr!])
          stream.on("data", (chunk: Buffer) => {
            printed += chunk.toString("utf8")
          })
      }),
      hasEnded: () => child!.exitCode !== null || child!.signalCode !== null
    }
    return installation
  })

/** The process of Node itself; npm and the shell before it name another program. */
const nodeOf = (folder: string) =>
  processesOf(folder).find(({ command }) => command.includes("apps/server/src/main.js") && /^\S*node\s/.test(command))

const base = ({ port }: Installation): string => `http://127.0.0.1:${port}/api/v1`

const json = (address: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(address, { ...init, headers: { "content-type": "application/json", ...init.headers } })
    assert.isBelow(answer.status, 300, address)
    return { body: (await answer.json()) as any, cookie: answer.headers.getSetCookie().join("; ") }
  })

const healthy = (installation: Installation) =>
  eventually(
    Effect.promise(() =>
      fetch(`${base(installation)}/health/live`).then(
        ({ ok }) => ok,
        () => false
      )
    ),
    (ok) => {
      assert.isFalse(installation.hasEnded(), installation.output())
      return ok
    }
  )

/** Accepts a monitor, and returns its name when it is asked for later. */
const accept = (installation: Installation) =>
  Effect.gen(function* () {
    const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
    const { cookie } = yield* json(`${base(installation)}/auth/sign-up/email`, {
      method: "POST",
      body: JSON.stringify(person)
    })
    const { body: projects } = yield* json(`${base(installation)}/projects`, { headers: { cookie } })
    const headers = { "x-api-key": projects[0].apiKey as string }
    const made = yield* json(`${base(installation)}/monitors`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name: "Nightly backup", type: "heartbeat", schedule: "0 3 * * *", grace: 900 })
    })
    return json(`${base(installation)}/monitors/${made.body.id}`, { headers }).pipe(
      Effect.map(({ body }) => body.name as string)
    )
  })

const nothingIsLeft = (installation: Installation) =>
  Effect.gen(function* () {
    yield* until(() => processesOf(installation.folder).length === 0)
    yield* until(installation.hasEnded)
    assert.isTrue(yield* Effect.promise(() => isFree(installation.port)))
    const bus = read(path.join(installation.data, "nats/port"))
    if (bus !== "") assert.isTrue(yield* Effect.promise(() => isFree(Number(bus))))
  })

const killNode = ({ folder }: Installation) =>
  Effect.sync(() => {
    const node = nodeOf(folder)
    assert.isDefined(node)
    process.kill(node!.pid, "SIGKILL")
  })

/** Whatever was interrupted, another start works and can be ended in order. */
const startsCleanly = (installation: Installation, kept?: Effect.Effect<string>) =>
  Effect.gen(function* () {
    yield* installation.start
    yield* healthy(installation)
    if (kept !== undefined) assert.strictEqual(yield* kept, "Nightly backup")
    assert.notInclude(installation.output(), "ERROR")
    process.kill(nodeOf(installation.folder)!.pid, "SIGTERM")
    yield* nothingIsLeft(installation)
  })

const canRun = existsSync(program) && process.platform === "linux"

/** Both take two minutes. */
const ways = process.env["KANMON_NIGHTLY"] === "all" ? (["terminal", "nohup"] as const) : (["terminal"] as const)

describe.skipIf(!canRun).each(ways)("a product whose process is killed (%s)", (how) => {
  it.live("leaves nothing while it makes its database, and starts from the beginning", () =>
    Effect.gen(function* () {
      const installation = yield* install(how)
      yield* installation.start
      yield* until(() => processesOf(installation.folder).some(({ command }) => command.includes("bin/initdb ")))
      yield* killNode(installation)
      yield* nothingIsLeft(installation)
      yield* startsCleanly(installation)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing while its servers start", () =>
    Effect.gen(function* () {
      const installation = yield* install(how)
      yield* installation.start
      yield* until(() => existsSync(path.join(installation.data, "postgres/data/postmaster.pid")))
      yield* killNode(installation)
      yield* nothingIsLeft(installation)
      yield* startsCleanly(installation)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing while it runs, and keeps what it accepted", () =>
    Effect.gen(function* () {
      const installation = yield* install(how)
      yield* installation.start
      yield* healthy(installation)
      const kept = yield* accept(installation)
      const guards = processesOf(installation.folder).filter(({ command }) => command.startsWith("/bin/sh -c trap"))
      assert.isNotEmpty(guards)
      yield* killNode(installation)
      yield* nothingIsLeft(installation)
      yield* startsCleanly(installation, kept)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing while it stops, and keeps what it accepted", () =>
    Effect.gen(function* () {
      const installation = yield* install(how)
      yield* installation.start
      yield* healthy(installation)
      const kept = yield* accept(installation)
      const { pid } = nodeOf(installation.folder)!
      process.kill(pid, "SIGTERM")
      yield* until(() => !existsSync(path.join(installation.data, "running.json")))
      // It may have ended by itself in the same moment.
      if (nodeOf(installation.folder) !== undefined) process.kill(pid, "SIGKILL")
      yield* nothingIsLeft(installation)
      yield* startsCleanly(installation, kept)
    }).pipe(Effect.scoped)
  )

  it.live("replaces a guard that was killed", () =>
    Effect.gen(function* () {
      const installation = yield* install(how)
      yield* installation.start
      yield* healthy(installation)
      const guardOf = () => Number(read(path.join(installation.data, "postgres/guard.pid")))
      const first = guardOf()
      assert.include(execFileSync("ps", ["-o", "args=", "-p", String(first)], { encoding: "utf8" }), "/bin/sh")
      process.kill(first, "SIGKILL")
      yield* until(() => guardOf() !== first)
      yield* killNode(installation)
      yield* nothingIsLeft(installation)
    }).pipe(Effect.scoped)
  )
})
