/** Warnings about certificates of identity providers. */
import { X509Certificate } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { documentSigner } from "@kanmon/testkit/Certificates"
import type { SamlSignOn } from "@kanmon/domain/SignOnSettings"
import { Effect } from "effect"
import { warningsOf } from "../../src/sso/CertificateWarnings.ts"

const day = 86_400_000

const settings = (...certificates: readonly [string, ...ReadonlyArray<string>]): SamlSignOn => ({
  protocol: "saml",
  enabled: true,
  enforced: false,
  roles: [],
  defaultRole: "viewer",
  entityId: "https://idp.example",
  signInUrl: "https://idp.example/sso",
  certificates,
  attributes: {}
})

describe("the certificate of an identity provider", () => {
  it.effect("is warned about outside of its period and in its last thirty days, and not before", () =>
    Effect.gen(function* () {
      const { cert } = yield* documentSigner
      const { validFromDate, validToDate } = new X509Certificate(cert)
      const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
      const at = (now: number) => warningsOf(settings(cert), now)
      assert.deepStrictEqual(at(from + day), [])
      assert.deepStrictEqual(at(to - 31 * day), [])
      assert.match(at(to - 29 * day).join(), /^The certificate of the identity provider expires on \d{4}-\d\d-\d\d/)
      assert.match(at(to + 1).join(), /expired on/)
      assert.match(at(from - 1).join(), /not valid before/)
      assert.match(warningsOf(settings(cert, cert), to + 1).join(), /Certificate 1 of 2 .*Certificate 2 of 2/)
    })
  )
})
