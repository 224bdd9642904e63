/** Certificates and domains are watched without any configuration: the rule that every project has tells of them. */
import * as fs from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as DnsTarget from "@kanmon/testkit/DnsTarget"
import { certificates, type ServerCertificate } from "@kanmon/testkit/Certificates"
import { Effect, type Scope } from "effect"
import { checkNow } from "../support/Checks.ts"
import * as LocalDns from "../support/LocalDns.ts"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"

/** A web server with TLS whose certificate can be changed while it runs. */
const secureTarget = (first: ServerCertificate) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer({ ...first }, (_request, response) => void response.end("well"))
        await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
        return server
      }),
      (server) => Effect.sync(() => void server.close())
    ),
    (server) => ({
      url: `https://localhost:${(server.address() as AddressInfo).port}/`,
      show: (certificate: ServerCertificate) => server.setSecureContext({ ...certificate })
    })
  )

const dayMillis = 86_400_000

/** A registry that tells when each domain ends, in days from now, and the file that names it. */
const registry = (
  days: Record<string, number>
): Effect.Effect<{ url: string; asked: Array<string> }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<string> = []
      const server = createHttpServer((request, response) => {
        const { port } = server.address() as AddressInfo
        const name = /^\/rdap\/domain\/(.+)$/.exec(request.url ?? "")?.[1]
        response.setHeader("content-type", "application/rdap+json")
        if (request.url === "/dns.json") {
          return void response.end(
            JSON.stringify({ version: "1.0", services: [[["com", "net"], [`http://127.0.0.1:${port}/rdap/`]]] })
          )
        }
        if (name === undefined || days[name] === undefined) {
          response.statusCode = 404
          return void response.end("{}")
        }
        asked.push(name)
        const ends = new Date(Date.now() + days[name] * dayMillis).toISOString()
        response.end(
          JSON.stringify({
            objectClassName: "domain",
            ldhName: name,
            events: [{ eventAction: "expiration", eventDate: ends }],
            entities: [{ roles: ["registrar"], vcardArray: ["vcard", [["fn", {}, "text", "Example Registrar, Inc."]]] }]
          })
        )
      })
      await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
      const { port } = server.address() as AddressInfo
      return { url: `http://127.0.0.1:${port}/dns.json`, asked, close: () => void server.close() }
    }),
    ({ close }) => Effect.sync(close)
  )

describe("an expiring certificate or domain", () => {
  it.live("triggers the default rule", () =>
    Effect.gen(function* () {
      const known = yield* certificates
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-ca-"))),
        (made) => Effect.promise(() => fs.rm(made, { recursive: true }))
      )
      const ca = path.join(folder, "root.pem")
      yield* Effect.promise(() => fs.writeFile(ca, known.root))
      const target = yield* secureTarget(known.good)
      const rdap = yield* registry({ "example.com": 12.5, "example.net": 300 })
      const receiver = yield* Receiver.make
      const dns = yield* DnsTarget.dns(LocalDns.zone)
      const product = yield* make({
        withoutNats: true,
        env: { NODE_EXTRA_CA_CERTS: ca, RDAP_BOOTSTRAP_URL: rdap.url, KANMON_DNS_RESOLVER: dns.server }
      })
      yield* product.healthy
      const ada = yield* product.signUp
      const [rule] = (yield* ada.call("GET", "/alert-rules")).body
      assert.include(rule.triggers, "ssl_expiring")
      yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url }
      })
      const watch = (name: string, url: string) =>
        Effect.map(ada.call("POST", "/monitors", { name, type: "http", url, interval: 3600 }), ({ body }) => body.id)
      const look = (id: string) => Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
      const heard = Effect.sync(() => receiver.received.map(({ body }) => `${body.event} ${body.monitor.name}`))

      const site = yield* watch("site", target.url)
      const shop = yield* watch("shop", "https://www.example.com/")
      const beside = yield* watch("beside", "https://api.example.com/v1")
      const fine = yield* watch("fine", "https://example.net/")
      const odd = yield* watch("odd", "https://www.example.org/")

      const good = yield* eventually(look(site), ({ certificate }) => certificate !== null)
      assert.strictEqual(good.status, "up")
      assert.deepInclude(good.certificate, { valid: true, problem: null, daysLeft: 89 })
      assert.match(good.certificate.subject, /site\.example/)
      assert.strictEqual(good.domain, null)

      const told = yield* eventually(look(shop), ({ domain }) => domain?.expiresAt != null)
      assert.deepInclude(told.domain, {
        name: "example.com",
        daysLeft: 12,
        registrar: "Example Registrar, Inc.",
        problem: null
      })
      yield* eventually(heard, (all) => all.includes("domain_expiring shop") && all.includes("domain_expiring beside"))
      assert.strictEqual((yield* look(beside)).domain.name, "example.com")
      const asked = yield* eventually(look(fine), ({ domain }) => domain?.expiresAt != null)
      assert.strictEqual(asked.domain.daysLeft, 299)
      const unasked = yield* eventually(look(odd), ({ domain }) => domain?.problem != null)
      assert.match(unasked.domain.problem, /^Unsupported/)
      // Two monitors, one question.
      assert.deepStrictEqual([...rdap.asked].sort(), ["example.com", "example.net"])

      target.show(known.expiring)
      yield* checkNow(ada, site)
      yield* eventually(heard, (all) => all.includes("ssl_expiring site"))
      assert.deepInclude((yield* look(site)).certificate, { valid: true, daysLeft: 4 })
      target.show(known.wrongName)
      yield* checkNow(ada, site)
      yield* eventually(heard, (all) => all.includes("ssl_invalid site"))
      const wrong = yield* look(site)
      assert.deepInclude(wrong.certificate, { valid: false, problem: "The certificate does not name this host" })
      target.show(known.expired)
      yield* checkNow(ada, site)
      yield* eventually(heard, (all) => all.includes("ssl_expired site"))
      target.show(known.good)
      yield* checkNow(ada, site)
      const history = yield* eventually(
        Effect.map(ada.call("GET", "/alert-history"), ({ body }) => body as ReadonlyArray<any>),
        (all) => all.filter(({ monitorId, resolvedAt }) => monitorId === site && resolvedAt !== null).length === 3
      )
      // One alert for each certificate, and the end of each.
      const events = yield* eventually(
        heard,
        (all) => all.filter((event) => event === "ssl_resolved site").length === 3
      )
      assert.deepStrictEqual([...events].sort(), [
        "domain_expiring beside",
        "domain_expiring shop",
        "ssl_expired site",
        "ssl_expiring site",
        "ssl_invalid site",
        "ssl_resolved site",
        "ssl_resolved site",
        "ssl_resolved site"
      ])
      assert.strictEqual(history.length, 5)
      // The names are reserved (RFC 2606), and asked of the name server on loopback alone.
      for (const name of ["www.example.com", "api.example.com", "example.net", "www.example.org"])
        assert.include(dns.questions, `A ${name}`)
    }).pipe(Effect.scoped)
  )
})
