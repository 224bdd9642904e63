/** The programs of the subscriber's guide do what the guide says, with a running product. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, make } from "../support/Product.ts"
import { address } from "../support/ProductNats.ts"

const root = path.resolve(import.meta.dirname, "../..")
const folder = path.join(root, "docs/examples/subscribers")
const programs = ["listen.mjs", "replay.mjs", "stream.mjs"] as const

interface Running {
  /** What it has printed. */
  readonly lines: () => ReadonlyArray<string>
  /** Asks it to stop; answers how it ended. */
  readonly stop: Effect.Effect<string>
}

const run = (
  program: (typeof programs)[number],
  env: Readonly<Record<string, string>>
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function* () {
    let printed = ""
    const child: ChildProcess = spawn(process.execPath, [path.join(folder, program)], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text))
    const ended = new Promise<string>((resolve) =>
      child.once("exit", (code, signal) => resolve(String(code ?? signal)))
    )
    const end = (signal: NodeJS.Signals) =>
      Effect.promise(() => {
        child.kill(signal)
        return ended
      })
    yield* Effect.addFinalizer(() => end("SIGKILL"))
    return { lines: () => printed.split("\n").slice(0, -1), stop: end("SIGTERM") }
  })

const prints = (running: Running, count: number) => eventually(Effect.sync(running.lines), (all) => all.length >= count)

describe("the subscriber's guide", () => {
  it.each(programs)("contains %s unchanged", async (program) => {
    const guide = await fs.readFile(path.join(root, "docs/guide/events.md"), "utf8")
    assert.include(guide, `\`\`\`js\n${await fs.readFile(path.join(folder, program), "utf8")}\`\`\``)
  })

  it("names the tested versions of the client", async () => {
    const read = async (file: string) => JSON.parse(await fs.readFile(file, "utf8")).dependencies
    const [theirs, ours] = [
      await read(path.join(folder, "package.json")),
      await read(path.join(root, "tests/package.json"))
    ]
    assert.include(ours, theirs)
  })

  it.live.skipIf(NatsServer.skipped)(`has working examples of live and durable subscribers${NatsServer.note}`, () =>
    Effect.gen(function* () {
      const product = yield* make()
      yield* product.healthy
      const { servers, token } = yield* address(product)
      const bus = { NATS_URL: servers, NATS_TOKEN: token }
      const ada = yield* product.signUp
      const listening = yield* run("listen.mjs", bus)
      yield* prints(listening, 1)
      const streaming = yield* run("stream.mjs", { KANMON_API: product.base, KEY: ada.key, LAST_EVENT_ID: "0" })

      const made = yield* ada.call("POST", "/monitors", { name: "Backup", type: "heartbeat", interval: 3600 })
      const stands = Effect.map(ada.call("GET", `/monitors/${made.body.id}`), ({ body }) => body.status as string)
      const signal = Effect.fnUntraced(function* (suffix: string, status: string) {
        yield* ada.call("GET", `${made.body.heartbeatUrl}${suffix}`)
        yield* eventually(stands, (found) => found === status)
      })
      yield* signal("", "up")
      yield* signal("/fail", "down")

      const [first, ...heard] = yield* prints(listening, 4)
      assert.strictEqual(first, "listening")
      const words = heard.map((line) => line.split("  "))
      assert.deepStrictEqual(
        words.map(([, type, name]) => [type, name]),
        ["created", "up", "down"].map((event) => [`kanmon.monitor.${event}`, "Backup"])
      )
      assert.strictEqual(words[2]!.length, 4, "an outage has a reason")
      assert.strictEqual(yield* listening.stop, "0")
      assert.deepStrictEqual(yield* prints(streaming, 3), [
        "kanmon.monitor.created Backup",
        "kanmon.monitor.up Backup",
        "kanmon.monitor.down Backup"
      ])

      // A late subscriber still receives the outage; after an absence it receives only the next one.
      const early = yield* run("replay.mjs", bus)
      const [outage] = yield* prints(early, 1)
      assert.include(outage, "Backup")
      assert.strictEqual(yield* early.stop, "0")
      yield* signal("", "up")
      yield* signal("/fail", "down")
      const late = yield* run("replay.mjs", bus)
      const [next, ...more] = yield* prints(late, 1)
      assert.include(next, "Backup")
      assert.notStrictEqual(next, outage)
      assert.isEmpty(more)

      // They find the server again after a restart, where it was, and miss nothing.
      const patient = yield* run("listen.mjs", bus)
      yield* prints(patient, 1)
      yield* signal("", "up")
      yield* product.stop("SIGTERM")
      yield* product.start
      yield* product.healthy
      // Who only listens misses what happens before it is connected again.
      const happens = Effect.andThen(signal("/fail", "down"), signal("", "up"))
      yield* eventually(Effect.map(happens, patient.lines), (lines) =>
        lines.some((line) => line.includes("kanmon.monitor.down"))
      )
      const [, last] = yield* prints(late, 2)
      assert.include(last, "Backup")
      assert.strictEqual(yield* patient.stop, "0")
      assert.strictEqual(yield* late.stop, "0")
    }).pipe(Effect.scoped)
  )
})
