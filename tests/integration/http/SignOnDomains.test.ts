/** Domains of single sign-on: proven by a TXT record in a real DNS, and never taken from whoever proves them still. */
import { assert, layer } from "@effect/vitest"
import { dns } from "@kanmon/testkit/DnsTarget"
import { Context, Effect, Layer } from "effect"
import { layer as server, person, refused } from "./Server.ts"
import { browser, signIn } from "./SignOnStage.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "60 seconds" } as const

/** The TXT records and addresses of the world. */
class World extends Context.Service<
  World,
  { readonly server: string; readonly texts: Map<string, ReadonlyArray<string>>; readonly hosts: Map<string, string> }
>()("@kanmon/tests/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const texts = new Map<string, ReadonlyArray<string>>()
      const hosts = new Map<string, string>()
      const { server } = yield* dns((name, type) => {
        const host = hosts.get(name)
        const found = type === "TXT" ? (texts.get(name) ?? []) : type === "A" && host !== undefined ? [host] : []
        return found.length === 0
          ? "nxdomain"
          : found.map((data) => ({ name, type: type as "TXT" | "A", ttl: 1, data }))
      })
      return World.of({ server, texts, hosts })
    })
  )
}

const withDns = (options: Parameters<typeof server>[0] = {}) =>
  Layer.unwrap(Effect.map(World, (world) => server({ ...options, resolver: world.server }))).pipe(
    Layer.provideMerge(World.layer)
  )

const owning = Effect.gen(function* () {
  const owner = yield* person
  const route = `/organizations/${yield* organizationOf(owner)}/sso`
  const claim = (domain: string) =>
    Effect.map(owner.withSession("POST", `${route}/domains`, { domain }), ({ body }) => body.record)
  const verify = (domain: string) => owner.withSession("POST", `${route}/domains/${domain}/verify`)
  const isProven = (domain: string) =>
    Effect.map(owner.withSession("GET", route), ({ body }) =>
      body.domains.some((one: any) => one.domain === domain && one.verifiedAt !== null)
    )
  return { owner, route, claim, verify, isProven }
})

layer(withDns(), live)("a domain of single sign-on", (it) => {
  it.effect("is proven by its TXT record, and by that of nobody else", () =>
    Effect.gen(function* () {
      const { texts } = yield* World
      const [ada, mallory] = [yield* owning, yield* owning]
      const record = yield* ada.claim("acme.example")
      const theirs = yield* mallory.claim("acme.example")
      assert.strictEqual(record.name, "_kanmon-sso.acme.example")
      assert.notStrictEqual(record.value, theirs.value)
      refused(yield* ada.verify("acme.example"), 422, "validation_failed", "domain")
      texts.set(record.name, ["kanmon-sso=something-else"])
      refused(yield* ada.verify("acme.example"), 422, "validation_failed", "domain")
      texts.set(record.name, [record.value])
      // The record of another organization proves nothing.
      refused(yield* mallory.verify("acme.example"), 422, "validation_failed", "domain")
      assert.isString((yield* ada.verify("acme.example")).body.verifiedAt)
      assert.isTrue(yield* ada.isProven("acme.example"))
      assert.isFalse(yield* mallory.isProven("acme.example"))
      refused(yield* mallory.verify("other.example"), 404, "not_found")
    })
  )

  it.effect("stays with whoever proves it still, and goes with the record", () =>
    Effect.gen(function* () {
      const { texts } = yield* World
      const [ada, ben] = [yield* owning, yield* owning]
      const [first, second] = [yield* ada.claim("moved.example"), yield* ben.claim("moved.example")]
      texts.set(first.name, [first.value])
      assert.strictEqual((yield* ada.verify("moved.example")).status, 200)
      // Both records are there: the domain is the first one's.
      texts.set(first.name, [second.value, first.value])
      refused(yield* ben.verify("moved.example"), 409, "conflict")
      assert.isTrue(yield* ada.isProven("moved.example"))
      texts.set(second.name, [second.value])
      assert.strictEqual((yield* ben.verify("moved.example")).status, 200)
      assert.isFalse(yield* ada.isProven("moved.example"))
      assert.isTrue(yield* ben.isProven("moved.example"))
    })
  )
})

layer(withDns({ allowPrivateProviders: false }), live)("the identity provider of an organization", (it) => {
  it.effect("is nothing in the operator's network, by its address or by its name", () =>
    Effect.gen(function* () {
      const { hosts } = yield* World
      const { owner, route } = yield* owning
      const settings = (issuer: string) => ({
        protocol: "oidc",
        enabled: true,
        enforced: false,
        roles: [],
        defaultRole: "viewer",
        issuer,
        clientId: "kanmon",
        scopes: [],
        groupsClaim: "groups"
      })
      refused(
        yield* owner.withSession("PUT", route, settings("http://login.example")),
        422,
        "validation_failed",
        "issuer"
      )
      hosts.set("inside.example", "10.0.0.7")
      hosts.set("loop.example", "127.0.0.1")
      for (const issuer of [
        "https://127.0.0.1",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://169.254.169.254/latest",
        "https://192.168.1.1",
        "https://2130706433",
        "https://inside.example",
        "https://loop.example"
      ]) {
        assert.strictEqual((yield* owner.withSession("PUT", route, settings(issuer))).status, 200, issuer)
        const organization = route.split("/")[2]
        const landed = yield* Effect.flatMap(browser, (visitor) =>
          signIn(visitor, { organization, callbackURL: "/monitors" })
        ).pipe(Effect.exit)
        if (landed._tag === "Success") assert.notStrictEqual(landed.value.url.pathname, "/monitors", issuer)
        const { body } = yield* owner.withSession("POST", `${route}/test`)
        const visitor = yield* browser
        const shown = yield* Effect.promise(() => visitor.open(body.url))
        assert.isAtLeast(shown.status, 400, issuer)
        assert.match(shown.text, /not allowed|private|network/i, `${issuer}: ${shown.text}`)
      }
    })
  )
})
