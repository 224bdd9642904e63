/** Another site signs nobody in: neither by a link to a sign-in, nor by a form. */
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect } from "effect"
import { call, cookieOf, person, password, publicUrl, refused } from "./Server.ts"
import { browser, Provider, withProvider } from "./SignOnStage.ts"

const live = { excludeTestServices: true } as const
const start = "/auth/sso/start"
const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }

/** The address of the page's link. */
const linkIn = (html: string): string => {
  const href = /<a [^>]*href="([^"]+)"/.exec(html)?.[1]
  assert.isDefined(href)
  return href!.replaceAll("&amp;", "&")
}

const path = (query: string) => `${start}${query}`

layer(withProvider(), live)("a link that begins single sign-on", (it) => {
  it.effect("asks first, and goes on with the link of that page, in the same browser", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ sub: "mia", email: "mia@example.com", email_verified: true })
      const visitor = yield* browser
      const page = yield* Effect.promise(() => visitor.open(`${publicUrl}${basePath}${start}?callbackURL=%2Fmonitors`))
      assert.strictEqual(page.status, 200)
      assert.notInclude(page.text, "<form")
      assert.notInclude(visitor.cookies(`${publicUrl}${basePath}`), "session_token")
      const going = new URL(linkIn(page.text), page.url)
      assert.strictEqual(going.origin + going.pathname, `${publicUrl}${basePath}${start}`)
      const landed = yield* Effect.promise(() => visitor.open(going.href, { stopAt: `${publicUrl}/monitors` }))
      assert.strictEqual(landed.url.pathname, "/monitors", landed.text)
      assert.include(visitor.cookies(`${publicUrl}${basePath}`), "session_token")
    })
  )

  it.effect("leads nowhere without the cookie of the page, or with that of another browser", () =>
    Effect.gen(function* () {
      const mine = yield* call("GET", start)
      const theirs = yield* call("GET", start)
      const confirmed = path(linkIn(mine.body))
      for (const headers of [
        {},
        { cookie: cookieOf(theirs) },
        { cookie: "kanmon-sso=" },
        { cookie: cookieOf(mine).slice(0, -1) }
      ]) {
        const asked = yield* call("GET", confirmed, undefined, headers)
        assert.deepStrictEqual([asked.status, asked.headers.get("location")], [200, null])
      }
      const gone = yield* call("GET", confirmed, undefined, { cookie: cookieOf(mine) })
      assert.strictEqual(gone.status, 303)
    })
  )

  it.effect("asks whatever stands in the address", () =>
    Effect.gen(function* () {
      for (const query of ["?confirmed=", "?confirmed=1&confirmed=2", "?confirmed=%00", "?ticket=&organization="]) {
        const asked = yield* call("GET", path(query), undefined, { cookie: `kanmon-sso=${"a".repeat(43)}` })
        assert.isNull(asked.headers.get("location"), query)
      }
    })
  )

  it.effect("speaks the language of the browser", () =>
    Effect.gen(function* () {
      const german = yield* call("GET", start, undefined, { "accept-language": "de" })
      assert.include(german.body, "Weiter mit")
      const japanese = yield* call("GET", start, undefined, { "accept-language": "ja" })
      assert.include(japanese.body, 'lang="ja"')
    })
  )

  it.effect.each([
    ["/auth/sign-in/email", "application/json"],
    ["/auth/sign-in/email", "text/plain"],
    ["/auth/sign-in/sso", "application/json"],
    ["/auth/sign-in/sso/connect", "application/x-www-form-urlencoded"],
    ["/auth/passkey/verify-authentication", "application/json"],
    ["/auth/two-factor/verify-totp", "application/json"],
    ["/auth/verify-email", "application/x-www-form-urlencoded"],
    ["/auth/confirm-email", "application/x-www-form-urlencoded"],
    ["/auth/impersonation", "application/x-www-form-urlencoded"],
    ["/invitations/a-token/accept", "application/json"]
  ])("has no neighbour that a form of another site reaches: %s as %s", ([route, type]) =>
    Effect.gen(function* () {
      const ada = yield* person
      const body = JSON.stringify({ email: ada.email, password })
      const sent =
        type === "application/x-www-form-urlencoded" ? `email=${ada.email}&password=${password}&token=t` : body
      const answer = yield* call("POST", route!, sent, { ...foreign, cookie: ada.cookie, "content-type": type! })
      refused(answer, 403, "forbidden")
      assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    })
  )
})
