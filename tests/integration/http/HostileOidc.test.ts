/** Answers of a provider of OpenID Connect that lies: none of them signs anybody in. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, begin, browser, Liar, signIn, withLiar } from "./SignOnStage.ts"
import { publicUrl } from "./Server.ts"
import type { Lies } from "../../support/HostileOidc.ts"

const live = { excludeTestServices: true } as const
const now = () => Math.floor(Date.now() / 1000)

const lies: ReadonlyArray<readonly [title: string, lies: Lies]> = [
  ["a token for another audience", { claims: (claims) => ({ ...claims, aud: "somebody-else" }) }],
  ["a token for several audiences and another party", { claims: (c) => ({ ...c, aud: ["kanmon", "x"], azp: "x" }) }],
  ["a token of another issuer", { claims: (claims) => ({ ...claims, iss: "https://accounts.example" }) }],
  ["a token with another nonce", { claims: (claims) => ({ ...claims, nonce: "guessed" }) }],
  ["a token without the nonce", { claims: ({ nonce: _, ...claims }) => claims }],
  ["a token that has expired", { claims: (claims) => ({ ...claims, iat: now() - 900, exp: now() - 300 }) }],
  [
    "a token of the future",
    { claims: (claims) => ({ ...claims, nbf: now() + 600, iat: now() + 600, exp: now() + 900 }) }
  ],
  ["a token without a subject", { claims: ({ sub: _, ...claims }) => claims }],
  ["a token that an unknown key signed", { foreignKey: true }],
  ["a token without a signature", { unsigned: true }],
  ["a redirect in place of tokens", { redirectTokens: "http://169.254.169.254/latest/meta-data" }]
]

layer(withLiar(), live)("a provider of OpenID Connect that lies", (it) => {
  it.effect.each(lies)("is refused: %s", ([, lie]) =>
    Effect.gen(function* () {
      const liar = yield* Liar
      liar.lie(lie)
      const visitor = yield* browser
      const landed = yield* signIn(visitor)
      assert.strictEqual(landed.status, 400)
      assert.include(landed.text, "You are not signed in")
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
      liar.lie({})
      assert.strictEqual((yield* signIn(visitor)).url.pathname, "/monitors")
    })
  )

  it.effect("gets the verifier of PKCE, and accepts clocks that differ a little", () =>
    Effect.gen(function* () {
      const liar = yield* Liar
      liar.lie({ claims: (claims) => ({ ...claims, iat: now() + 30, exp: now() + 330 }) })
      const visitor = yield* browser
      assert.strictEqual((yield* signIn(visitor)).url.pathname, "/monitors")
      assert.match(liar.lastTokenRequest()!.get("code_verifier")!, /^[\w-]{43,}$/)
      liar.lie({ claims: (claims) => ({ ...claims, iat: now() - 330, exp: now() - 30 }) })
      assert.strictEqual((yield* signIn(visitor)).url.pathname, "/monitors")
    })
  )

  it.effect("escapes what the provider says on the page", () =>
    Effect.gen(function* () {
      const liar = yield* Liar
      liar.lie({})
      const visitor = yield* browser
      const { body } = yield* begin(visitor)
      const state = new URL(body.url).searchParams.get("state")!
      const url = `${publicUrl}/api/v1/auth/sso/callback/installation?state=${state}&error=%3Cscript%3Ealert(1)%3C/script%3E`
      const landed = yield* Effect.promise(() => visitor.open(url))
      assert.strictEqual(landed.status, 400)
      assert.notInclude(landed.text, "<script>")
      assert.include(landed.headers.get("content-security-policy") ?? "", "default-src 'none'")
    })
  )
})

layer(withLiar({}), live)("a provider whose description lies", (it) => {
  it.effect.each([
    ["another issuer", { metadata: (metadata) => ({ ...metadata, issuer: "https://accounts.example" }) }],
    ["no endpoint for tokens", { metadata: ({ token_endpoint: _, ...metadata }) => metadata }]
  ] satisfies ReadonlyArray<readonly [string, Lies]>)("is refused: %s", ([, lie]) =>
    Effect.gen(function* () {
      const liar = yield* Liar
      liar.lie(lie)
      const visitor = yield* browser
      const { body, status } = yield* begin(visitor)
      if (status === 200) {
        const landed = yield* Effect.promise(() => visitor.open(body.url, { stopAt: `${publicUrl}/monitors` }))
        assert.strictEqual(landed.status, 400)
      } else assert.strictEqual(status, 503)
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
    })
  )
})
