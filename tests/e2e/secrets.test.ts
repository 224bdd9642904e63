/**
 * Marked secrets go through every feature of the running product, and are then looked for in all that it writes: tables,
 * the export, printed lines, telemetry, events and the API's answers. A new place where a secret rests in clear is found here.
 */
import { gunzipSync } from "node:zlib"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as Tables from "@kanmon/monitoring/testing/backup/Tables.ts"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { kanmon } from "../support/Kanmon.ts"
import { eventually, make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Letters and digits that occur nowhere by chance. */
const marked = (name: string, length = 24): string =>
  `canary${name}${"0123456789abcdefghijklmnopqrstuvwxyz"}`.slice(0, length)

const canaries = {
  password: marked("Password"),
  installation: marked("Installation", 40),
  twilio: marked("Twilio"),
  mail: marked("Mail"),
  webhookHeader: marked("WebhookHeader"),
  webhookSecret: marked("WebhookSecret"),
  webhookPassword: marked("UrlPassword"),
  slack: marked("Slack"),
  telegram: marked("Telegram", 35),
  matrix: marked("Matrix"),
  integration: marked("Pager", 32),
  query: marked("Query"),
  referer: marked("Referer"),
  targetHeader: marked("TargetHeader"),
  targetBody: marked("TargetBody"),
  targetPassword: marked("TargetPassword"),
  authPassword: marked("AuthPassword")
}

/** Secrets that reads show to holders of the key, and that checks need: they are stored in the monitors' configuration alone. */
const ofMonitors = ["targetHeader", "targetBody", "targetPassword"]

/** What the event stream says, until the server ends it. */
const listen = (url: string, key: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers: { "x-api-key": key } })
    const heard: Array<string> = []
    const reading = async () => {
      for await (const chunk of response.body!) heard.push(Buffer.from(chunk).toString())
    }
    reading().catch(() => undefined)
    return heard
  })

describe("secrets", () => {
  it.live("appears in clear text only where it belongs", () =>
    Effect.gen(function* () {
      const telemetry = yield* Targets.http(Targets.answer({ status: 200, body: "{}" }))
      // Quotes what it was sent, as careless providers do.
      const provider = yield* Targets.http((request, response) => {
        response.statusCode = request.url?.includes("refuse") === true ? 403 : 200
        response.end(`${request.url} ${JSON.stringify(request.headers)}`)
      })
      const withUser = (user: string, password: string, route: string) =>
        `${provider.url.replace("//", `//${user}:${password}@`)}${route}`
      const url = yield* TestDatabase.create
      const env = {
        DATABASE_URL: Redacted.value(url),
        KANMON_SECRET: canaries.installation,
        KANMON_LOG_LEVEL: "All",
        KANMON_TELEGRAM_API_BASE: provider.url,
        KANMON_PAGERDUTY_API_BASE: provider.url,
        SMTP_URL: `smtp://ada:${canaries.mail}@127.0.0.1:${yield* Targets.refusing}`,
        SMTP_FROM: "alerts@example.org",
        TWILIO_API_BASE: provider.url,
        TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000000",
        TWILIO_AUTH_TOKEN: canaries.twilio,
        TWILIO_FROM: "+15005550006",
        OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url
      }
      const product = yield* make({ withoutNats: true, env })
      yield* product.healthy

      const signedUp = yield* product.call("POST", "/auth/sign-up/email", {
        name: "Ada",
        email: "ada@example.org",
        password: canaries.password
      })
      yield* product.call("POST", "/auth/sign-in/email", {
        email: "ada@example.org",
        password: `${canaries.password}x`
      })
      const [cookie] = signedUp.headers.getSetCookie()
      const session = /session_token=([^.;%]+)/.exec(cookie!)![1]!
      const once = () => ({ "idempotency-key": globalThis.crypto.randomUUID() })
      const asAda = { cookie: cookie!.split(";")[0]! }
      const project = yield* product.call("POST", "/projects", { name: "Secrets" }, { ...asAda, ...once() })
      assert.strictEqual(project.status, 201, JSON.stringify(project.body))
      const rotated = yield* product.call("POST", `/projects/${project.body.id}/api-key`, undefined, {
        "x-api-key": project.body.apiKey,
        ...once()
      })
      const key = rotated.body.apiKey as string
      const call = (method: string, route: string, body?: unknown, headers?: Record<string, string>) =>
        product.call(method, route, body, { "x-api-key": key, ...headers })
      const told: Array<unknown> = []
      const create = (route: string, body: unknown) =>
        Effect.tap(call("POST", route, body, once()), (answer) =>
          Effect.sync(() => {
            assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
            told.push(answer.body)
          })
        )

      for (const [type, config] of [
        [
          "webhook",
          { url: withUser("ada", canaries.webhookPassword, "/hook"), headers: { "x-token": canaries.webhookHeader } }
        ],
        [
          "webhook",
          {
            url: `${provider.url}/refuse`,
            headers: { authorization: canaries.webhookHeader },
            secret: canaries.webhookSecret
          }
        ],
        ["slack", { webhookUrl: `${provider.url}/services/${canaries.slack}` }],
        ["slack", { webhookUrl: `${provider.url}/refuse/${canaries.slack}` }],
        ["telegram", { botToken: `1234567:${canaries.telegram}`, chatId: "@refuse" }],
        ["matrix", { homeserverUrl: provider.url, roomId: "!refuse:x", accessToken: canaries.matrix }],
        ["pagerduty", { integrationKey: canaries.integration }],
        ["email", { address: "ops@example.org" }],
        ["sms", { phoneNumber: "+4915112345678" }]
      ] as const) {
        const { body } = yield* create("/notification-channels", { name: type, type, config })
        told.push((yield* call("POST", `/notification-channels/${body.id}/test`)).body)
      }
      const events = yield* listen(`${product.base}/events`, key)
      yield* create("/alert-rules", { name: "Down", trigger: "monitor_down", channelIds: [], monitorIds: [] })
      const job = yield* call("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 60 }, once())
      const token = (job.body.heartbeatUrl as string).slice(-43)
      const site = yield* call(
        "POST",
        "/monitors",
        {
          name: "Site",
          type: "http",
          method: "POST",
          url: withUser("ada", canaries.targetPassword, "/refuse"),
          headers: { "x-token": canaries.targetHeader },
          body: canaries.targetBody,
          interval: 10
        },
        once()
      )
      assert.strictEqual(site.status, 201, JSON.stringify(site.body))
      const own = { url: `${provider.url}/refuse`, authentication: "digest", username: "ada" }
      const guarded = { name: "Guarded", type: "http", ...own, password: canaries.authPassword }
      const digest = yield* call("POST", "/monitors", guarded, once())
      assert.strictEqual(digest.status, 201, JSON.stringify(digest.body))
      told.push(digest.body, (yield* call("GET", `/monitors/${digest.body.id}`)).body)
      yield* call("POST", `/monitors/${site.body.id}/check`)
      for (const route of [`/heartbeat/${token}`, `/heartbeat/${token}/fail?rid=1`, `/%68eartbeat/${token}`])
        yield* product.call("POST", route, { message: "done" }, { referer: `http://x.example/${canaries.referer}` })
      yield* product.call("GET", `/nowhere/${token}?token=${canaries.query}`)
      yield* call("GET", `/monitors?limit=${canaries.query}`)
      const history = yield* eventually(call("GET", "/alert-history"), ({ body }) => body.length > 15)
      told.push(history.body)
      for (const { id } of history.body) told.push((yield* call("GET", `/alert-history/${id}/deliveries`)).body)
      told.push((yield* call("GET", "/notification-channels")).body)
      assert.strictEqual(yield* product.stop("SIGTERM"), "0")

      const file = path.join(path.dirname(product.dataDirectory), "kanmon.export")
      const exported = yield* kanmon(["export", file], { ...env, KANMON_DATA_DIR: product.dataDirectory })
      assert.strictEqual(exported.code, 0, exported.output)
      const places: Record<string, string> = {
        "the export": gunzipSync(yield* Effect.promise(() => fs.readFile(file))).toString(),
        "printed lines": product.output() + exported.output,
        events: events.join(""),
        telemetry: telemetry.requests.map(({ body }) => body).join("\n"),
        "the API": JSON.stringify(told)
      }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const { name } of yield* Tables.read)
          places[`the table ${name}`] = (yield* sql.unsafe(`SELECT t::text FROM "${name}" t`).values).flat().join("\n")
      }).pipe(Effect.provide(Database.layer(url)))
      for (const [place, text] of Object.entries(places))
        if (!place.startsWith("the table")) assert.isNotEmpty(text, place)

      const needles = { ...canaries, session, token, firstKey: project.body.apiKey as string, key }
      const found = Object.entries(places).flatMap(([place, text]) =>
        Object.entries(needles).flatMap(([name, secret]) => (text.includes(secret) ? [`${name} in ${place}`] : []))
      )
      assert.sameMembers(
        found,
        ofMonitors.flatMap((name) => [`${name} in the export`, `${name} in the table monitors`])
      )
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
