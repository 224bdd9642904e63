/**
 * A real certificate authority (Let's Encrypt's test server, Pebble) with a name server of its own, on loopback. Tests that
 * need one are skipped, and say so, where it is not installed; where tests must be complete (`CI` is set) they fail.
 */
import { eventually } from "@kanmon/testkit/Eventually"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { request } from "node:https"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { certificates } from "@kanmon/testkit/Certificates"
import { Effect, type Scope } from "effect"
import { searchPath } from "./NatsServer.ts"
import { freePort } from "./Product.ts"

const installed = ["pebble", "pebble-challtestsrv"].every((program) =>
  searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, program)))
)

export const skipped = !installed && !process.env["CI"]

/** For the names of tests that are skipped. */
export const note = skipped ? " (skipped: pebble is not installed)" : ""

export interface Pebble {
  readonly directory: string
  readonly port: number
  /** Trust it to speak with the authority. */
  readonly ca: string
  /** `ip:port` of the name server, which knows what it is told and nothing else. */
  readonly resolver: string
  /** Where the authority looks for challenges, instead of port 80. */
  readonly challengePort: number
  readonly address: (name: string, ...addresses: ReadonlyArray<string>) => Effect.Effect<void>
  readonly alias: (name: string, target: string) => Effect.Effect<void>
  readonly noAlias: (name: string) => Effect.Effect<void>
  readonly text: (name: string, value: string) => Effect.Effect<void>
  readonly noText: (name: string) => Effect.Effect<void>
  /** The root of what it issues, which is another one after each start. */
  readonly root: Effect.Effect<string>
  /** Ends it; all its accounts and orders are gone then. */
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

export interface PebbleOptions {
  /** Seconds that its certificates are valid. */
  readonly validity?: number
  /** Nonces that it refuses although they are good, in percent. */
  readonly refusedNonces?: number
  readonly challengePort?: number
  /** Takes accounts only that are bound to one of these: keys in base64url, by their ids. */
  readonly bindings?: Readonly<Record<string, string>>
}

export const make = (options: PebbleOptions = {}): Effect.Effect<Pebble, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-pebble-"))),
      (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true, maxRetries: 5 }))
    )
    const { good, root: ca } = yield* certificates
    const port = yield* freePort
    const management = yield* freePort
    const dns = yield* freePort
    const dnsManagement = yield* freePort
    const challengePort = options.challengePort ?? (yield* freePort)
    const file = (name: string, content: string) => Effect.promise(() => fs.writeFile(path.join(folder, name), content))
    yield* file("cert.pem", good.cert)
    yield* file("key.pem", good.key)
    const pebble = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: "cert.pem",
      privateKey: "key.pem",
      httpPort: challengePort,
      tlsPort: yield* freePort,
      ocspResponderURL: "",
      externalAccountBindingRequired: options.bindings !== undefined,
      externalAccountMACKeys: options.bindings ?? {},
      certificateValidityPeriod: options.validity ?? 90 * 86_400,
      domainBlocklist: ["blocked.acme.test"]
    }
    yield* file("config.json", JSON.stringify({ pebble }))

    const run = (program: string, args: ReadonlyArray<string>) =>
      spawn(program, args, {
        cwd: folder,
        stdio: "ignore",
        env: {
          PATH: searchPath,
          PEBBLE_VA_NOSLEEP: "1",
          PEBBLE_AUTHZREUSE: "0",
          PEBBLE_WFE_NONCEREJECT: String(options.refusedNonces ?? 5)
        }
      })
    const ended = (child: ChildProcess) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
    const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv4", "", "-defaultIPv6", ""]
    const places = ["-dns01", `127.0.0.1:${dns}`, "-management", `127.0.0.1:${dnsManagement}`]
    yield* Effect.acquireRelease(
      Effect.sync(() => run("pebble-challtestsrv", [...none, ...places])),
      ended
    )
    const tell = (what: string, body: object) =>
      Effect.tryPromise(() =>
        fetch(`http://127.0.0.1:${dnsManagement}/${what}`, { method: "POST", body: JSON.stringify(body) })
      ).pipe(patiently, Effect.asVoid)

    let child: ChildProcess | undefined
    const stop = Effect.suspend(() => (child === undefined ? Effect.void : ended(child)))
    const start = Effect.gen(function* () {
      child = run("pebble", ["-config", "config.json", "-dnsserver", `127.0.0.1:${dns}`])
      yield* get(`https://127.0.0.1:${port}/dir`, ca).pipe(patiently)
    })
    yield* Effect.addFinalizer(() => stop)
    yield* start

    return {
      directory: `https://127.0.0.1:${port}/dir`,
      port,
      ca,
      resolver: `127.0.0.1:${dns}`,
      challengePort,
      address: (host, ...addresses) => tell("add-a", { host, addresses }),
      alias: (host, target) => tell("set-cname", { host, target }),
      noAlias: (host) => tell("clear-cname", { host }),
      // This one takes names as they stand in a zone file.
      text: (host, value) => tell("set-txt", { host: `${host}.`, value }),
      noText: (host) => tell("clear-txt", { host: `${host}.` }),
      root: get(`https://127.0.0.1:${management}/roots/0`, ca).pipe(patiently),
      stop,
      start
    }
  })

/** Servers need a moment to listen. */
const patiently = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> => eventually(effect)

const get = (url: string, ca: string) =>
  Effect.tryPromise(
    () =>
      new Promise<string>((resolve, reject) => {
        const sent = request(url, { ca }, (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")))
          response.on("end", () => resolve(text))
        })
        sent.on("error", reject)
        sent.end()
      })
  )
