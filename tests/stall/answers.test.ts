/**
 * No answer of another server holds the event loop for long, whatever it contains: of targets, providers of channels, mail
 * servers, identity providers, registries of domains, and name servers. They answer from a thread of their own.
 */
import { createSign, generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import type { Check } from "@kanmon/core/Check"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { load } from "@kanmon/core/PluginHost"
import * as OpenIdConnect from "@kanmon/identity/testing/sso/protocols/OpenIdConnect.ts"
import * as ProviderFetch from "@kanmon/identity/testing/sso/protocols/ProviderFetch.ts"
import { Rdap } from "@kanmon/monitoring/testing/domain-registrations/Rdap.ts"
import { certificateFor, certificates } from "@kanmon/testkit/Certificates"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { notices } from "@kanmon/testkit/SampleNotices"
import { Effect, Layer, Redacted, Result } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import type { Answers } from "./Answerer.ts"
import {
  answer,
  conversations,
  documents,
  everywhere,
  frames,
  messages,
  ordinaryDialogue,
  type Named,
  upgrades
} from "./HostileAnswers.ts"
import { askedName, dnsMessages } from "./HostileDns.ts"
import { answerer, leadingTo, policy, resolver, slow } from "./Reading.ts"

const catalogue = load(bundled)

/** Runs checks of a type as the host does. */
const checking = (type: string, config: unknown, ca?: string) =>
  Effect.gen(function* () {
    const check: Check = (yield* catalogue).checks.get(type)!
    const prepared = Result.getOrThrow(check.prepare(config))
    const network = NodeDialer.layer({ ...policy, ...(ca === undefined ? {} : { ca: [ca] }) })
    const runner = CheckRunner.layer({ region: "test-lab", concurrency: 9, hostConcurrency: 9 }).pipe(
      Layer.provide([PatientEvaluator.layer, Layer.provideMerge(network, resolver)])
    )
    const context = yield* Layer.build(runner)
    return Effect.flatMap(CheckRunner, ({ run }) => run(prepared, 20_000, 20_000)).pipe(Effect.provide(context))
  })

/** Everything that a check makes of an answer. */
const rules = {
  bodyContains: "a word that is not there",
  headerAssertions: [
    { header: "x", operator: "contains", value: "abc" },
    { header: "x-any", operator: "greaterThan", value: 5 }
  ],
  jsonAssertions: [{ jsonPath: "$.a", operator: "equals", value: 1 }]
}

describe("the event loop", () => {
  it.live("is never held for long by a target over HTTP", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const run = yield* checking("http", { url: `http://127.0.0.1:${there.ports.http}/`, ...rules })
      const all = function* (): Generator<Named<Answers>> {
        for (const [name, wire] of messages(62_000, 1_040_000)) yield [name, everywhere(wire)]
        for (const [name, body] of documents(1_040_000, ["a"]))
          yield [`JSON, ${name}`, everywhere({ bytes: answer(body) })]
      }
      assert.deepStrictEqual(yield* slow(there, all(), run), [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a target over HTTP/2", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const { root } = yield* certificates
      const run = yield* checking("http", { url: `https://127.0.0.1:${there.ports.https}/`, ...rules }, root)
      const all = Array.from(frames(65_000), ([name, http2]): Named<Answers> => [name, { http2 }])
      assert.deepStrictEqual(yield* slow(there, all, run), [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a certificate of very many names", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const { root } = yield* certificates
      const run = yield* checking("http", { url: `https://127.0.0.1:${there.ports.https}/` }, root)
      const of = (count: number, name: (index: number) => string) =>
        certificateFor(...Array.from({ length: count }, (_, index) => name(index)))
      // OpenSSL refuses chains of more than 100 kB.
      const made: ReadonlyArray<Named<Effect.Effect<{ readonly key: string; readonly cert: string }>>> = [
        ["short names", of(7000, (index) => `a${index}`)],
        ["10,000 names", of(10_000, (index) => `a${index}`)],
        ["names with stars", of(5000, (index) => `*.a${index}.example`)],
        ["long names", of(390, (index) => `${"a.".repeat(100)}a${index}`)],
        ["addresses", of(9000, (index) => `192.0.${index >> 8}.${index & 255}`)],
        ["quoted names", of(4000, (index) => `a, b"${index}`)]
      ]
      const all: Array<Named<Answers>> = []
      for (const [name, make] of made)
        all.push([name, { ...everywhere({ bytes: answer("hello", "") }), certificate: yield* make }])
      assert.deepStrictEqual(yield* slow(there, all, run), [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a name server", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const found: Array<string> = []
      const byType = Map.groupBy(dnsMessages(), ([, [type]]) => type)
      for (const [recordType, some] of byType) {
        const expected = { expectedValues: ["192.0.2.1", "10.9.8.7"], match: "exactly", recordContains: "not there" }
        const run = yield* checking("dns", {
          hostname: askedName,
          recordType,
          resolver: `127.0.0.1:${there.ports.dns}`,
          ...(recordType === "A" ? expected : { recordContains: "not there" })
        })
        const all = some.map(([name, [, dns]]): Named<Answers> => [name, { dns }])
        found.push(...(yield* slow(there, all, run)))
      }
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a mail server", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const email = (yield* catalogue).channels.get("email")!
      const settings = { SMTP_URL: `smtp://127.0.0.1:${there.ports.smtp}`, SMTP_FROM: "alerts@kanmon.example" }
      const deliver = Result.getOrThrow(email.start({ address: "ops@example.com" }, settings)).pipe(
        Effect.flatMap((started) => started.deliver(notices.down)),
        Effect.scoped,
        // Some answers leave it waiting.
        Effect.timeout("2 seconds"),
        Effect.provide(leadingTo(there.ports.smtp))
      )
      // One after another: together they take a gigabyte.
      const all = function* (): Generator<Named<Answers>> {
        for (const [name, smtp] of conversations()) yield [name, { smtp }]
        for (const [name, smtp] of upgrades()) yield [name, { smtp }]
      }
      yield* there.say({ smtp: ordinaryDialogue.map((text) => ({ bytes: Buffer.from(text) })) })
      assert.include((yield* deliver).detail, "Queued")
      assert.deepStrictEqual(yield* slow(there, all(), deliver), [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a provider of a channel", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const network = leadingTo(there.ports.http)
      const twilio = {
        TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
        TWILIO_AUTH_TOKEN: "token",
        TWILIO_FROM: "+15005550006"
      }
      const found: Array<string> = []
      for (const [type, channel] of (yield* catalogue).channels) {
        if (type === "email") continue
        const settings = ["sms", "phone"].includes(type) ? twilio : {}
        const deliver = Result.getOrThrow(channel.start(channel.example, settings)).pipe(
          Effect.flatMap((started) => started.deliver(notices.down)),
          Effect.scoped,
          Effect.provide(network)
        )
        const names = ["message", "error", "errors", "description", "detail", "status", "sid", "request", "event_id"]
        const all = function* (): Generator<Named<Answers>> {
          for (const status of [200, 400, 429])
            for (const [name, body] of documents(65_000, names, { code: 20_429 }))
              yield [`${type}, ${status}, ${name}`, everywhere({ bytes: answer(body, "", status) })]
          // The same reader of HTTP for all.
          if (type !== "webhook") return
          for (const [name, wire] of messages(15_000, 70_000)) yield [`${type}, ${name}`, everywhere(wire)]
        }
        found.push(...(yield* slow(there, all(), deliver)))
      }
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by a registry of domains", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const [most, longList] = [260_000, 520_000]
      const lookup = Effect.flatMap(Rdap, (rdap) => rdap.lookup("shop.example")).pipe(
        Effect.provide(
          Rdap.layer({ bootstrapUrl: "http://registries.example/list" }).pipe(
            Layer.provide(leadingTo(there.ports.http))
          )
        )
      )
      const list = answer(JSON.stringify({ services: [[["example"], ["http://rdap.example/"]]] }))
      const fill = (item: (index: number) => string, length = most): string => {
        const items: Array<string> = []
        for (let left = length - 200; left > 0; left -= items.at(-1)!.length + 1) items.push(item(items.length))
        return `[${items.slice(0, -1).join(",")}]`
      }
      const event = (date: string): string => `{"eventAction":"expiration","eventDate":"${date}"}`
      const entity = (lines: string): string => `{"roles":["registrar"],"vcardArray":["vcard",${lines}]}`
      const domains = function* (): Generator<Named<string>> {
        yield* documents(most, ["events", "entities"])
        yield ["many events", `{"events":${fill(() => event("2027-01-01"))}}`]
        yield ["events of long dates", `{"events":${fill(() => event("1".repeat(60_000)))}}`]
        yield ["a date of blanks", `{"events":[${event(" ".repeat(most - 200))}]}`]
        yield ["a date of points", `{"events":[${event(`2027-01-01T${".1".repeat(most / 2 - 200)}x`)}]}`]
        yield ["many registrars", `{"entities":${fill(() => entity("[]"))}}`]
        yield ["many roles", `{"entities":[{"roles":${fill(() => '"a"')},"vcardArray":["vcard",[]]}]}`]
        yield ["many lines", `{"entities":[${entity(fill(() => '["fn",{},"text","a"]'))}]}`]
        yield ["many empty lines", `{"entities":[${entity(fill(() => '["fn",{},"text"," "]'))}]}`]
        yield ["a name of blanks", `{"entities":[${entity(`[["fn",{},"text","a${" ".repeat(most - 500)}b"]]`)}]}`]
        yield [
          "a name of line breaks",
          `{"entities":[${entity(`[["fn",{},"text","${"\\n ".repeat(most / 3 - 500)}b"]]`)}]}`
        ]
      }
      const lists = function* (): Generator<Named<string>> {
        yield* documents(longList, ["services"])
        yield ["many services", `{"services":${fill(() => '[["a"],["http://a/"]]', longList)}}`]
        yield ["many suffixes", `{"services":[[${fill((index) => `"a${index}"`, longList)},["http://a/"]]]}`]
        yield ["many addresses", `{"services":[[["a"],${fill(() => '"http://a/"', longList)}]]}`]
        yield ["a long address", `{"services":[[["a"],["http://a/${"../".repeat(longList / 3 - 200)}"]]]}`]
      }
      const all = function* (): Generator<Named<Answers>> {
        for (const [name, body] of domains())
          yield [
            name,
            {
              http: [
                ["/list", { bytes: list }],
                ["/", { bytes: answer(body) }]
              ]
            }
          ]
        for (const [name, body] of lists()) yield [`list, ${name}`, everywhere({ bytes: answer(body) })]
        for (const [name, wire] of messages(15_000, most))
          yield [
            name,
            {
              http: [
                ["/list", { bytes: list }],
                ["/", wire]
              ]
            }
          ]
      }
      const known = answer(`{"events":[${event("2027-01-01")}]}`)
      yield* there.say({
        http: [
          ["/list", { bytes: list }],
          ["/", { bytes: known }]
        ]
      })
      assert.strictEqual((yield* lookup).expiresAt, Date.parse("2027-01-01"))
      assert.deepStrictEqual(yield* slow(there, all(), lookup), [])
    }).pipe(Effect.scoped)
  )

  it.live("is never held for long by an identity provider", () =>
    Effect.gen(function* () {
      const there = yield* answerer
      const most = 260_000
      const issuer = "http://id.example"
      const connection = {
        id: "sso_1",
        version: "1",
        protocol: "oidc" as const,
        issuer,
        clientId: "kanmon",
        clientSecret: Redacted.make("a secret"),
        scopes: ["email"],
        groupsClaim: "groups"
      }
      const context = yield* Layer.build(leadingTo(there.ports.http))
      const fetch = ProviderFetch.make(
        connection as never,
        { send: (_connection, request) => Effect.provide(HttpRequest.send(request), context) },
        Effect.runPromise
      )
      const callback = new URL("http://kanmon.example/back?code=abc&state=state")
      const memory = { verifier: "v".repeat(43), nonce: "nonce" }
      const signIn = Effect.promise(() =>
        OpenIdConnect.make(() => fetch, Date.now).claimed(connection as never, callback, { state: "state", memory })
      )

      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const key = { ...publicKey.export({ format: "jwk" }), kid: "own", use: "sig", alg: "RS256" }
      const encoded = (text: string): string => Buffer.from(text).toString("base64url")
      const tokenOf = (claims: string, header = JSON.stringify({ alg: "RS256", kid: "own" })): string => {
        const signed = `${encoded(header)}.${encoded(claims)}`
        return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`
      }
      const now = Math.floor(Date.now() / 1000)
      const honest = { iss: issuer, sub: "ada", aud: "kanmon", iat: now, exp: now + 3600, nonce: "nonce" }
      const description = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"]
      }
      const tokens = (idToken: string) => JSON.stringify({ access_token: "a", token_type: "Bearer", id_token: idToken })
      const usual: Readonly<Record<string, string>> = {
        "/.well-known": JSON.stringify(description),
        "/jwks": JSON.stringify({ keys: [key] }),
        "/token": tokens(tokenOf(JSON.stringify(honest))),
        "/userinfo": JSON.stringify({ sub: "ada", email: "ada@example.com" })
      }
      const withOne = (path: string, body: string): Answers => ({
        http: Object.entries({ ...usual, [path]: body }).map(([one, text]) => [one, { bytes: answer(text) }] as const)
      })
      const times = (item: (index: number) => string, size: number): string =>
        Array.from({ length: Math.floor(size / item(9999).length - 1) }, (_, index) => item(index)).join(",")
      const all = function* (): Generator<Named<Answers>> {
        for (const [name, body] of documents(
          most,
          ["scopes_supported", "token_endpoint_auth_methods_supported"],
          description
        ))
          yield [`description, ${name}`, withOne("/.well-known", body)]
        for (const [name, body] of documents(most, ["a"], { keys: [key] }))
          yield [`keys, ${name}`, withOne("/jwks", body)]
        const strange: Readonly<Record<string, (index: number) => string>> = {
          "empty ones": () => "{}",
          "of the right id": () => '{"kid":"own","kty":"RSA","alg":"RS256"}',
          "without an id": () => '{"kty":"RSA","use":"sig","alg":"RS256"}',
          "of another id": (index) => `{"kid":"a${index}","kty":"RSA"}`,
          "of curves": () => '{"kid":"own","kty":"EC","crv":"P-256"}'
        }
        for (const [name, one] of Object.entries(strange)) {
          yield [`many keys, ${name}`, withOne("/jwks", `{"keys":[${times(one, most - 1000)},${JSON.stringify(key)}]}`)]
          yield [`many keys alone, ${name}`, withOne("/jwks", `{"keys":[${times(one, most)}]}`)]
        }
        for (const part of ["n", "e", "x5c"] as const)
          for (const text of ["A".repeat(most - 2000), "_".repeat(10_000), "%".repeat(most - 2000)])
            yield [
              `a key with a long ${part} of ${text[0]}`,
              withOne("/jwks", JSON.stringify({ keys: [{ ...key, [part]: text }] }))
            ]
        const room = Math.floor(most * 0.74)
        for (const [name, claims] of documents(room, ["groups", "email", "name"], honest))
          yield [`claims, ${name}`, withOne("/token", tokens(tokenOf(claims)))]
        for (const [name, claims] of documents(room, ["aud", "azp"], { ...honest, aud: undefined }))
          yield [`audience, ${name}`, withOne("/token", tokens(tokenOf(claims)))]
        for (const [name, header] of documents(room, ["typ", "crit"], { alg: "RS256", kid: "own" }))
          yield [`head of a token, ${name}`, withOne("/token", tokens(tokenOf(JSON.stringify(honest), header)))]
        for (const text of [".", "a.", "_", "e30."])
          yield [`a token of ${text}`, withOne("/token", tokens(text.repeat(most / text.length - 100)))]
        for (const [name, body] of documents(most, ["scope", "refresh_token"], {
          access_token: "a",
          token_type: "Bearer"
        }))
          yield [`tokens, ${name}`, withOne("/token", body)]
        for (const [name, body] of documents(most, ["error", "error_description"]))
          yield [
            `refusal, ${name}`,
            {
              http: [
                ["/token", { bytes: answer(body, "content-type: application/json\r\n", 400) }],
                ...withOne("/a", "").http!
              ]
            }
          ]
        for (const [name, body] of documents(most, ["groups", "email"], { sub: "ada" }))
          yield [`userinfo, ${name}`, withOne("/userinfo", body)]
        for (const [name, wire] of messages(15_000, most)) yield [`description, ${name}`, everywhere(wire)]
      }
      yield* there.say(withOne("/", ""))
      assert.strictEqual((yield* signIn).identity.email, "ada@example.com")
      assert.deepStrictEqual(yield* slow(there, all(), signIn), [])
    }).pipe(Effect.scoped)
  )
})
