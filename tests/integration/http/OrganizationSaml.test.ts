/** SAML 2.0 of an organization: whom it signs in, and the answers that sign nobody in. */
import { assert, layer } from "@effect/vitest"
import { documentSigner } from "@kanmon/testkit/Certificates"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Saml from "../../support/SamlProvider.ts"
import type { SignOnBrowser } from "../../support/SignOnBrowser.ts"
import { ask, begin, browser } from "./SignOnStage.ts"
import { layer as server, person, publicUrl } from "./Server.ts"

const live = { excludeTestServices: true } as const
const organizationId = "org_00000000000000000000000002"
const api = `${publicUrl}/api/v1`
const consumer = `${api}/auth/sso/saml/${organizationId}/acs`
const audience = `${api}/auth/sso/saml/${organizationId}/metadata`
const issuer = "https://idp.acme.example/metadata"
const idp = "https://idp.acme.example/sso"
const start = { organization: organizationId, callbackURL: "/monitors" }
const worker = "worker@acme.example"
const boss = "boss@acme.example"

interface Stage {
  readonly owner: Effect.Success<typeof person>
  readonly signer: Saml.Signer
  readonly stranger: Saml.Signer
}
class Keys extends Context.Service<Keys, Stage>()("@kanmon/tests/SamlKeys") {}

/** An organization with an identity provider of SAML and the proven domain acme.example. */
const acme = Layer.effect(
  Keys,
  Effect.gen(function* () {
    const [signer, stranger] = [yield* documentSigner, yield* documentSigner]
    const sql = yield* SqlClient.SqlClient
    const owner = yield* person
    yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organizationId}, 'Acme', now(), now())`
    yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
      SELECT ${organizationId}, id, 'owner', 'founder', now() FROM users WHERE email = ${owner.email}`
    const saved = yield* owner.withSession("PUT", `/organizations/${organizationId}/sso`, {
      protocol: "saml",
      enabled: true,
      enforced: false,
      roles: [{ group: "sre", role: "editor" }],
      defaultRole: null,
      entityId: issuer,
      signInUrl: idp,
      certificates: [signer.cert],
      attributes: {}
    })
    assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
    yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
      VALUES (${organizationId}, 'acme.example', 'proof', now(), now())`
    return { owner, signer, stranger }
  })
)

/** A request that a browser brought to the identity provider. */
const arrive = Effect.fnUntraced(function* (visitor: SignOnBrowser) {
  const { body, status } = yield* begin(visitor, start)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return Saml.requested(body.url)
})

const says = (request: string | null, changes: Partial<Saml.Says> = {}): Saml.Says => ({
  id: Saml.newId(),
  issuer,
  audience,
  recipient: consumer,
  inResponseTo: request,
  nameId: worker,
  email: worker,
  groups: ["sre"],
  from: -5,
  until: 300,
  ...changes
})

const answer = (content: string, request: string | null, changes: Partial<Saml.Envelope> = {}): string =>
  Saml.response(content, { inResponseTo: request, destination: consumer, issuer, ...changes })

const post = (visitor: SignOnBrowser, xml: string, state: string) =>
  Effect.promise(() =>
    visitor.post(
      consumer,
      { SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: state },
      "https://idp.acme.example",
      { stopAt: `${publicUrl}/monitors` }
    )
  )

/** Nobody is signed in. */
const isStranger = Effect.fnUntraced(function* (visitor: SignOnBrowser) {
  assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
})

type Lie = (request: string, stage: Stage) => string

/** An assertion that the identity provider signed, with changes. */
const signed =
  (changes: Partial<Saml.Says>): Lie =>
  (request, { signer }) =>
    answer(Saml.sign(Saml.assertion(says(request, changes)), signer), request)

/** A signed assertion about the worker, and what somebody makes of it who wants to be the boss. */
const wrapped =
  (
    wrap: (parts: {
      readonly good: string
      readonly signature: string
      readonly rest: string
      readonly evil: (inside?: string) => string
      readonly request: string
      readonly id: string
    }) => string
  ): Lie =>
  (request, { signer }) => {
    const honest = says(request)
    const good = Saml.sign(Saml.assertion(honest), signer)
    const evil = (inside = "") => Saml.assertion(says(request, { nameId: boss, email: boss }), inside)
    return wrap({ good, ...Saml.split(good), evil, request, id: honest.id })
  }

const withSignature = (assertion: string, signature: string): string =>
  assertion.replace("</saml:Issuer>", `</saml:Issuer>${signature}`)
const extensions = (content: string): string => `<samlp:Extensions>${content}</samlp:Extensions>`
const advice = (content: string): string => `<saml:Advice>${content}</saml:Advice>`

const lies: ReadonlyArray<readonly [title: string, lie: Lie]> = [
  ["an assertion without a signature", (request) => answer(Saml.assertion(says(request)), request)],
  [
    "an assertion that another certificate signed",
    (request, { stranger }) => answer(Saml.sign(Saml.assertion(says(request)), stranger), request)
  ],
  [
    "an assertion that was changed after it was signed",
    (request, { signer }) => answer(Saml.sign(Saml.assertion(says(request)), signer).replaceAll(worker, boss), request)
  ],
  [
    "a signature with SHA-1",
    (request, { signer }) =>
      answer(
        Saml.sign(Saml.assertion(says(request)), signer, {
          signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
          digest: "http://www.w3.org/2000/09/xmldsig#sha1"
        }),
        request
      )
  ],
  ["another audience", signed({ audience: "https://other.example" })],
  ["another recipient", signed({ recipient: "https://other.example/acs" })],
  [
    "an answer for another address",
    (request, { signer }) =>
      answer(Saml.sign(Saml.assertion(says(request)), signer), request, { destination: `${publicUrl}/other/acs` })
  ],
  [
    "an answer for another address, which a comment hides",
    (request, { signer }) =>
      answer(Saml.sign(Saml.assertion(says(request)), signer), request, { destination: `${consumer}/x` }).replace(
        "<samlp:Response",
        `<!-- <samlp:Response Destination="${consumer}"> --><samlp:Response`
      )
  ],
  ["another issuer", signed({ issuer: "https://idp.evil.example" })],
  ["an assertion that has expired", signed({ from: -900, until: -90 })],
  ["an assertion of the future", signed({ from: 90, until: 900 })],
  ["an assertion that says it is valid for long and was issued long ago", signed({ from: -3600, until: 3600 })],
  ["an assertion for another request", signed({ inResponseTo: "_0123456789" })],
  ["an assertion for no request", signed({ inResponseTo: null })],
  ["an answer to no request", (_, { signer }) => answer(Saml.sign(Saml.assertion(says(null)), signer), null)],
  ["an address outside of the proven domains", signed({ nameId: "x@other.example", email: "x@other.example" })],
  ["an address below a proven domain", signed({ nameId: "x@sub.acme.example", email: "x@sub.acme.example" })],
  ["groups that give no role", signed({ groups: ["nobody"] })],
  ["a forged assertion before the signed one", wrapped(({ evil, good, request }) => answer(evil() + good, request))],
  ["a forged assertion after the signed one", wrapped(({ evil, good, request }) => answer(good + evil(), request))],
  [
    "the signed assertion among the extensions",
    wrapped(({ evil, good, request }) => answer(evil(), request, { before: extensions(good) }))
  ],
  [
    "a forged assertion among the extensions",
    wrapped(({ evil, request }) => answer("", request, { before: extensions(evil()) }))
  ],
  [
    "the signed assertion among the extensions, its signature in the forged one",
    wrapped(({ evil, request, rest, signature }) =>
      answer(withSignature(evil(), signature), request, { before: extensions(rest) })
    )
  ],
  [
    "the signed assertion inside of the forged one",
    wrapped(({ evil, good, request }) => answer(evil(advice(good)), request))
  ],
  [
    "the signed assertion inside of the forged one, which has its signature",
    wrapped(({ evil, request, rest, signature }) => answer(withSignature(evil(advice(rest)), signature), request))
  ],
  [
    "the signed assertion inside of its signature, in the forged one",
    wrapped(({ evil, request, rest, signature }) =>
      answer(
        withSignature(evil(), signature.replace("</ds:Signature>", `<ds:Object>${rest}</ds:Object></ds:Signature>`)),
        request
      )
    )
  ],
  [
    "a forged assertion with the identifier and signature of the signed one, which is inside",
    wrapped(({ evil, id, request, rest, signature }) =>
      answer(withSignature(evil(advice(rest)).replace(/ID="[^"]+"/, `ID="${id}"`), signature), request)
    )
  ],
  [
    "a signed response inside of a forged one",
    (request, { signer }) => {
      const good = Saml.sign(answer(Saml.assertion(says(request)), request), signer)
      return answer(Saml.assertion(says(request, { nameId: boss, email: boss })), request, { before: extensions(good) })
    }
  ],
  [
    "a signed response inside of a forged one, which has its signature",
    (request, { signer }) => {
      const good = Saml.sign(answer(Saml.assertion(says(request)), request), signer)
      const { rest, signature } = Saml.split(good)
      return answer(Saml.assertion(says(request, { nameId: boss, email: boss })), request, {
        before: signature + extensions(rest)
      })
    }
  ],
  [
    "a comment that cuts the address",
    (request, { signer }) => {
      const longer = `${boss}.evil.example`
      const good = Saml.sign(Saml.assertion(says(request, { nameId: longer, email: longer })), signer)
      return answer(good.replaceAll(longer, `${boss}<!-- -->.evil.example`), request)
    }
  ],
  [
    "a document type",
    (request, { signer }) => `<!DOCTYPE x>${answer(Saml.sign(Saml.assertion(says(request)), signer), request)}`
  ],
  [
    "entities that grow",
    (request, { signer }) =>
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>${answer(Saml.sign(Saml.assertion(says(request)), signer), request).replace("</samlp:Status>", "&c;</samlp:Status>")}`
  ],
  [
    "an answer that is too long",
    (request, { signer }) =>
      `${answer(Saml.sign(Saml.assertion(says(request)), signer), request)}<!--${"x".repeat(300_000)}-->`
  ],
  ["what is no XML", () => "not XML"]
]

layer(acme.pipe(Layer.provideMerge(server())), live)("SAML of an organization", (it) => {
  it.effect("signs a person in as a member with the role of the group, where the sign-in began", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      const sql = yield* SqlClient.SqlClient
      const visitor = yield* browser
      const { id, state, xml } = yield* arrive(visitor)
      assert.include(xml, `AssertionConsumerServiceURL="${consumer}"`)
      assert.include(xml, audience)
      const email = "new@acme.example"
      const assertion = Saml.assertion(says(id, { nameId: email, email }))
      const landed = yield* post(visitor, answer(Saml.sign(assertion, signer), id), state)
      assert.strictEqual(landed.url.pathname, "/monitors", landed.text)
      assert.strictEqual((yield* ask(visitor, "/auth/get-session")).body.user.email, email)
      const [member] = yield* sql`SELECT m.role, m.source FROM organization_members m JOIN users u ON u.id = m.user_id
        WHERE u.email = ${email}`
      assert.deepStrictEqual(member, { role: "editor", source: "sso" })
    })
  )

  it.effect("accepts a signature over the whole response, and clocks that differ a little", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      for (const clock of [
        { from: 30, until: 330 },
        { from: -330, until: -30 }
      ]) {
        const visitor = yield* browser
        const { id, state } = yield* arrive(visitor)
        const xml = Saml.sign(answer(Saml.assertion(says(id, clock)), id), signer)
        const landed = yield* post(visitor, xml, state)
        assert.strictEqual(landed.url.pathname, "/monitors", landed.text)
      }
    })
  )

  it.effect("shows every attribute in a test, which signs nobody in", () =>
    Effect.gen(function* () {
      const { owner, signer } = yield* Keys
      const route = `/organizations/${organizationId}/sso`
      const { body: begun } = yield* owner.withSession("POST", `${route}/test`)
      const visitor = yield* browser
      const { url } = yield* Effect.promise(() => visitor.open(begun.url, { stopAt: idp }))
      const { id, state } = Saml.requested(url.href)
      const shown = yield* post(visitor, answer(Saml.sign(Saml.assertion(says(id)), signer), id), state)
      assert.strictEqual(shown.status, 200, shown.text)
      assert.include(shown.text, worker)
      yield* isStranger(visitor)
      const { body: read } = yield* owner.withSession("GET", `${route}/tests/${begun.id}`)
      assert.deepInclude(read.outcome.claims, { email: worker, groups: "sre", issuer })
    })
  )

  it.effect("describes itself to identity providers", () =>
    Effect.gen(function* () {
      const described = yield* Effect.flatMap(browser, (visitor) => Effect.promise(() => visitor.open(audience)))
      assert.include(described.text, `entityID="${audience}"`)
      assert.include(described.text, `Location="${consumer}"`)
    })
  )

  it.effect.each(lies)("refuses %s", ([, lie]) =>
    Effect.gen(function* () {
      const stage = yield* Keys
      const sql = yield* SqlClient.SqlClient
      const visitor = yield* browser
      const { id, state } = yield* arrive(visitor)
      const landed = yield* post(visitor, lie(id, stage), state)
      assert.include([400, 403], landed.status, landed.text)
      assert.include(landed.text, "You are not signed in")
      yield* isStranger(visitor)
      assert.deepStrictEqual(
        yield* sql`SELECT email FROM users WHERE email LIKE 'boss%' OR email LIKE 'x@%' OR email LIKE '%evil%'`,
        []
      )
    })
  )

  it.effect("says what to change when the answer is encrypted, or is for another address", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      const told = Effect.fnUntraced(function* (lie: (request: string) => string) {
        const visitor = yield* browser
        const { id, state } = yield* arrive(visitor)
        return (yield* post(visitor, lie(id), state)).text
      })
      const inside = (id: string) => Saml.sign(Saml.assertion(says(id)), signer)
      const encrypted = (id: string) =>
        `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${inside(id)}</saml:EncryptedAssertion>`
      assert.include(yield* told((id) => answer(encrypted(id), id)), "turn the encryption off")
      const elsewhere = yield* told((id) => answer(inside(id), id, { destination: "https://old.example/acs" }))
      assert.include(elsewhere, "https://old.example/acs")
      assert.include(elsewhere, consumer)
      // Providers that sign the assertion alone may leave it out.
      const visitor = yield* browser
      const { id, state } = yield* arrive(visitor)
      const without = answer(inside(id), id).replace(` Destination="${consumer}"`, "")
      assert.strictEqual((yield* post(visitor, without, state)).url.pathname, "/monitors")
    })
  )

  it.effect("uses an assertion once", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      const visitor = yield* browser
      const first = yield* arrive(visitor)
      const told = says(first.id)
      const xml = answer(Saml.sign(Saml.assertion(told), signer), first.id)
      assert.strictEqual((yield* post(visitor, xml, first.state)).url.pathname, "/monitors")
      visitor.forget()
      assert.strictEqual((yield* post(visitor, xml, first.state)).status, 400)
      const second = yield* arrive(visitor)
      assert.strictEqual((yield* post(visitor, xml, second.state)).status, 400)
      const third = yield* arrive(visitor)
      const again = Saml.sign(Saml.assertion({ ...told, inResponseTo: third.id }), signer)
      const refused = yield* post(visitor, answer(again, third.id), third.state)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "used before")
      yield* isStranger(visitor)
    })
  )

  it.effect("signs nobody in with the answer to another browser", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      const [attacker, victim] = [yield* browser, yield* browser]
      const { id, state } = yield* arrive(attacker)
      yield* arrive(victim)
      const xml = answer(Saml.sign(Saml.assertion(says(id)), signer), id)
      assert.strictEqual((yield* post(victim, xml, state)).status, 400)
      yield* isStranger(victim)
      const own = yield* arrive(victim)
      assert.strictEqual((yield* post(victim, xml, own.state)).status, 400)
      yield* isStranger(victim)
    })
  )

  it.effect("leads to no other site", () =>
    Effect.gen(function* () {
      const { signer } = yield* Keys
      const visitor = yield* browser
      const { id } = yield* arrive(visitor)
      const xml = answer(Saml.sign(Saml.assertion(says(id)), signer), id)
      for (const state of ["https://evil.example/", "//evil.example", "/monitors", ""]) {
        const landed = yield* post(visitor, xml, state)
        assert.strictEqual(landed.status, 400)
        assert.isNull(landed.headers.get("location"))
      }
      for (const callbackURL of ["https://evil.example/", "//evil.example", "/\\evil.example"])
        assert.strictEqual((yield* begin(visitor, { ...start, callbackURL })).status, 422)
      yield* isStranger(visitor)
    })
  )
})
