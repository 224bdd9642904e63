/** The cost of a posted response is linear in its length, for any content. */
import type { SamlConnection } from "../../src/sso/SingleSignOn.ts"
import { documentSigner } from "@kanmon/testkit/Certificates"
import { growth } from "@kanmon/testkit/Work"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SignOnFailure } from "../../src/sso/protocols/SignOnFailure.ts"
import { claimed } from "../../src/sso/protocols/Saml.ts"

const signer = await Effect.runPromise(documentSigner)
const connection: SamlConnection = {
  id: "org_1",
  name: "Acme",
  version: "1",
  protocol: "saml",
  entityId: "https://idp.example",
  signInUrl: "https://idp.example/sso",
  certificates: [signer.cert],
  attributes: {}
}
const provider = { entityId: "https://kanmon.example/saml", consumerUrl: "https://kanmon.example/acs" }

const refusal = async (xml: string): Promise<string> => {
  try {
    await claimed(connection, provider, Buffer.from(xml).toString("base64"), { requestId: "_1" }, Date.now())
  } catch (error) {
    assert.instanceOf(error, SignOnFailure)
    return error.detail
  }
  return "accepted"
}

const ok = "urn:oasis:names:tc:SAML:2.0:status:Success"
const response = (content: string, status = ok) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" InResponseTo="_1" Version="2.0"><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${content}</samlp:Response>`
const assertion = (content: string) =>
  `<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a"><Conditions/>${content}</Assertion>`
const signature = (content: string) => `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">${content}</Signature>`
const reference = `<Reference URI="#_a"><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/></Reference>`

/** The most that is read, as XML. */
const largest = 196_000
const filled = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length))

describe("a posted SAML answer", () => {
  it.each<[string, (size: number) => string]>([
    ["unclosed comments", (size) => response(filled("<!--", size))],
    ["unclosed elements", (size) => response(filled("<a>", size))],
    ["unclosed start tags", (size) => response(filled("<SignatureMethod ", size))],
    ["unclosed start tags before the response", (size) => filled("<SignatureMethod ", size)],
    ["unclosed quotes", (size) => response(filled("<a b='", size))],
    ["ampersands", (size) => response(filled("&", size))],
    ["entities", (size) => response(filled("&amp;", size))],
    ["blanks", (size) => response(filled(" ", size))],
    ["carriage returns", (size) => response(filled("\r", size))],
    ["names of status codes", (size) => response("", `${"x".repeat(Math.min(size, 8000))}:`)],
    ["a status message", (size) => response("", filled(":", Math.min(size, 8000)))]
  ])("takes time in proportion to its length: %s", async (_, xml) => {
    assert.isBelow(await growth((size) => refusal(xml(size)), largest), 1.6)
  })

  // The parser takes quadratic time for siblings.
  it.each([
    ["elements", "<a/>"],
    ["signatures", signature("")],
    ["references", signature(reference)],
    ["attributes", `<a b="1" c="2" d="3" xmlns:e="f" e:g="h"/>`]
  ])("is not parsed with very many %s", async (_, part) => {
    assert.include(await refusal(response(assertion(filled(part, 190_000)))), "more than 1500 elements")
  })

  it("is not parsed with more than one assertion", async () => {
    assert.include(await refusal(response(assertion("") + assertion(""))), "2 assertions")
  })

  it("is refused when its status is no success, also with an assertion", async () => {
    assert.strictEqual(
      await refusal(response(assertion(""), "urn:oasis:names:tc:SAML:2.0:status:Responder")),
      "The identity provider refused the sign-in (Responder)."
    )
    assert.include(await refusal(response(assertion("")).replace(/<samlp:Status>.*<\/samlp:Status>/, "")), "refused")
  })

  it("is refused in words of our own when its assertion lacks a part", async () => {
    const bare = `<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a"/>`
    assert.include(await refusal(response(bare)), "no conditions")
  })
})
