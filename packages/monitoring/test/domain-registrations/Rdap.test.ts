import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { parseRegistration, Rdap, registrableDomain } from "../../src/domain-registrations/Rdap.ts"

const expiration = "2027-08-13T04:00:00Z"

/** As registries of generic top-level domains answer. */
const registered = (name: string) => ({
  objectClassName: "domain",
  handle: "2336799_DOMAIN_COM-VRSN",
  ldhName: name.toUpperCase(),
  links: [{ value: `https://rdap.example/${name}`, rel: "self", type: "application/rdap+json" }],
  status: ["client delete prohibited", "client transfer prohibited"],
  entities: [
    { objectClassName: "entity", handle: "1", roles: ["registrant"], remarks: [{ title: "REDACTED FOR PRIVACY" }] },
    {
      objectClassName: "entity",
      handle: "376",
      roles: ["registrar"],
      publicIds: [{ type: "IANA Registrar ID", identifier: "376" }],
      vcardArray: [
        "vcard",
        [
          ["version", {}, "text", "4.0"],
          ["fn", {}, "text", "Example Registrar, Inc."],
          ["adr", {}, "text", ["", "", "", "", "", "", ""]]
        ]
      ],
      entities: [
        {
          objectClassName: "entity",
          roles: ["abuse"],
          vcardArray: ["vcard", [["fn", {}, "text", "Abuse desk"]]]
        }
      ]
    }
  ],
  events: [
    { eventAction: "registration", eventDate: "1995-08-14T04:00:00Z" },
    { eventAction: "registrar expiration", eventDate: "2026-08-13T04:00:00Z" },
    { eventAction: "expiration", eventDate: expiration },
    { eventAction: "last update of RDAP database", eventDate: "2026-11-20T20:59:00Z" }
  ],
  secureDNS: { delegationSigned: true },
  nameservers: [{ objectClassName: "nameserver", ldhName: "A.IANA-SERVERS.NET" }],
  rdapConformance: ["rdap_level_0", "icann_rdap_technical_implementation_guide_1"],
  notices: [{ title: "Terms of Use", description: ["No automated queries."] }]
})

describe("parseRegistration", () => {
  it("reads the date and the registrar of a registry's answer", () => {
    assert.deepStrictEqual(parseRegistration(registered("example.com")), {
      expiresAt: Date.parse(expiration),
      registrar: "Example Registrar, Inc."
    })
  })

  it("does not know a date that is not published, and takes odd entries for none", () => {
    const without = { ...registered("example.com"), events: [null, { eventAction: "registration" }, 7] }
    assert.deepStrictEqual(parseRegistration(without), { expiresAt: null, registrar: "Example Registrar, Inc." })
    const odd = {
      events: [{ eventAction: "expiration", eventDate: "next year" }],
      entities: [
        { roles: ["registrar"], vcardArray: ["vcard", [["fn", {}, "text", ""], ["org", {}, "text", "Org\u202E"], [1]]] }
      ]
    }
    assert.deepStrictEqual(parseRegistration(odd), { expiresAt: null, registrar: "Org" })
    assert.deepStrictEqual(parseRegistration({ events: [] }), { expiresAt: null, registrar: null })
  })

  it("takes a date without a zone as UTC, and of two dates the earlier", () => {
    const at = (...dates: ReadonlyArray<string>) =>
      parseRegistration({ events: dates.map((eventDate) => ({ eventAction: "Expiration", eventDate })) })?.expiresAt
    assert.strictEqual(at("2027-05-01T00:00:00"), Date.parse("2027-05-01T00:00:00Z"))
    assert.strictEqual(at("2027-05-01"), Date.parse("2027-05-01T00:00:00Z"))
    assert.strictEqual(at("2027-05-01T02:00:00.5+02:00"), Date.parse("2027-05-01T00:00:00.5Z"))
    assert.strictEqual(at("2028-05-01T00:00:00Z", "2027-05-01T00:00:00Z"), Date.parse("2027-05-01T00:00:00Z"))
  })

  it("is not fooled by something else", () => {
    for (const json of [undefined, null, 7, "text", [], {}, { errorCode: 500, events: [] }, { events: "soon" }])
      assert.isUndefined(parseRegistration(json), JSON.stringify(json))
  })
})

describe("registrableDomain", () => {
  it("is the name that is paid for", () => {
    for (const [host, domain] of [
      ["example.com", "example.com"],
      ["a.b.example.co.uk", "example.co.uk"],
      ["WWW.Example.COM.", "example.com"],
      ["www.bücher.de", "xn--bcher-kva.de"],
      ["_dmarc.example.org", "example.org"]
    ] as const)
      assert.strictEqual(registrableDomain(host), domain)
  })

  it("does not exist for addresses, suffixes, private suffixes and names of no public kind", () => {
    for (const host of [
      "192.0.2.1",
      "2001:db8::1",
      "::ffff:192.0.2.1",
      "0x7f.1",
      "com",
      "co.uk",
      "github.io",
      "shop.github.io",
      "localhost",
      "db.internal",
      "shop.example.test",
      "",
      "a b.com"
    ])
      assert.isUndefined(registrableDomain(host), host)
  })
})

interface Registry {
  /** Paths that were asked for. */
  readonly asked: ReadonlyArray<string>
  readonly url: string
}

type RdapResponder = (path: string, request: IncomingMessage, response: ServerResponse) => void

/** Serves a bootstrap file at /dns.json, and registries below /com/ and /uk/, until the scope closes. */
const registry = (answer: RdapResponder, bootstrap: () => unknown = () => undefined) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      const path = request.url ?? ""
      asked.push(path)
      return path === "/dns.json" ? send(response, bootstrap() ?? own) : answer(path, request, response)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const own = {
      version: "1.0",
      publication: "2026-11-18T20:00:01Z",
      services: [
        [["com", "net"], [`${address}/com/v1/`]],
        [["uk"], ["ftp://127.0.0.1/", `${address}/uk`]],
        [["co.uk"], [`${address}/co.uk/`]]
      ]
    }
    return { url: `${address}/dns.json`, asked }
  })

const send = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/rdap+json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const well: RdapResponder = (path, _request, response) => send(response, registered(nameIn(path)))

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provide(NodeResolver.layer(policy)))

const using = <A, E>({ url }: Registry, body: (rdap: Rdap["Service"]) => Effect.Effect<A, E>) =>
  Rdap.pipe(Effect.flatMap(body), Effect.provide(Rdap.layer({ bootstrapUrl: url }).pipe(Layer.provide(network))))

const failure = (answer: RdapResponder, domain = "example.com") =>
  Effect.gen(function* () {
    const there = yield* registry(answer)
    return yield* Effect.flip(using(there, (rdap) => rdap.lookup(domain)))
  })

describe("lookup", () => {
  it.live("asks the server of the longest suffix", () =>
    Effect.gen(function* () {
      const there = yield* registry(well)
      const found = yield* using(there, (rdap) =>
        Effect.all([rdap.lookup("example.com"), rdap.lookup("example.uk"), rdap.lookup("example.co.uk")])
      )
      assert.deepStrictEqual(there.asked, [
        "/dns.json",
        "/com/v1/domain/example.com",
        "/uk/domain/example.uk",
        "/co.uk/domain/example.co.uk"
      ])
      for (const { expiresAt } of found) assert.strictEqual(expiresAt, Date.parse(expiration))
    })
  )

  it.live("says what it cannot tell, and why", () =>
    Effect.gen(function* () {
      const status =
        (code: number, body: unknown = ""): RdapResponder =>
        (_path, _request, response) =>
          send(response, body, code)
      assert.strictEqual((yield* failure(well, "example.io"))._tag, "Unsupported")
      assert.strictEqual((yield* failure(status(404)))._tag, "NotRegistered")
      assert.strictEqual((yield* failure(status(404, { errorCode: 404, title: "Not found" })))._tag, "NotRegistered")
      for (const [answer, words] of [
        [status(500), "HTTP 500"],
        [status(501), "HTTP 501"],
        [status(503), "HTTP 503"],
        [status(200, "<html>"), "something else than RDAP"],
        [status(200, "[]"), "something else than RDAP"],
        [(_path, request) => void request.socket.destroy(), "closed the connection"]
      ] as ReadonlyArray<readonly [RdapResponder, string]>) {
        const failed = yield* failure(answer)
        assert.strictEqual(failed._tag, "Failed")
        if (failed._tag === "Failed") assert.include(failed.detail, words)
      }
    })
  )

  it.live("follows three redirects and no fourth, and none to where it may not go", () =>
    Effect.gen(function* () {
      const hops =
        (count: number): RdapResponder =>
        (path, _request, response) => {
          const hop = /^\/hop\/(\d)\//.exec(path)
          const number = hop === null ? 0 : Number(hop[1])
          if (number === count) return send(response, registered("example.com"))
          return send(response, "", 302, { location: `/hop/${number + 1}/domain/example.com` })
        }
      const there = yield* registry(hops(3))
      assert.strictEqual(
        (yield* using(there, (rdap) => rdap.lookup("example.com"))).registrar,
        "Example Registrar, Inc."
      )
      assert.strictEqual(there.asked.at(-1), "/hop/3/domain/example.com")
      const to =
        (location: string): RdapResponder =>
        (_path, _request, response) =>
          send(response, "", 301, { location })
      for (const [answer, words] of [
        [hops(4), "redirects more than 3 times"],
        [to("ftp://127.0.0.1/"), "not followed"],
        [to("file:///etc/passwd"), "not followed"],
        [to("http://["), "not followed"],
        // The policy of these tests lets private addresses through, and never this one.
        [to("http://0.0.0.0/"), "may not be checked"]
      ] as ReadonlyArray<readonly [RdapResponder, string]>) {
        const failed = yield* failure(answer)
        assert.strictEqual(failed._tag, "Failed")
        if (failed._tag === "Failed") assert.include(failed.detail, words)
      }
    })
  )

  it.effect("leaves a server alone for as long as it asks", () =>
    Effect.gen(function* () {
      let busy = true
      const there = yield* registry((path, request, response) =>
        busy ? send(response, "", 429, { "retry-after": "120" }) : well(path, request, response)
      )
      yield* using(there, (rdap) =>
        Effect.gen(function* () {
          const first = yield* Effect.flip(rdap.lookup("example.com"))
          assert.deepInclude(first, { _tag: "Throttled", retryAfter: 120 })
          busy = false
          yield* TestClock.adjust("50 seconds")
          const second = yield* Effect.flip(rdap.lookup("example.net"))
          assert.deepInclude(second, { _tag: "Throttled", retryAfter: 70 })
          assert.strictEqual(there.asked.length, 2, "it was asked although it wants to be left alone")
          yield* TestClock.adjust("70 seconds")
          assert.strictEqual((yield* rdap.lookup("example.net")).expiresAt, Date.parse(expiration))
        })
      )
    })
  )

  it.live("sends one request at a time to a server", () =>
    Effect.gen(function* () {
      let [now, most] = [0, 0]
      const there = yield* registry((path, request, response) => {
        most = Math.max(most, ++now)
        setTimeout(() => {
          now--
          well(path, request, response)
        }, 20)
      })
      const names = ["a.com", "b.com", "c.net", "d.com"]
      yield* using(there, (rdap) => Effect.forEach(names, rdap.lookup, { concurrency: "unbounded" }))
      assert.strictEqual(most, 1)
      assert.strictEqual(there.asked.filter((path) => path === "/dns.json").length, 1)
    })
  )

  it.effect("gives up on a server that says nothing", () =>
    Effect.gen(function* () {
      let asked = false
      const there = yield* registry(() => void (asked = true))
      yield* using(there, (rdap) =>
        Effect.gen(function* () {
          const lookup = yield* Effect.forkChild(Effect.flip(rdap.lookup("example.com")))
          yield* eventually(
            Effect.sync(() => asked),
            (value) => value
          )
          yield* TestClock.adjust("15 seconds")
          const failed = yield* Fiber.join(lookup)
          assert.strictEqual(failed._tag, "Failed")
          if (failed._tag === "Failed") assert.include(failed.detail, "did not answer within 15 seconds")
        })
      )
    })
  )

  it.effect("reads the list of servers once in seven days, and does with the old one when it has to", () =>
    Effect.gen(function* () {
      let bootstrap: unknown
      const there = yield* registry(well, () => bootstrap)
      const reads = () => there.asked.filter((path) => path === "/dns.json").length
      yield* using(there, (rdap) =>
        Effect.gen(function* () {
          yield* rdap.lookup("example.com")
          yield* TestClock.adjust("6 days")
          yield* rdap.lookup("example.com")
          assert.strictEqual(reads(), 1)
          yield* TestClock.adjust("1 day")
          bootstrap = "<html>out of order</html>"
          yield* rdap.lookup("example.com")
          yield* rdap.lookup("example.com")
          assert.strictEqual(reads(), 2)
          yield* TestClock.adjust("1 hour")
          bootstrap = { services: [] }
          const failed = yield* Effect.flip(rdap.lookup("example.com"))
          assert.strictEqual(failed._tag, "Unsupported")
          assert.strictEqual(reads(), 3)
        })
      )
    })
  )

  it.live("fails when there is no list, and asks for it again the next time", () =>
    Effect.gen(function* () {
      let bootstrap: unknown = "<html>"
      const there = yield* registry(well, () => bootstrap)
      yield* using(there, (rdap) =>
        Effect.gen(function* () {
          const failed = yield* Effect.flip(rdap.lookup("example.com"))
          assert.strictEqual(failed._tag, "Failed")
          bootstrap = undefined
          assert.isTrue(Option.isSome(yield* Effect.option(rdap.lookup("example.com"))))
        })
      )
    })
  )
})
