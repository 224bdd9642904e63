/**
 * The reverse proxies of the operator's guide in front of a product: their examples are taken from the guide as they are, and only
 * ports and files are replaced. The proxies are Debian's, of which nginx is older than the newest syntax.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as https from "node:https"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import * as Certificates from "@kanmon/testkit/Certificates"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, Exit, type Scope } from "effect"
import * as Folder from "./Folder.ts"
import * as Ports from "./Ports.ts"
import * as Product from "./Product.ts"

const run = promisify(execFile)
const guide = readFileSync(path.resolve(import.meta.dirname, "../../docs/operate/reverse-proxy.md"), "utf8")

/** The examples of the guide in a language: at the root of a host, below a path that the proxy keeps, and below one that it removes. */
export const examples = (language: string): ReadonlyArray<string> =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, text]) => text!)

const program = (name: string): string | undefined =>
  ["/usr/sbin", "/usr/bin"].map((folder) => path.join(folder, name)).find((file) => existsSync(file))

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Where the proxy is for visitors: a host, and a path or none. */
export interface Place {
  readonly host: string
  readonly path: string
}

export const root: Place = { host: "status.example.org", path: "" }
export const below: Place = { host: "example.org", path: "/kanmon" }

/** A product behind a proxy, whose port takes TLS. */
export interface Proxied {
  readonly product: Product.Product
  readonly port: number
  readonly place: Place
  readonly ask: (
    method: string,
    route: string,
    headers?: Record<string, string>,
    body?: string
  ) => Effect.Effect<Answer>
}

/** Asks the proxy at a port for routes below the path of the place. */
export const client =
  (port: number, { host, path }: Place): Proxied["ask"] =>
  (method, route, headers = {}, body) =>
    Effect.callback<Answer>((resume) => {
      const request = https.request(
        {
          host: "127.0.0.1",
          port,
          servername: host,
          rejectUnauthorized: false,
          method,
          path: `${path}${route}`,
          headers: { host, ...headers }
        },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
          response.on("end", () =>
            resume(Effect.succeed({ status: response.statusCode!, headers: response.headers, text }))
          )
        }
      )
      request.on("error", (error) => resume(Effect.die(error)))
      request.end(body)
    })

/** Runs a proxy until the scope closes, and waits until it takes connections. */
const running = (
  product: Product.Product,
  command: string,
  args: ReadonlyArray<string>,
  port: number,
  place: Place,
  env: Record<string, string> = {}
): Effect.Effect<Proxied, never, Scope.Scope> =>
  Effect.gen(function* () {
    let printed = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync((): ChildProcess => {
        const started = spawn(command, args, {
          env: { PATH: process.env["PATH"]!, ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })
        for (const stream of [started.stdout!, started.stderr!])
          stream.on("data", (chunk) => (printed += String(chunk)))
        return started
      }),
      (started) => Effect.sync(() => void started.kill("SIGTERM"))
    )
    const ask = client(port, place)
    const answers = Effect.suspend(() => {
      assert.isNull(child.exitCode, printed)
      return Effect.exit(ask("GET", "/api/v1/health/live"))
    })
    yield* eventually(answers, Exit.isSuccess)
    return { product, port, place, ask }
  })

const behind = ({ host, path }: Place, env: Readonly<Record<string, string>>) =>
  Product.make({
    env: { KANMON_BASE_URL: `https://${host}${path}`, KANMON_TRUSTED_PROXY: "true", ...env },
    below: path
  }).pipe(Effect.tap(({ healthy }) => healthy))

const portOf = (base: string): string => new URL(base).port

/** Runs a product at a place behind a proxy with an example. */
type Start = (
  text: string,
  place: Place,
  env?: Readonly<Record<string, string>>
) => Effect.Effect<Proxied, never, Scope.Scope>

const nginx = program("nginx")
const caddy = program("caddy")

/** The machine's own addresses are none of the network that may read metrics. */
const withNginx: Start = Effect.fnUntraced(function* (text, place, env = {}) {
  const product = yield* behind(place, env)
  const certificate = (yield* Certificates.certificates).good
  const folder = yield* Folder.make({ "cert.pem": certificate.cert, "key.pem": certificate.key })
  const [port, plain] = yield* Effect.promise(() => Promise.all([Ports.freePort(), Ports.freePort()]))
  const servers = text
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${portOf(product.base)}`)
    .replaceAll("listen 443", `listen 127.0.0.1:${port}`)
    .replaceAll("listen 80", `listen 127.0.0.1:${plain}`)
    .replaceAll("/etc/ssl/example.org.pem", path.join(folder, "cert.pem"))
    .replaceAll("/etc/ssl/example.org.key", path.join(folder, "key.pem"))
  const file = path.join(folder, "nginx.conf")
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((what) => `${what}_temp_path ${path.join(folder, what)};`)
    .join("\n")
  yield* Effect.promise(() =>
    fs.writeFile(
      file,
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places}\n${servers}}\n`
    )
  )
  yield* Effect.promise(() => run(nginx!, ["-t", "-c", file]))
  return yield* running(product, nginx!, ["-c", file], port, place)
})

/** Its certificates are of its own authority, since no public one can reach this machine. */
const withCaddy: Start = Effect.fnUntraced(function* (text, place, env = {}) {
  const product = yield* behind(place, env)
  const folder = yield* Folder.make()
  const [port, plain] = yield* Effect.promise(() => Promise.all([Ports.freePort(), Ports.freePort()]))
  const options = `{\n  admin off\n  local_certs\n  skip_install_trust\n  http_port ${plain}\n  https_port ${port}\n  storage file_system ${folder}\n}\n`
  const file = path.join(folder, "Caddyfile")
  const site = text.replaceAll("127.0.0.1:3000", `127.0.0.1:${portOf(product.base)}`)
  yield* Effect.promise(() => fs.writeFile(file, `${options}\n${site}`))
  const args = ["run", "--config", file, "--adapter", "caddyfile"]
  return yield* running(product, caddy!, args, port, place, { HOME: folder })
})

/** A proxy with an example of the guide. */
export interface Example {
  readonly proxy: "nginx" | "Caddy"
  readonly title: string
  readonly place: Place
  readonly isInstalled: boolean
  /** Runs a product with more settings behind it. */
  readonly start: (env?: Readonly<Record<string, string>>) => Effect.Effect<Proxied, never, Scope.Scope>
}

const exampleOf =
  (proxy: Example["proxy"], language: string, installed: string | undefined, start: Start) =>
  (place: Place, index: number): Example => ({
    proxy,
    title: `${proxy} at ${place.host}${place.path} (${index + 1})`,
    place,
    isInstalled: installed !== undefined,
    start: (env) => start(examples(language)[index]!, place, env)
  })

/** All of them. The last one of Caddy removes the path. */
export const proxies: ReadonlyArray<Example> = [
  ...[root, below].map(exampleOf("nginx", "nginx", nginx, withNginx)),
  ...[root, below, below].map(exampleOf("Caddy", "caddyfile", caddy, withCaddy))
]
