/**
 * The product behind the reverse proxies of the operator's guide: their examples are taken from the guide as they are, and only
 * ports and files are replaced. The proxies are Debian's, of which nginx is older than the newest syntax.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as https from "node:https"
import { connect, constants } from "node:http2"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Certificates from "@kanmon/testkit/Certificates"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, Exit, type Scope } from "effect"
import * as Folder from "../support/Folder.ts"
import { make as startProduct } from "../support/Product.ts"
import * as Ports from "../support/Ports.ts"

const run = promisify(execFile)
const guide = readFileSync(path.resolve(import.meta.dirname, "../../docs/operate/reverse-proxy.md"), "utf8")

/** The examples in a language: at the root of a host, below a path that the proxy keeps, and below one that it removes. */
const examples = (language: string): ReadonlyArray<string> =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, text]) => text!)

const program = (name: string): string | undefined =>
  ["/usr/sbin", "/usr/bin"].map((folder) => path.join(folder, name)).find((file) => existsSync(file))

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Where the proxy is for visitors: a host, and a path or none. */
interface Place {
  readonly host: string
  readonly path: string
}

const root: Place = { host: "status.example.org", path: "" }
const below: Place = { host: "example.org", path: "/kanmon" }

interface Proxied {
  readonly port: number
  readonly place: Place
  readonly ask: (
    method: string,
    route: string,
    headers?: Record<string, string>,
    body?: string
  ) => Effect.Effect<Answer>
}

/** Routes are asked for below the path of the place. */
const client =
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
    return { port, place, ask }
  })

const product = ({ host, path }: Place) =>
  startProduct({ env: { KANMON_BASE_URL: `https://${host}${path}`, KANMON_TRUSTED_PROXY: "true" }, below: path }).pipe(
    Effect.tap(({ healthy }) => healthy)
  )

const portOf = (base: string): string => new URL(base).port

/** Everything that the guide says a proxy must let through. */
const walk = Effect.fnUntraced(function* ({ ask, place: { host, path }, port }: Proxied) {
  const page = yield* ask("GET", "/", { accept: "text/html" })
  assert.strictEqual(page.status, 200)
  assert.include(page.text, "<title>")
  const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(page.text)!
  assert.isTrue(script.startsWith(`${path}/assets/`), script)
  assert.strictEqual((yield* ask("GET", script.slice(path.length))).status, 200)
  const { servers } = JSON.parse((yield* ask("GET", "/api/v1/openapi.json")).text)
  assert.deepStrictEqual(servers, [{ url: `https://${host}${path}` }])

  const account = { name: "Ada", email: `ada${port}@example.org`, password: "correct horse battery" }
  const json = { "content-type": "application/json", origin: `https://${host}` }
  const signedUp = yield* ask("POST", "/api/v1/auth/sign-up/email", json, JSON.stringify(account))
  assert.strictEqual(signedUp.status, 200, signedUp.text)
  const cookies = [signedUp.headers["set-cookie"]].flat().map(String)
  assert.isTrue(
    cookies.every((cookie) => /; Secure/i.test(cookie)),
    cookies.join("\n")
  )
  const cookie = cookies.map((text) => text.split(";")[0]).join("; ")
  const projects = yield* ask("GET", "/api/v1/projects", { cookie })
  const [{ apiKey }] = JSON.parse(projects.text) as [{ readonly apiKey: string }]

  // The API refuses what is too large, not the proxy.
  const large = yield* ask("POST", "/api/v1/monitors", { ...json, "x-api-key": apiKey }, "x".repeat(1_100_000))
  assert.strictEqual(large.status, 413)
  assert.include(String(large.headers["content-type"]), "application/problem+json")

  // An event arrives while the answer goes on: a proxy that buffers would hold it back.
  const event = yield* Effect.callback<string>((resume) => {
    const request = https.request(
      {
        host: "127.0.0.1",
        port,
        servername: host,
        rejectUnauthorized: false,
        path: `${path}/api/v1/events`,
        headers: { host, "x-api-key": apiKey }
      },
      (response) => {
        let text = ""
        assert.strictEqual(response.statusCode, 200)
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
          if (!text.includes("monitor.created")) return
          request.destroy()
          resume(Effect.succeed(text))
        })
        const monitor = { name: "Shop", type: "tcp", host: "127.0.0.1", port: 9, paused: true }
        Effect.runFork(ask("POST", "/api/v1/monitors", { ...json, "x-api-key": apiKey }, JSON.stringify(monitor)))
      }
    )
    request.on("error", () => {})
    request.end()
  })
  assert.include(event, "monitor.created")

  const overHttp2 = yield* Effect.callback<number>((resume) => {
    const session = connect(`https://127.0.0.1:${port}`, { servername: host, rejectUnauthorized: false })
    const stream = session.request({ ":path": `${path}/api/v1/health/live`, [constants.HTTP2_HEADER_AUTHORITY]: host })
    stream.on("response", (headers) => {
      resume(Effect.succeed(Number(headers[":status"])))
      session.destroy()
    })
  })
  assert.strictEqual(overHttp2, 200)
})

const nginx = program("nginx")
const caddy = program("caddy")

/** Runs nginx with an example. The machine's own addresses are none of the network that may read metrics. */
const withNginx = Effect.fnUntraced(function* (text: string, place: Place) {
  const { base } = yield* product(place)
  const certificate = (yield* Certificates.certificates).good
  const folder = yield* Folder.make({ "cert.pem": certificate.cert, "key.pem": certificate.key })
  const [port, plain] = yield* Effect.promise(() => Promise.all([Ports.freePort(), Ports.freePort()]))
  const servers = text
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${portOf(base)}`)
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
  const proxied = yield* running(nginx!, ["-c", file], port, place)
  yield* walk(proxied)
  const metrics = yield* proxied.ask("GET", "/metrics")
  assert.strictEqual(metrics.status, 403)
  return proxied
}, Effect.scoped)

/** Runs Caddy with an example, with certificates of its own authority, since no public one can reach this machine. */
const withCaddy = Effect.fnUntraced(function* (text: string, place: Place) {
  const { base } = yield* product(place)
  const folder = yield* Folder.make()
  const [port, plain] = yield* Effect.promise(() => Promise.all([Ports.freePort(), Ports.freePort()]))
  const options = `{\n  admin off\n  local_certs\n  skip_install_trust\n  http_port ${plain}\n  https_port ${port}\n  storage file_system ${folder}\n}\n`
  const file = path.join(folder, "Caddyfile")
  const site = text.replaceAll("127.0.0.1:3000", `127.0.0.1:${portOf(base)}`)
  yield* Effect.promise(() => fs.writeFile(file, `${options}\n${site}`))
  const args = ["run", "--config", file, "--adapter", "caddyfile"]
  const proxied = yield* running(caddy!, args, port, place, { HOME: folder })
  yield* walk(proxied)
  if (place.path === "") return
  const home = yield* client(port, { ...place, path: "" })("GET", place.path)
  assert.strictEqual(home.headers["location"], `${place.path}/`)
  // No spelling of the path leads past what the proxy keeps for itself.
  const twice = yield* proxied.ask("GET", `${place.path}/metrics`)
  assert.strictEqual(twice.status, 404)
}, Effect.scoped)

describe("the reverse proxies of the operator's guide", () => {
  it("have three examples for Caddy and two for nginx", () => {
    assert.lengthOf(examples("caddyfile"), 3)
    assert.lengthOf(examples("nginx"), 2)
  })

  for (const [index, place] of [root, below].entries())
    it.live.skipIf(nginx === undefined)(`serves everything through nginx at ${place.host}${place.path}`, () =>
      withNginx(examples("nginx")[index]!, place)
    )

  // The last one removes the path.
  for (const [index, place] of [root, below, below].entries())
    it.live.skipIf(caddy === undefined)(
      `serves everything through Caddy at ${place.host}${place.path} (${index + 1})`,
      () => withCaddy(examples("caddyfile")[index]!, place)
    )
})
