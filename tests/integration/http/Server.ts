/** The HTTP side in this process, over a database of its own that can be taken away. Nothing is faked behind it. */
import { createServer } from "node:http"
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Regions } from "@kanmon/engine/Regions"
import { basePath } from "@kanmon/protocol/Api"
import * as Database from "@kanmon/store/Database"
import * as Migrations from "@kanmon/store/Migrations"
import * as Store from "@kanmon/store/Store"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import * as HealthLive from "../../../apps/server/src/HealthLive.ts"
import { ApiSettings } from "../../../apps/server/src/http/ApiSettings.ts"
import * as HttpApp from "../../../apps/server/src/http/HttpApp.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface Person {
  readonly key: string
  readonly projectId: string
  readonly cookie: string
  /** Calls with the project's key. */
  readonly call: Call
}

export type Call = (
  method: string,
  route: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>
) => Effect.Effect<Answer>

/** A way to the database that a test can close and open again. */
export class Wire extends Context.Service<
  Wire,
  { readonly port: number; readonly cut: Effect.Effect<void>; readonly mend: Effect.Effect<void> }
>()("@kanmon/tests/Wire") {}

const wireTo = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<Socket>()
      let whole = true
      const server = createTcpServer((near) => {
        if (!whole) return void near.destroy()
        const far = connect(port, host)
        for (const [from, to] of [
          [near, far],
          [far, near]
        ] as const) {
          open.add(from)
          from.pipe(to)
          from.on("error", () => to.destroy())
          from.on("close", () => (open.delete(from), to.destroy()))
        }
      })
      await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
      const turn = (to: boolean) =>
        Effect.sync(() => {
          whole = to
          if (!to) for (const socket of open) socket.destroy()
        })
      return {
        wire: Wire.of({ port: (server.address() as AddressInfo).port, cut: turn(false), mend: turn(true) }),
        close: () => {
          for (const socket of open) socket.destroy()
          server.close()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )

const database = Layer.unwrap(
  Effect.gen(function* () {
    const url = new URL(Redacted.value(yield* TestDatabase.create))
    const { wire } = yield* wireTo(url.hostname, Number(url.port))
    url.host = `127.0.0.1:${wire.port}`
    return Layer.succeed(Wire, wire).pipe(
      Layer.merge(Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(Database.layer(Redacted.make(url.href)))))
    )
  })
)

export interface Options {
  readonly baseUrl?: string
  readonly limits?: Partial<ApiSettings["Service"]["limits"]>
  readonly signUp?: "open" | "closed"
  readonly adminEmails?: ReadonlyArray<string>
  readonly trustedProxy?: boolean
}

/** The address people are told; what listens in a test has another, which only the client knows. */
export const publicUrl = "http://kanmon.example"

/** Everything, listening on a port of its own. The store's services are there too, for a look behind. */
export const layer = (options: Options = {}) => {
  const { baseUrl = publicUrl } = options
  const settings = Layer.mergeAll(
    Layer.succeed(
      ApiSettings,
      ApiSettings.of({
        baseUrl,
        version: "0.0.0-test",
        trustedProxy: options.trustedProxy ?? false,
        limits: { reads: 100_000, writes: 100_000, signIns: 100_000, ...options.limits },
        knownRegions: Effect.succeed(["eu-west", "us-east"])
      })
    ),
    Layer.succeed(
      AuthSettings,
      AuthSettings.of({
        apiUrl: `${baseUrl}${basePath}`,
        secret: Redacted.make("a secret for tests that is long enough"),
        signUp: options.signUp ?? "open",
        adminEmails: options.adminEmails ?? []
      })
    )
  )
  return HttpApp.layer.pipe(
    Layer.provide(HealthLive.layer),
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })),
    Layer.provide(settings),
    Layer.provide(Regions.layer(["eu-west", "us-east"])),
    Layer.provide(InProcessBus.layer()),
    Layer.provide(Catalogue.layer(bundled)),
    Layer.provideMerge(Store.layer(Redacted.make("a secret for tests"))),
    Layer.provideMerge(database),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.orDie
  )
}

/** Where the server listens. */
export const port = Effect.map(HttpServer.HttpServer, ({ address }) => (address as unknown as { port: number }).port)

/** One request. A string is sent as it is, anything else as JSON. */
export const call: (...parameters: Parameters<Call>) => Effect.Effect<Answer, never, HttpServer.HttpServer> =
  Effect.fnUntraced(function* (method, route, body, headers) {
    const at = yield* port
    return yield* Effect.promise(async () => {
      const response = await fetch(
        `http://127.0.0.1:${at}${route.startsWith("//") ? route.slice(1) : basePath + route}`,
        {
          method,
          redirect: "manual",
          headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
        }
      )
      const text = await response.text()
      const json = (response.headers.get("content-type") ?? "").includes("json")
      return { status: response.status, headers: response.headers, body: json && text !== "" ? JSON.parse(text) : text }
    })
  })

export const cookieOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ")

let people = 0

/** Signs somebody up and takes the key of their first project. */
export const person = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  const email = `person${++people}@example.org`
  const signedUp = yield* call("POST", "/auth/sign-up/email", { name: "Ada", email, password: "correct horse battery" })
  const cookie = cookieOf(signedUp)
  const projects = yield* call("GET", "/projects", undefined, { cookie })
  const { apiKey: key, id: projectId } = projects.body[0]
  const withKey: Call = (method, route, body, headers) =>
    Effect.provideService(call(method, route, body, { "x-api-key": key, ...headers }), HttpServer.HttpServer, server)
  return { email, cookie, key: key as string, projectId: projectId as string, call: withKey }
})

/** A monitor's body that is good. */
export const shop = { name: "Shop", type: "http", url: "https://shop.example/", interval: 60 }
