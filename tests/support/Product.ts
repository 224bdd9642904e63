/**
 * The product as a user runs it: a process of its own, in a data directory of its own, spoken to over HTTP. Everything it
 * made is gone when the scope closes. It stands on the PostgreSQL of the test run, which is quick, unless a test is about
 * the one that it brings along.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as Ports from "./Ports.ts"
import { assert } from "@effect/vitest"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Contract from "./Contract.ts"
import { cookieOf } from "./Cookies.ts"
import * as LocalDns from "./LocalDns.ts"
import { searchPath } from "./NatsServer.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** The PATH without the folders that contain a program. */
const pathWithout = (program: string): string =>
  process.env["PATH"]!.split(path.delimiter)
    .filter((folder) => !existsSync(path.join(folder, program)))
    .join(path.delimiter)

const root = path.resolve(import.meta.dirname, "../..")

/** Only what hangs takes so long; the limit of a test is longer still, so that the failure names what was seen last. */
const limitMillis = 240_000

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

interface Answered {
  readonly method: string
  readonly response: Response
  readonly text: string
}

/** A client with a project's API key. */
export interface Client {
  readonly key: string
  readonly call: (
    method: string,
    route: string,
    body?: unknown,
    headers?: Record<string, string>
  ) => Effect.Effect<ApiResponse>
}

export interface Product {
  readonly base: string
  readonly dataDirectory: string
  /** What it was started with, for commands that run beside it. */
  readonly settings: Readonly<Record<string, string>>
  /** The file that it prints to. */
  readonly log: string
  /** All output since the first start. */
  readonly output: () => string
  readonly pid: () => number
  readonly call: (
    method: string,
    route: string,
    body?: unknown,
    headers?: Record<string, string>
  ) => Effect.Effect<ApiResponse>
  /** Signs up a new user and reads the API key of their first project. */
  readonly signUp: Effect.Effect<Client & { readonly cookie: string; readonly projectId: string }>
  /** Waits until the health check succeeds. */
  readonly healthy: Effect.Effect<void>
  /** Sends a signal and waits for the exit; returns the exit code or the signal. */
  readonly stop: (signal?: NodeJS.Signals) => Effect.Effect<string>
  /** Waits for the exit; returns the exit code or the signal. */
  readonly ended: Effect.Effect<string>
  /** Restarts it with the same data directory. */
  readonly start: Effect.Effect<void>
}

export interface ProductOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Use its embedded PostgreSQL, as it does when the test run shares none. */
  readonly ownDatabase?: boolean
  /** Hide nats-server, so that the bus is in-process. */
  readonly withoutNats?: boolean
  /** Start it with `npm start`, as in the README: npm receives the signals. */
  readonly throughNpm?: boolean
  readonly args?: ReadonlyArray<string>
  /** The only settings it receives; by default all. */
  readonly settings?: ReadonlySet<string>
  /** The name in its public address, such as `localhost`: browsers keep passkeys for names alone. */
  readonly host?: string
  /** The path of its public address, such as `/kanmon`, below which it answers. */
  readonly below?: string
}

/** The database settings; none with an embedded database. */
const databaseFor = ({ env, ownDatabase, settings }: ProductOptions) =>
  ownDatabase === true ||
  settings?.has("DATABASE_URL") === false ||
  env?.["DATABASE_URL"] !== undefined ||
  !TestDatabase.isShared()
    ? Effect.succeed({})
    : TestDatabase.create.pipe(
        Effect.map((url) => ({ DATABASE_URL: Redacted.value(url) })),
        Effect.provide(SecureRandom.layerWebCrypto)
      )

/** A free port. */
export const freePort: Effect.Effect<number> = Effect.promise(Ports.freePort)

/** The document of products that have only the plugins of Kanmon: read of the first one, and held in this worker. */
let ofBundled: Contract.Objections | undefined

export const make = (options: ProductOptions = {}): Effect.Effect<Product, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* freePort
    const database = yield* databaseFor(options)
    const dataDirectory = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-e2e-"))
        // The database runs as another user when the tests run as root.
        await fs.chmod(folder, 0o755)
        return folder
      }),
      (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    )
    const { below = "" } = options
    const base = `http://127.0.0.1:${port}${below}/api/v1`
    const log = path.join(dataDirectory, "output.log")
    let child: ChildProcess | undefined
    const output = () => readFileSync(log, "utf8")
    const ended = (process: ChildProcess) =>
      Effect.callback<string>((resume) => {
        const done = () => resume(Effect.succeed(String(process.exitCode ?? process.signalCode)))
        if (process.exitCode !== null || process.signalCode !== null) done()
        else process.once("exit", done)
      })

    const given: Readonly<Record<string, string>> = {
      KANMON_PORT: String(port),
      KANMON_DATA_DIR: path.join(dataDirectory, "data"),
      KANMON_ALLOW_PRIVATE_TARGETS: "true",
      KANMON_DNS_RESOLVER: yield* LocalDns.make,
      ...(options.host === undefined && below === ""
        ? {}
        : { KANMON_BASE_URL: `http://${options.host ?? "127.0.0.1"}:${port}${below}` }),
      ...database,
      ...options.env
    }
    const settings = Object.fromEntries(Object.entries(given).filter(([name]) => options.settings?.has(name) ?? true))

    const isBundled = settings["KANMON_PLUGINS"] === undefined && options.args === undefined
    /** The document of this product: it knows the plugins from outside too. */
    let contract = isBundled ? ofBundled : undefined

    const start = Effect.sync(() => {
      if (!isBundled) contract = undefined
      const args = options.args ?? []
      const [command, ...rest] =
        options.throughNpm === true
          ? ["npm", "start", "--", ...args]
          : [process.execPath, "apps/server/src/main.js", "serve", ...args]
      const file = openSync(log, "a")
      child = spawn(command!, rest, {
        cwd: root,
        env: {
          HOME: process.env["HOME"] ?? "/",
          PATH: options.withoutNats === true ? pathWithout("nats-server") : searchPath,
          ...settings
        },
        stdio: ["ignore", file, file]
      })
      closeSync(file)
    })

    const stop = (signal: NodeJS.Signals = "SIGTERM") =>
      Effect.suspend(() => {
        if (child === undefined) return Effect.succeed("not running")
        child.kill(signal)
        return ended(child)
      })

    yield* Effect.addFinalizer(() =>
      stop("SIGTERM").pipe(Effect.timeoutOption("15 seconds"), Effect.andThen(stop("SIGKILL")))
    )
    yield* start

    /** Fails when the product answers what its contract does not allow. */
    const expectDescribed = async (address: string, { method, response, text }: Answered): Promise<void> => {
      contract ??= await fetch(`${base}/openapi.json`).then(
        async (answer) => (answer.ok ? Contract.make(await answer.json()) : undefined),
        () => undefined
      )
      if (isBundled) ofBundled ??= contract
      const { pathname, search } = new URL(address)
      const { headers, status } = response
      assert.deepStrictEqual(
        contract?.({ method, path: `${pathname.slice(below.length)}${search}`, status, headers, text }) ?? [],
        []
      )
    }

    const call: Product["call"] = (method, route, body, headers) =>
      Effect.promise(async () => {
        const address = route.startsWith("http") ? route : `${base}${route}`
        const response = await fetch(address, {
          method,
          headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
        })
        const text = await response.text()
        if (address.startsWith(base)) await expectDescribed(address, { method, response, text })
        const json = (response.headers.get("content-type") ?? "").includes("json")
        return {
          status: response.status,
          headers: response.headers,
          body: json && text !== "" ? JSON.parse(text) : text
        }
      })

    const healthy = Effect.tryPromise(() => fetch(`${base}/health`, { signal: AbortSignal.timeout(10_000) })).pipe(
      Effect.flatMap((response) => (response.ok ? Effect.void : Effect.fail("not healthy yet"))),
      Effect.retry({
        schedule: Schedule.spaced("50 millis"),
        times: limitMillis / 50,
        // One that has ended says why at once.
        while: () => child?.exitCode === null && child.signalCode === null
      }),
      Effect.catch(() => Effect.die(new Error(`The product did not become healthy. It printed:\n${output()}`)))
    )

    let people = 0
    const signUp = Effect.gen(function* () {
      const person = `person${++people}-${port}@example.org`
      const signedUp = yield* call("POST", "/auth/sign-up/email", {
        name: "Ada",
        email: person,
        password: "correct horse battery"
      })
      const cookie = cookieOf(signedUp)
      const projects = yield* call("GET", "/projects", undefined, { cookie })
      const { apiKey, id } = projects.body[0] as { readonly apiKey: string; readonly id: string }
      return {
        key: apiKey,
        projectId: id,
        cookie,
        call: (method: string, route: string, body?: unknown, headers?: Record<string, string>) =>
          call(method, route, body, { "x-api-key": apiKey, ...headers })
      }
    })

    return {
      base,
      dataDirectory: path.join(dataDirectory, "data"),
      settings,
      log,
      output,
      pid: () => child!.pid!,
      call,
      signUp,
      healthy,
      stop,
      ended: Effect.suspend(() => (child === undefined ? Effect.succeed("not running") : ended(child))),
      start
    }
  })

export { eventually } from "@kanmon/testkit/Eventually"
