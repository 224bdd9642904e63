/** No answer of SAML that is posted holds the event loop for long, of the largest that are read. */
import { assert, describe, it } from "@effect/vitest"
import { claimed } from "@kanmon/identity/testing/sso/protocols/Saml.ts"
import type { SamlConnection } from "@kanmon/identity/testing/sso/SingleSignOn.ts"
import { documentSigner } from "@kanmon/testkit/Certificates"
import { Effect } from "effect"
import { held, limitMillis } from "./LongestTurn.ts"

/** The most that is read of an answer, as XML. */
const largest = 190_000
const filled = (part: string, size = largest): string => part.repeat(Math.floor(size / part.length))

const response = (content: string, inside = "") =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" InResponseTo="_1" Version="2.0"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>${inside}</samlp:Status>${content}</samlp:Response>`
const assertion = (content: string) =>
  `<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a"><Conditions/>${content}</Assertion>`
const signature = (content: string) => `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">${content}</Signature>`
const reference = (transforms: string) =>
  `<Reference URI="#_a"><Transforms>${transforms}</Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>AAAA</DigestValue></Reference>`
const transform = `<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>`
const signed = (inside: string) =>
  signature(
    `<SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${inside}</SignedInfo><SignatureValue>AAAA</SignatureValue>`
  )

const attributes = (count: number) => Array.from({ length: count }, (_, index) => ` a${index}="b"`).join("")
const namespaces = (count: number) =>
  Array.from({ length: count }, (_, index) => ` xmlns:n${index}="urn:${index}"`).join("")

const answers: Readonly<Record<string, string>> = {
  "unclosed elements": response(filled("<a>")),
  "closed elements": response(assertion("<a></a>".repeat(1400))),
  "deep elements": response(assertion(`${"<a>".repeat(35)}${"</a>".repeat(35)}`.repeat(40))),
  attributes: response(assertion(`<a${attributes(29)}/>`.repeat(600))),
  namespaces: response(assertion(`<a${namespaces(29)}/>`.repeat(300))),
  "nested namespaces": response(assertion(`${`<a${namespaces(20)}>`.repeat(35)}${"</a>".repeat(35)}`)),
  "long attributes": response(assertion(`<a b="${"c".repeat(8000)}"/>`.repeat(22))),
  entities: response(assertion(filled("&amp;"))),
  blanks: response(assertion(filled(" "))),
  "one long text": response(assertion(filled("x"))),
  signatures: response(assertion(signed(reference(transform)).repeat(100))),
  references: response(assertion(signed(reference(transform).repeat(200)))),
  transforms: response(assertion(signed(reference(transform.repeat(1000))))),
  "a long signature": response(
    assertion(signed(reference(transform)).replace("<SignatureValue>AAAA", `<SignatureValue>${filled("A")}`))
  ),
  "a long certificate": response(
    assertion(signature(`<KeyInfo><X509Data><X509Certificate>${filled("A")}</X509Certificate></X509Data></KeyInfo>`))
  ),
  "status codes": response("", "<samlp:StatusCode/>".repeat(1400)),
  "values of an attribute": response(
    assertion(
      `<AttributeStatement><Attribute Name="groups">${"<AttributeValue>a</AttributeValue>".repeat(1300)}</Attribute></AttributeStatement>`
    )
  )
}

describe("the event loop", () => {
  it.live("is never held for long by an answer of SAML", () =>
    Effect.gen(function* () {
      const signer = yield* documentSigner
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
      const slow: Array<string> = []
      for (const [name, xml] of Object.entries(answers)) {
        const answer = Buffer.from(xml).toString("base64")
        const reading = Effect.tryPromise(() => claimed(connection, provider, answer, { requestId: "_1" }, Date.now()))
        const longest = yield* held(Effect.exit(reading))
        if (longest >= limitMillis) slow.push(`${name}: ${Math.round(longest)} ms`)
      }
      assert.deepStrictEqual(slow, [])
    })
  )
})
