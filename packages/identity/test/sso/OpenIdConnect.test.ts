import type { OidcConnection } from "../../src/sso/SingleSignOn.ts"
import { assert, describe, it } from "@effect/vitest"
import * as OpenIdConnect from "../../src/sso/protocols/OpenIdConnect.ts"

const connection: OidcConnection = {
  protocol: "oidc",
  id: "org_1",
  name: "Acme",
  version: "1",
  issuer: "https://login.example.org",
  clientId: "kanmon",
  clientSecret: undefined,
  scopes: [],
  groupsClaim: "groups"
}

describe("sign-ins that many people begin at once", () => {
  it("ask the provider once what it is, and again after it did not answer", async () => {
    let asked = 0
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const client = OpenIdConnect.make(
      () => async () => {
        asked++
        await answering
        return new Response("", { status: 503 })
      },
      () => 0
    )
    const begin = (version: string) =>
      client.authorize(
        { ...connection, version },
        { redirectUri: "https://kanmon.example", state: "x", hint: undefined }
      )
    const begun = Array.from({ length: 50 }, () => begin("1"))
    answer()
    const many = await Promise.allSettled(begun)
    assert.isTrue(many.every(({ status }) => status === "rejected"))
    assert.strictEqual(asked, 1)
    await Promise.allSettled([begin("1"), begin("2")])
    assert.strictEqual(asked, 3, "other settings are another question")
  })
})
