/** The API behind the reverse proxies of the operator's guide. */
import * as https from "node:https"
import { connect, constants } from "node:http2"
import { assert, describe, it } from "@effect/vitest"
import { servingOf } from "@kanmon/protocol/Routes"
import { Duration, Effect } from "effect"
import { requests } from "../support/ContractEndpoints.ts"
import { client, examples, type Proxied, proxies } from "../support/Proxies.ts"

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

  // It takes larger files of Uptime Kuma, and looks at the sender first.
  const file = { ...json, "content-type": "application/octet-stream" }
  const kuma = "x".repeat(20_000_000)
  const read = yield* ask("POST", "/api/v1/imports/uptime-kuma", { ...file, "x-api-key": apiKey }, kuma)
  assert.strictEqual(read.status, 422, read.text)
  const unknown = yield* ask("POST", "/api/v1/imports/uptime-kuma", file, kuma)
  assert.strictEqual(unknown.status, 401, unknown.text)

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

/** What else the examples promise. */
const walks = {
  nginx: Effect.fnUntraced(function* ({ ask }: Proxied) {
    assert.strictEqual((yield* ask("GET", "/metrics")).status, 403)
  }),
  Caddy: Effect.fnUntraced(function* ({ ask, place, port }: Proxied) {
    if (place.path === "") return
    const home = yield* client(port, { ...place, path: "" })("GET", place.path)
    assert.strictEqual(home.headers["location"], `${place.path}/`)
    // No spelling of the path leads past what the proxy keeps for itself.
    assert.strictEqual((yield* ask("GET", `${place.path}/metrics`)).status, 404)
  })
}

describe("the reverse proxies of the operator's guide", () => {
  it("have three examples for Caddy and two for nginx", () => {
    assert.lengthOf(examples("caddyfile"), 3)
    assert.lengthOf(examples("nginx"), 2)
  })

  it("allow nginx the bodies and the times of the contract", () => {
    for (const example of examples("nginx")) {
      const sizes = [...example.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size) * 1024 * 1024)
      const minutes = Number(/proxy_read_timeout (\d+)m;/.exec(example)?.[1])
      const [imports = "none"] = /\S+\/imports\//.exec(example) ?? []
      for (const [method, route] of requests) {
        const { bodyLimit, timeout = 0 } = servingOf(method, route)
        const limit = route.startsWith(imports.replace("/kanmon", "")) ? Math.max(...sizes) : Math.min(...sizes)
        assert.isAtMost(bodyLimit, limit, route)
        assert.isAtMost(Duration.toMinutes(timeout), minutes, route)
      }
    }
  })

  for (const { isInstalled, proxy, start, title } of proxies)
    it.live.skipIf(!isInstalled)(`serves everything through ${title}`, () =>
      Effect.gen(function* () {
        const proxied = yield* start()
        yield* walk(proxied)
        yield* walks[proxy](proxied)
      }).pipe(Effect.scoped)
    )
})
