import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as HttpsRedirect from "../../src/custom-domains/HttpsRedirect.ts"
import { ServedCertificates } from "../../src/custom-domains/ServedCertificates.ts"
import { settings } from "../../../../tests/support/ApiSettingsOf.ts"

const domain = "status.acme.example"

/** Status and address of the redirect that a request gets, if any, where only `domain` has a certificate. */
const ask = (
  target: string,
  headers: Readonly<Record<string, string>>,
  options: { readonly trustedProxy?: boolean; readonly method?: string } = {}
) =>
  Effect.gen(function* () {
    const redirect = yield* HttpsRedirect.make
    const request = new Request(`http://localhost${target}`, { method: options.method ?? "GET", headers })
    const away = yield* redirect(HttpServerRequest.fromWeb(request))
    return away === undefined ? undefined : [away.status, away.headers["location"]]
  }).pipe(
    Effect.provideService(ServedCertificates, {
      has: (name: string) => Effect.succeed(name === domain),
      contextOf: () => Effect.undefined
    }),
    Effect.provide(settings({ trustedProxy: options.trustedProxy ?? false }))
  )

describe("the redirect to HTTPS", () => {
  it.effect("redirects domains with a certificate and keeps path, query and method", () =>
    Effect.gen(function* () {
      const there = [308, `https://${domain}/a%20b?c=d`]
      assert.deepStrictEqual(yield* ask("/a%20b?c=d", { host: domain }), there)
      assert.deepStrictEqual(yield* ask("/a%20b?c=d", { host: "STATUS.acme.example.:80" }), there)
      assert.deepStrictEqual(yield* ask("/a%20b?c=d", { host: domain }, { method: "POST" }), there)
    })
  )

  it.effect("does not redirect other hosts or ACME challenges", () =>
    Effect.gen(function* () {
      for (const host of [
        "kanmon.example",
        "127.0.0.1:3000",
        "[::1]:3000",
        "other.acme.example",
        `${domain}@evil.example`
      ])
        assert.deepStrictEqual(yield* ask("/", { host }), undefined, host)
      assert.deepStrictEqual(yield* ask("/.well-known/acme-challenge/token", { host: domain }), undefined)
    })
  )

  it.effect("does not redirect requests with HTTPS at a trusted proxy", () =>
    Effect.gen(function* () {
      const headers = { host: domain, "x-forwarded-proto": "https" }
      assert.deepStrictEqual(yield* ask("/", headers, { trustedProxy: true }), undefined)
      assert.deepStrictEqual(yield* ask("/", headers), [308, `https://${domain}/`])
    })
  )
})
