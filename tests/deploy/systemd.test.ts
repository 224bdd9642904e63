/**
 * The systemd unit of the docs as it is, run by a real systemd: process 1 of namespaces of its own, in which nothing can be written that
 * this machine keeps. Kanmon starts with its embedded servers under all restrictions of the unit, comes back when it is killed, and stops.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, Exit, type Scope } from "effect"
import { root } from "../support/Deployment.ts"
import * as Folder from "../support/Folder.ts"
import { freePort } from "../support/Ports.ts"

const run = promisify(execFile)
const script = path.join(import.meta.dirname, "systemd.sh")
const namespaces = ["--fork", "--kill-child", "--pid", "--mount-proc", "--mount", "--uts", "--ipc", "--cgroup"]

/** Where groups are made: version 1 has a hierarchy for systemd. */
const groups = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].find((folder) =>
  fs.existsSync(path.join(folder, "cgroup.procs"))
)

const reason =
  process.getuid!() !== 0
    ? "only root can make namespaces for systemd"
    : !fs.existsSync("/lib/systemd/systemd")
      ? "systemd is not installed"
      : groups === undefined || spawnSync("unshare", [...namespaces, "true"]).status !== 0
        ? "this machine allows no namespaces"
        : undefined

const note = reason === undefined ? "" : ` (skipped: ${reason})`

/** A control group that is removed with what systemd has made in it. */
const group: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(groups!, "kanmon-"))),
  (made) =>
    eventually(
      Effect.exit(Effect.tryPromise(() => run("find", [made, "-depth", "-type", "d", "-exec", "rmdir", "{}", "+"]))),
      Exit.isSuccess
    )
)

/** Starts systemd; answers how to ask it. */
const systemd = Effect.fnUntraced(function* (settings: string) {
  const folder = yield* Folder.make({ "kanmon.env": settings })
  const made = yield* group
  const enter = `echo $$ >"$0" && exec unshare ${namespaces.join(" ")} sh "$@"`
  const child = yield* Effect.acquireRelease(
    Effect.sync((): ChildProcess => {
      const args = [path.join(made, "cgroup.procs"), script, root, path.join(folder, "kanmon.env")]
      return spawn("sh", ["-c", enter, ...args], { stdio: ["ignore", "inherit", "inherit"] })
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )
  /** Process 1 of the namespace. */
  const first = yield* eventually(
    Effect.sync(() => {
      assert.isNull(child.exitCode, "systemd has ended")
      const [pid = ""] = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ")
      return pid
    }),
    (pid) => pid !== "" && fs.readFileSync(`/proc/${pid}/comm`, "utf8") === "systemd\n"
  )
  const inside = (...command: ReadonlyArray<string>) =>
    Effect.tryPromise(async () => (await run("nsenter", ["-t", first, "-m", "-p", ...command])).stdout.trim())
  /** A property of the unit. */
  const property = (name: string) => inside("systemctl", "show", "--value", "-p", name, "kanmon")
  return { inside, property }
})

describe.skipIf(reason !== undefined)(`the systemd unit of the docs${note}`, () => {
  it.live("starts Kanmon with its servers, brings it back, and stops it in order", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const origin = `http://127.0.0.1:${port}`
      const { inside, property } = yield* systemd(
        `KANMON_BASE_URL=${origin}\nKANMON_HOST=127.0.0.1\nKANMON_PORT=${port}\n`
      )
      const health = Effect.exit(
        Effect.tryPromise(async () => {
          const answer = await fetch(`${origin}/api/v1/health`)
          if (!answer.ok) throw new Error("not yet")
          return (await answer.json()) as { readonly status: string }
        })
      )
      const healthy = Effect.flatMap(eventually(health, Exit.isSuccess), (exit) => exit)
      assert.strictEqual((yield* healthy).status, "ok")
      assert.strictEqual(yield* property("NRestarts"), "0")

      // A user of its own, who can write to its folders alone.
      const pid = yield* property("MainPID")
      assert.notInclude(yield* inside("stat", "-c", "%u", `/proc/${pid}`), "\n")
      assert.notStrictEqual(yield* inside("stat", "-c", "%u", `/proc/${pid}`), "0")
      assert.include(yield* inside("ls", "/var/lib/private/kanmon"), "secret")

      yield* inside("kill", "-KILL", pid)
      const other = yield* eventually(property("MainPID"), (now) => now !== pid && now !== "0")
      assert.notStrictEqual(other, pid)
      assert.strictEqual((yield* healthy).status, "ok")

      yield* inside("systemctl", "stop", "kanmon")
      assert.strictEqual(yield* property("Result"), "success")
      assert.strictEqual(yield* property("ExecMainStatus"), "0")
      assert.strictEqual(yield* property("ActiveState"), "inactive")
      assert.isTrue(Exit.isFailure(yield* health))
    }).pipe(Effect.scoped)
  )
})
