/** What a browser keeps on its disk of an account that has signed out: nothing. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, cookieOf, layer as server, password, person, shop } from "./Server.ts"

const live = { excludeTestServices: true } as const
const list = "/monitors/summaries"

const addresses = [
  ["https://kanmon.example", "private, no-cache"],
  ["http://localhost:3100", "private, no-cache"],
  ["http://127.0.0.1:3100", "private, no-cache"],
  ["http://kanmon.example", "no-store"],
  ["http://127.evil.example", "no-store"]
] as const

for (const [baseUrl, stored] of addresses)
  layer(server({ baseUrl }), live)(`an installation at ${baseUrl}`, (it) => {
    it.effect("lets browsers store lists only where signing out removes them, and does remove them", () =>
      Effect.gen(function* () {
        const ada = yield* person
        yield* ada.withKey("POST", "/monitors", shop)
        const shown = yield* ada.withKey("GET", list)
        assert.deepStrictEqual([shown.status, shown.headers.get("cache-control")], [200, stored])
        const etag = shown.headers.get("etag") ?? ""
        const unchanged = yield* ada.withKey("GET", list, undefined, { "if-none-match": etag })
        assert.deepStrictEqual([unchanged.status, unchanged.headers.get("cache-control")], [304, stored])

        const out = yield* ada.withSession("POST", "/auth/sign-out", {})
        assert.strictEqual(out.headers.get("clear-site-data"), '"cache"')
        const again = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password })
        assert.isNull(again.headers.get("clear-site-data"))
        assert.strictEqual((yield* call("GET", "/projects", undefined, { cookie: cookieOf(again) })).status, 200)
      })
    )
  })
