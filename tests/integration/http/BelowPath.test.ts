/**
 * An installation below a path of its host: every route of the contract answers there and nowhere else, and all that comes back
 * (links, redirects, cookies, pages, mail) stays there.
 */
import { request as httpRequest } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as MailWorld from "../../../plugins/notify-email/test/MailWorld.ts"
import * as SignOnBrowser from "../../support/SignOnBrowser.ts"
import { Mails, mailTo } from "./Mailbox.ts"
import { call, cookieOf, layer as server, password, person, port, shop } from "./Server.ts"
import { Provider, withProvider } from "./SignOnStage.ts"
import { verify } from "./Team.ts"

const live = { excludeTestServices: true } as const
const origin = "http://kanmon.example"
const path = "/team/kanmon"
const base = `${origin}${path}`
const options = { baseUrl: base, trustedProxy: true, pagesDomain: "pages.example" } as const

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** One request as a proxy passes it on. Streams are left after their head. */
const get = (
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  body?: string
): Effect.Effect<Got, never, Effect.Services<typeof port>> =>
  Effect.flatMap(port, (at) =>
    Effect.promise(
      () =>
        new Promise<Got>((resolve, reject) => {
          const request = httpRequest(
            {
              host: "127.0.0.1",
              port: at,
              path: target,
              method,
              headers: { host: "kanmon.example", ...headers },
              agent: false
            },
            (response) => {
              const head = new Headers()
              for (const [name, value] of Object.entries(response.headersDistinct))
                for (const each of value ?? []) head.append(name, each)
              let text = ""
              const done = () => resolve({ status: response.statusCode!, headers: head, text })
              if ((head.get("content-type") ?? "").startsWith("text/event-stream")) {
                done()
                return void request.destroy()
              }
              response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
              response.on("end", done)
            }
          )
          request.on("error", reject)
          request.end(body)
        })
    )
  )

/** Whatever in an answer leads out of the installation, though it is on its host. */
const strays = ({ headers, text }: Pick<Got, "headers" | "text">): ReadonlyArray<string> => {
  const isOurs = (address: string): boolean => {
    if (!URL.canParse(address, origin)) return true
    const url = new URL(address, origin)
    return url.origin !== origin || url.pathname === path || url.pathname.startsWith(`${path}/`)
  }
  const location = headers.get("location")
  const isPage = (headers.get("content-type") ?? "").includes("html")
  return [
    ...(location === null ? [] : [location]),
    ...[...(headers.get("link") ?? "").matchAll(/<([^>]*)>/g)].map(([, to]) => to!),
    ...[...text.matchAll(/https?:\/\/kanmon\.example[^\s"'<>\\)]*/g)].map(([to]) => to),
    ...(isPage ? [...text.matchAll(/\s(?:href|src|action)="(\/[^"]*)"/g)].map(([, to]) => to!) : [])
    // Not where a browser would look: the origin of a request is one without a path.
  ].filter((to) => to !== origin && !isOurs(to.replaceAll("&amp;", "&")))
}

/** Cookies that another installation on the host would overwrite or receive. */
const sharedCookies = ({ headers }: Pick<Got, "headers">): ReadonlyArray<string> =>
  headers
    .getSetCookie()
    .filter((cookie) => !/^kanmon--team_2fkanmon[.-]/.test(cookie) || !/; Path=\/team\/kanmon(;|$)/i.test(cookie))

const whole = Layer.unwrap(
  Effect.map(MailWorld.start(), (mail) =>
    withProvider({}, { ...options, operator: new Map([["email", mail.settings!]]) }).pipe(
      Layer.merge(Layer.succeed(Mails, mail))
    )
  )
)

layer(whole, live)("an installation below a path", (it) => {
  it.effect("answers every route of the contract there alone, and leads nowhere else", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET is_admin = true WHERE id = ${ada.userId}`
      const [organization] = (yield* ada.withSession("GET", "/organizations")).body as [{ readonly id: string }]
      const made = (route: string, body: object) =>
        Effect.map(ada.withKey("POST", route, body), (answer) => {
          assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
          return answer.body as { readonly id: string; readonly heartbeatUrl?: string }
        })
      const monitor = yield* made("/monitors", shop)
      yield* made("/monitors", { ...shop, name: "Another" })
      const job = yield* made("/monitors", { name: "Job", type: "heartbeat", interval: 60 })
      const page = yield* made("/status-pages", { name: "Acme", slug: "acme", monitorIds: [monitor.id] })
      const channel = yield* made("/notification-channels", {
        name: "Mail",
        type: "email",
        config: { address: "team@example.org" }
      })
      const incident = yield* made("/incidents", {
        title: "Slow",
        status: "investigating",
        message: "We look into it",
        monitorIds: [monitor.id]
      })
      const ids: Readonly<Record<string, string>> = {
        organizationId: organization.id,
        monitorId: monitor.id,
        projectId: ada.projectId,
        userId: ada.userId,
        channelId: channel.id,
        statusPageId: page.id,
        incidentId: incident.id,
        slug: "acme",
        token: job.heartbeatUrl!.split("/").at(-1)!,
        badge: "status.svg",
        connection: "installation"
      }
      const document = JSON.parse((yield* get(`${path}/api/v1/openapi.json`)).text)
      assert.strictEqual(document.servers[0].url, base)
      const operations = Object.entries<Record<string, any>>(document.paths)
        .flatMap(([route, methods]) =>
          Object.entries(methods)
            .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
            .map(([method, operation]) => ({ route, method: method.toUpperCase(), operation }))
        )
        // What ends or deletes comes last.
        .toSorted((one, other) => order(one) - order(other))
      assert.isAbove(operations.length, 200)
      const found: Array<string> = []
      for (const { method, operation, route } of operations) {
        const target = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `${name}_x`)
        const example = operation["requestBody"]?.content?.["application/json"]?.example
        const body = example === undefined ? undefined : JSON.stringify(example)
        const headers = {
          accept: route === "/" || route.startsWith("/status/") ? "text/html, */*" : "application/json, */*",
          cookie: ada.cookie,
          "kanmon-project": ada.projectId,
          ...(body === undefined ? {} : { "content-type": "application/json", origin })
        }
        const name = `${method} ${target}`
        const answer = yield* get(`${path}${target}`, headers, method, body)
        if (answer.status >= 500 && answer.status !== 503) found.push(`${name}: ${answer.status}`)
        if (answer.text.includes("is served below")) found.push(`${name}: not served below the path`)
        found.push(...[...strays(answer), ...sharedCookies(answer)].map((stray) => `${name}: ${stray}`))
        const outside = yield* get(target, headers, method, body)
        const isRooted = /^\/(?:api\/v1\/health|\.well-known\/)/.test(target)
        if (!isRooted && !(outside.status === 404 && outside.text.includes("is served below")))
          found.push(`${name}: answers outside the path with ${outside.status}`)
      }
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("shows its status page in every form, and at the root of its own host", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", shop)
      const page = yield* ada.withKey("POST", "/status-pages", { name: "Shop", slug: "till", monitorIds: [monitor.id] })
      assert.strictEqual(page.status, 201, JSON.stringify(page.body))
      const below = yield* get(`${path}/status/till`)
      assert.strictEqual(below.status, 200)
      const hosted = yield* get("/", { host: "till.pages.example" })
      assert.strictEqual(hosted.status, 200)
      const addresses = ({ text }: Got) => [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, to]) => to!)
      assert.isAbove(addresses(below).length, 5)
      for (const address of addresses(below)) {
        assert.isTrue(address.startsWith(`${path}/`), address)
        assert.strictEqual((yield* get(address)).status, 200, address)
      }
      for (const address of addresses(hosted)) {
        assert.isFalse(address.startsWith(path), address)
        assert.strictEqual((yield* get(address, { host: "till.pages.example" })).status, 200, address)
      }
      const misplaced = yield* get(`${path}/`, { host: "till.pages.example" })
      assert.strictEqual(misplaced.status, 404)

      const draft = { name: "Shop", slug: "till", monitorIds: [monitor.id] }
      const preview = (yield* ada.withKey("POST", "/status-pages/preview", draft)).body.html as string
      const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(preview)!
      assert.strictEqual((yield* get(style)).status, 200, style)
    })
  )

  it.effect("tells requests outside what to do, and its health to whoever asks", () =>
    Effect.gen(function* () {
      const json = yield* get("/api/v1/monitors")
      assert.deepInclude(JSON.parse(json.text), { status: 404, code: "not_found" })
      assert.include(json.text, base)
      const page = yield* get("/", { accept: "text/html" })
      assert.strictEqual(page.status, 404)
      assert.include(page.text, `href="${base}/"`)
      for (const route of ["/api/v1/health", "/api/v1/health/live"])
        assert.strictEqual((yield* get(route)).status, (yield* get(`${path}${route}`)).status)
      for (const near of [`${path}x/api/v1/health`, "/team", "/Team/Kanmon/", `${path}${path}/api/v1/health`])
        assert.strictEqual((yield* get(near)).status, 404, near)
    })
  )

  it.effect("takes a path that its proxy removed, when the proxy says so", () =>
    Effect.gen(function* () {
      const removed = { "x-forwarded-prefix": path }
      assert.strictEqual((yield* get("/api/v1/openapi.json", removed)).status, 200)
      assert.strictEqual((yield* get("/metrics", removed)).status, 200)
      // It was removed once: this is /team/kanmon/team/kanmon/metrics of a visitor, past a rule of the proxy for /team/kanmon/metrics.
      assert.strictEqual((yield* get(`${path}/metrics`, removed)).status, 404)
      for (const other of ["/", "/team", `${path}x`, `${path}, /other`])
        assert.strictEqual((yield* get("/metrics", { "x-forwarded-prefix": other })).status, 404, other)
    })
  )

  it.effect("sends links that lead back to it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const visitor = yield* Effect.map(port, (at) => SignOnBrowser.make({ [origin]: `http://127.0.0.1:${at}` }))
      yield* verify(ada)
      yield* call("POST", "/auth/request-password-reset", { email: ada.email })
      const [organization] = (yield* ada.withSession("GET", "/organizations")).body as [{ readonly id: string }]
      const invited = yield* ada.withSession("POST", `/organizations/${organization.id}/invitations`, {
        email: "invited@example.org",
        role: "viewer"
      })
      assert.isBelow(invited.status, 300, JSON.stringify(invited.body))
      const mails = [
        yield* mailTo(ada.email, { subject: /verify/i }),
        yield* mailTo(ada.email, { subject: /password/i }),
        yield* mailTo("invited@example.org")
      ]
      for (const { parsed } of mails) {
        const texts = `${parsed.text}\n${String(parsed.html)}`
        const links = [...texts.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => link.replaceAll("&amp;", "&"))
        assert.isNotEmpty(links, parsed.subject)
        for (const link of links) {
          assert.isTrue(link.startsWith(`${base}/`), link)
          const opened = yield* Effect.promise(() => visitor.open(link))
          assert.notStrictEqual(opened.status, 404, link)
          assert.notInclude(opened.text, "is served below")
        }
      }
      const started = yield* call("POST", "/auth/device/code", { client_id: "kanmon-cli" })
      assert.strictEqual(started.body.verification_uri, `${base}/device`)
    })
  )

  it.effect("leads through an identity provider and back", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ sub: "eve-1", email: "eve@work.example", email_verified: true, name: "Eve", groups: [] })
      const visitor = yield* Effect.map(port, (at) => SignOnBrowser.make({ [origin]: `http://127.0.0.1:${at}` }))
      for (const [callbackURL, arrival] of [
        ["/monitors", `${base}/monitors`],
        [`${base}/monitors?a=b`, `${base}/monitors?a=b`]
      ] as const) {
        const begun = yield* Effect.promise(() => visitor.postJson(`${base}/api/v1/auth/sign-in/sso`, { callbackURL }))
        assert.deepStrictEqual([...strays(begun), ...sharedCookies(begun)], [])
        const arrived = yield* Effect.promise(() =>
          visitor.open(JSON.parse(begun.text).url, { stopAt: `${base}/monitors` })
        )
        assert.strictEqual(arrived.url.href, arrival, arrived.text)
        assert.deepStrictEqual(sharedCookies(arrived), [])
      }
      const session = yield* Effect.promise(() => visitor.open(`${base}/api/v1/auth/get-session`))
      assert.include(session.text, "eve@work.example")
      const elsewhere = yield* Effect.promise(() =>
        visitor.postJson(`${base}/api/v1/auth/sign-in/sso`, { callbackURL: `${origin}/other` })
      )
      assert.strictEqual(elsewhere.status, 422)
    })
  )
})

/** Reads before writes, sessions that end and accounts that go last. */
const order = ({ method, route }: { readonly method: string; readonly route: string }): number => {
  if (/sign-out|delete-user|revoke|impersonate|\/account/.test(route) && method !== "GET") return 4
  return { GET: 0, POST: 1, PUT: 1, PATCH: 2 }[method] ?? 3
}

layer(server({ baseUrl: "https://kanmon.example/team/kanmon" }), live)("behind https below a path", (it) => {
  it.effect("names its cookies by the path, which `__Host-` does not let them have", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const signedIn = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password })
      for (const cookie of signedIn.headers.getSetCookie())
        assert.match(cookie, /^__Host-kanmon--team_2fkanmon\.\w+=.*; Path=\/(;|$)/)
      const others = "__Host-kanmon.session_token=a.b; __Host-kanmon--team_2fother.session_token=a.b"
      const cookie = `${others}; ${cookieOf(signedIn)}`
      assert.strictEqual((yield* call("GET", "/projects", undefined, { cookie })).status, 200)
      const out = yield* call("POST", "/auth/sign-out", {}, { cookie })
      for (const ended of out.headers.getSetCookie()) assert.match(ended, /^__Host-kanmon--team_2fkanmon\./)
    })
  )

  it.effect("believes no proxy that it was not told to trust", () =>
    Effect.gen(function* () {
      const removed = { "x-forwarded-prefix": "/team/kanmon" }
      assert.strictEqual((yield* get("/metrics", removed)).status, 404)
      assert.strictEqual((yield* get("/team/kanmon/metrics", removed)).status, 200)
    })
  )
})
