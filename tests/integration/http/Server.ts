/** The HTTP API in this process on its own database, which can be made unavailable. Nothing behind it is faked. */
import { Engine, Store } from "@kanmon/monitoring"
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net"
import { assert } from "@effect/vitest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { AuthSettings } from "@kanmon/identity/accounts"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { SignInMethods, type SignInMethodsSettings } from "@kanmon/identity/sso"
import { SignOnNetwork } from "@kanmon/identity/sso"
import { BusClock } from "@kanmon/core/BusClock"
import type { EventBus } from "@kanmon/core/EventBus"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Resolver } from "@kanmon/core/Resolver"
import { RecipientPolicy, type RecipientRules } from "@kanmon/core/Recipient"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { PlanId } from "@kanmon/domain/Ids"
import { basePath } from "@kanmon/protocol/BasePath"
import * as Database from "@kanmon/platform/database/Database"
import { DefaultPlan } from "@kanmon/identity/testing/billing/DefaultPlan.ts"
import { Console, Context, Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import { PaymentGateway } from "@kanmon/identity/testing/billing/PaymentGateway.ts"
import * as HealthLive from "@kanmon/monitoring/testing/health/HealthLive.ts"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { AuthPluginSettings } from "@kanmon/platform/http/Authenticator"
import * as HttpApp from "../../../apps/server/src/HttpApp.ts"
import * as NodeServer from "../../../apps/server/src/listeners/NodeServer.ts"
import { unlimited } from "@kanmon/domain/OrganizationQuotas"
import { TargetWarnings } from "@kanmon/monitoring/testing/monitors/TargetWarnings.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { type Cost, NewHashCost } from "@kanmon/identity/testing/accounts/better-auth/PasswordHash.ts"
import { objections } from "../../support/BundledContract.ts"
import { cookieOf } from "../../support/Cookies.ts"
import * as HeldTimeout from "./HeldTimeout.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export type Call = (
  method: string,
  route: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>
) => Effect.Effect<ApiResponse>

/** A way to the database that a test can close and open again. */
export class Wire extends Context.Service<
  Wire,
  {
    readonly port: number
    /** Ends every connection and refuses new ones. */
    readonly cut: Effect.Effect<void>
    /** Lets nothing through any more, and says nothing about it. */
    readonly stall: Effect.Effect<void>
    readonly mend: Effect.Effect<void>
    /** Whether every question to the database is answered. */
    readonly isIdle: () => boolean
  }
>()("@kanmon/tests/Wire") {}

type WireState = "whole" | "cut" | "stalled"

const wireTo = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<Socket>()
      const asking = new Set<Socket>()
      let state: WireState = "whole"
      const server = createTcpServer((near) => {
        if (state === "cut") return void near.destroy()
        const far = connect(port, host)
        for (const [from, to] of [
          [near, far],
          [far, near]
        ] as const) {
          open.add(from)
          from.on("data", (chunk) => {
            if (from === near) asking.add(near)
            else asking.delete(near)
            if (state === "whole") to.write(chunk)
          })
          from.on("error", () => to.destroy())
          from.on("close", () => (open.delete(from), asking.delete(from), to.destroy()))
        }
      })
      await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
      const hangUp = (): void => {
        for (const socket of open) socket.destroy()
      }
      const turn = (to: WireState) =>
        Effect.sync(() => {
          // Stalled connections lost data and must be closed.
          if (to === "cut" || state === "stalled") hangUp()
          state = to
        })
      return {
        wire: Wire.of({
          port: (server.address() as AddressInfo).port,
          cut: turn("cut"),
          stall: turn("stalled"),
          mend: turn("whole"),
          isIdle: () => asking.size === 0
        }),
        close: () => {
          hangUp()
          server.close()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )

const addressOf = ({ database }: Options) => (database === undefined ? TestDatabase.create : Effect.succeed(database))

const directly = (options: Options) => Layer.unwrap(Effect.map(addressOf(options), (url) => Database.layer(url)))

const overWire = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* addressOf(options)))
      const { wire } = yield* wireTo(url.hostname, Number(url.port))
      url.host = `127.0.0.1:${wire.port}`
      return Layer.merge(Layer.succeed(Wire, wire), Database.layer(Redacted.make(url.href)))
    })
  )

export interface Options {
  /** A migrated database that exists; a new one by default. */
  readonly database?: Redacted.Redacted
  readonly baseUrl?: string
  readonly limits?: Partial<ApiSettings["Service"]["limits"]>
  /** Without quotas unless it says otherwise. */
  readonly quotas?: Partial<ApiSettings["Service"]["quotas"]>
  readonly signUp?: "open" | "closed"
  readonly adminEmails?: ReadonlyArray<string>
  readonly trustedProxy?: boolean
  readonly pagesDomain?: string
  readonly pagesHost?: string
  readonly reservedDomains?: ReadonlyArray<string>
  /** Whether the limit for the time of requests passes when the test says so (`HeldTimeout`). */
  readonly holdsTimeout?: boolean
  /** What the operator set for channels, by type. */
  readonly operator?: ReadonlyMap<string, object>
  /** Without limits unless it says otherwise: most tests are about something else. */
  readonly defaultPlan?: string
  /** The payment provider; none by default. */
  readonly payments?: Layer.Layer<PaymentGateway>
  readonly recipients?: Partial<RecipientRules>
  readonly phonesOnFreePlans?: boolean
  /** `ip:port` of the name server that is asked; this machine's unless it says otherwise. */
  readonly resolver?: string
  /** Monitors may reach this machine unless it says otherwise. */
  readonly allowPrivateTargets?: boolean
  /** What is printed; nothing is by default. */
  readonly print?: (line: string) => void
  /** The one within the process unless it says otherwise. */
  readonly bus?: Layer.Layer<EventBus, unknown>
  /** With passwords alone unless it says otherwise. */
  readonly signIn?: SignInMethodsSettings
  /** Whether hashes of passwords cost as much as those of a server; next to nothing by default. */
  readonly costlyPasswords?: boolean
  /** What the operator set for auth plugins, by their names. */
  readonly authPlugins?: ReadonlyMap<string, object>
  /** Identity providers of organizations may be on this machine unless it says otherwise. */
  readonly allowPrivateProviders?: boolean
}

/** The path of the public URL, below which the server answers. */
const publicPath = Context.Reference<string>("@kanmon/tests/publicPath", { defaultValue: () => "" })

/** The public URL; tests connect to another address. */
export const publicUrl = "http://kanmon.example"

/** Lines that were logged, for a look at what they say and do not say. */
export class Logs extends Context.Service<Logs, Array<Record<string, any>>>()("@kanmon/tests/Logs") {}

const logs = Layer.unwrap(
  Effect.sync(() => {
    const lines: Array<Record<string, any>> = []
    const collect = Logger.make<unknown, void>((options) => void lines.push(Logger.formatStructured.log(options)))
    return Layer.merge(Layer.succeed(Logs, lines), Logger.layer([collect]))
  })
)

/** Channels deliver to this machine. */
const channelRunner = (operator: ReadonlyMap<string, object> = new Map()) =>
  ChannelRunner.layer({ dialer: { allowPrivate: true }, operator })

/** A console that only this server prints on. */
const printing = (print: (line: string) => void = () => undefined) =>
  Layer.sync(Console.Console, () => Object.assign(Object.create(console) as Console.Console, { log: print }))

/** Every name exists, at a public address: whether a monitor is warned about does not depend on this machine's resolver. */
const everyName = Layer.succeed(
  Resolver,
  Resolver.of({
    records: () => Effect.die("not here"),
    addresses: () => Effect.succeed([{ address: "8.8.8.8", family: 4 }])
  })
)

/** No name server is there, and none of this machine's is asked. */
const nowhere = "127.0.0.1:9"

/** Hashes for accounts that nobody attacks. */
const cheap: Cost = { memory: 8, passes: 1, parallelism: 1 }

/** Everything, listening on a port of its own. The store's services and the bus are there too, for a look behind. */
export const layer = (options: Options = {}) => serverOn(directly(options), options)

/** The same with a wire to its database. */
export const layerOverWire = (options: Options = {}) => serverOn(overWire(options), options)

type DatabaseLayer<Provided> = Layer.Layer<
  Provided,
  Layer.Error<ReturnType<typeof directly>>,
  SecureRandom.SecureRandom
>

const serverOn = <Provided>(database: DatabaseLayer<SqlClient.SqlClient | Provided>, options: Options) => {
  const { baseUrl = publicUrl } = options
  const settings = Layer.mergeAll(
    Layer.succeed(
      ApiSettings,
      ApiSettings.of({
        baseUrl,
        version: "0.0.0-test",
        trustedProxy: options.trustedProxy ?? false,
        phonesOnFreePlans: options.phonesOnFreePlans ?? false,
        pagesDomain: options.pagesDomain,
        pagesHost: options.pagesHost,
        reservedDomains: options.reservedDomains ?? [],
        ...(options.holdsTimeout === true ? { requestTimeout: HeldTimeout.requestTimeout } : {}),
        limits: { reads: 100_000, writes: 100_000, signIns: 100_000, signals: 100_000, ...options.limits },
        quotas: { ...unlimited, ...options.quotas },
        retentionDays: 90,
        knownRegions: Effect.succeed(["eu-west", "us-east"])
      })
    ),
    Layer.succeed(
      AuthSettings,
      AuthSettings.of({
        baseUrl,
        apiUrl: `${baseUrl}${basePath}`,
        secret: Redacted.make("a secret for tests that is long enough"),
        signUp: options.signUp ?? "open",
        adminEmails: options.adminEmails ?? [],
        setupCode: Redacted.make("bcde-fgh2-jkm3")
      })
    )
  )
  const server = NodeHttpServer.layerServer(() => NodeServer.make(), { port: 0, host: "127.0.0.1" })
  return HttpApp.layer(server).pipe(
    Layer.provide(HealthLive.layer),
    Layer.merge(server),
    Layer.provide([
      settings,
      Layer.succeed(AuthPluginSettings, options.authPlugins ?? new Map()),
      options.payments ?? PaymentGateway.layerNone,
      Layer.succeed(SignInMethods, options.signIn ?? { local: true, oidc: undefined }),
      SignOnNetwork.layer({ allowPrivate: options.allowPrivateProviders ?? true })
    ]),
    Layer.provide(
      TargetWarnings.layer({ allowPrivate: options.allowPrivateTargets ?? true }).pipe(Layer.provide(everyName))
    ),
    Layer.provide(Regions.layer(["eu-west", "us-east"])),
    Layer.provide(Engine.streams),
    Layer.provide(BusClock.layer("control-plane.test")),
    Layer.provideMerge(options.bus ?? InProcessBus.layer()),
    Layer.provide(channelRunner(options.operator)),
    Layer.provide(printing(options.print)),
    Layer.provide(
      Layer.succeed(RecipientPolicy, {
        confirm: false,
        phonePrefixes: [],
        perHour: { email: 100, phone: 20 },
        ...options.recipients
      })
    ),
    Layer.provide(NodeResolver.layer({ allowPrivate: true, server: options.resolver ?? nowhere })),
    Layer.provide([PatientEvaluator.layer, Catalogue.layer(bundled)]),
    Layer.provideMerge(Store.layer(Redacted.make("a secret for tests"))),
    Layer.provide(Layer.succeed(DefaultPlan, PlanId.make(options.defaultPlan ?? "plan_enterprise"))),
    Layer.provideMerge(database),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provide(options.costlyPasswords === true ? Layer.empty : Layer.succeed(NewHashCost, cheap)),
    Layer.provideMerge(Layer.mergeAll(logs, HeldTimeout.layer, Layer.succeed(publicPath, BaseAddress.pathOf(baseUrl)))),
    Layer.orDie
  )
}

/** Where the server listens. */
export const port = Effect.map(HttpServer.HttpServer, ({ address }) => (address as unknown as { port: number }).port)

/** One request below the API's base path. A string is sent as it is, anything else as JSON. */
export const call: (...parameters: Parameters<Call>) => Effect.Effect<ApiResponse, never, HttpServer.HttpServer> =
  Effect.fnUntraced(function* (method, route, body, headers) {
    const at = yield* port
    const below = yield* publicPath
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`http://127.0.0.1:${at}${below}${basePath}${route}`, {
        method,
        redirect: "manual",
        signal,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      const path = `${basePath}${route}`
      assert.deepStrictEqual(objections({ method, path, status: response.status, headers: response.headers, text }), [])
      const json = (response.headers.get("content-type") ?? "").includes("json") && text !== ""
      return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
    })
  })

/** Writes to the server's socket what no client library would, and reads until the server has answered once. */
export const raw = (text: string): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.flatMap(port, (at) =>
    Effect.promise(
      () =>
        new Promise<string>((resolve) => {
          let answer = ""
          const socket = connect(at, "127.0.0.1", () => void socket.write(text))
          socket.on("error", () => socket.destroy())
          socket.on("data", (chunk) => {
            answer += chunk.toString("latin1")
            const [head = "", body = ""] = answer.split("\r\n\r\n")
            if (body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)) socket.destroy()
          })
          socket.on("close", () => void resolve(answer))
        })
    )
  )

/** Asserts a refusal, in the form that all of them have. */
export const refused = (answer: ApiResponse, status: number, code: string, ...paths: ReadonlyArray<string>): void => {
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  const { requestId, ...body } = answer.body
  assert.deepInclude(body, { type: `urn:kanmon:problem:${code}`, status, code })
  assert.strictEqual(requestId, answer.headers.get("x-request-id"))
  const errors: ReadonlyArray<{ readonly path: string }> = body.errors ?? []
  if (paths.length > 0) assert.deepStrictEqual(errors.map(({ path }) => path).sort(), [...paths].sort())
}

export { cookieOf }

export const password = "correct horse battery"
let people = 0

/** Signs up a user and reads the key of their first project. */
export const person = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  const email = `person${++people}@example.org`
  const signedUp = yield* call("POST", "/auth/sign-up/email", { name: "Ada", email, password })
  const cookie = cookieOf(signedUp)
  const projects = yield* call("GET", "/projects", undefined, { cookie })
  const { apiKey, id } = projects.body[0] as { readonly apiKey: string; readonly id: string }
  const calling =
    (credential: Readonly<Record<string, string>>): Call =>
    (method, route, body, headers) =>
      Effect.provideService(call(method, route, body, { ...credential, ...headers }), HttpServer.HttpServer, server)
  return {
    email,
    userId: signedUp.body.user.id as string,
    cookie,
    key: apiKey,
    projectId: id,
    withKey: calling({ "x-api-key": apiKey }),
    withSession: calling({ cookie })
  }
})

/** A monitor's body that is good. */
export const shop = { name: "Shop", type: "http", url: "https://shop.example/", interval: 60 }
