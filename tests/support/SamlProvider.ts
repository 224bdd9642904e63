/** A SAML identity provider: reads requests, and writes answers with xml-crypto, honest ones and others. */
import { randomBytes } from "node:crypto"
import { inflateRawSync } from "node:zlib"
import { SignedXml } from "xml-crypto"

/** What an assertion says. */
export interface Says {
  readonly id: string
  readonly issuer: string
  readonly audience: string
  readonly recipient: string
  /** The request that is answered; null for none. */
  readonly inResponseTo: string | null
  readonly nameId: string
  readonly email: string
  readonly groups: ReadonlyArray<string>
  /** Seconds from now. */
  readonly from: number
  readonly until: number
}

export interface Signer {
  readonly key: string
  readonly cert: string
}

export const newId = (): string => `_${randomBytes(16).toString("hex")}`

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()
const answering = (request: string | null): string => (request === null ? "" : ` InResponseTo="${request}"`)
const attribute = (name: string, values: ReadonlyArray<string>): string =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join("")}</saml:Attribute>`

/** An assertion, not signed. `inside` is put after its subject. */
export const assertion = (says: Says, inside = ""): string =>
  [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${says.id}" Version="2.0" IssueInstant="${at(says.from)}">`,
    `<saml:Issuer>${says.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${says.nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">`,
    `<saml:SubjectConfirmationData NotOnOrAfter="${at(says.until)}" Recipient="${says.recipient}"${answering(says.inResponseTo)}/>`,
    `</saml:SubjectConfirmation></saml:Subject>${inside}`,
    `<saml:Conditions NotBefore="${at(says.from)}" NotOnOrAfter="${at(says.until)}">`,
    `<saml:AudienceRestriction><saml:Audience>${says.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(says.from)}"><saml:AuthnContext>`,
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>`,
    `</saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${attribute("email", [says.email])}${attribute("groups", says.groups)}</saml:AttributeStatement>`,
    `</saml:Assertion>`
  ].join("")

export interface Envelope {
  readonly id?: string
  readonly inResponseTo: string | null
  readonly destination: string
  readonly issuer: string
  /** Put before the content. */
  readonly before?: string
}

/** A response around assertions, not signed. */
export const response = (content: string, { before = "", destination, id = newId(), inResponseTo, issuer }: Envelope) =>
  [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${at(0)}" Destination="${destination}"${answering(inResponseTo)}>`,
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>${before}`,
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`,
    content,
    `</samlp:Response>`
  ].join("")

const rsa = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"

/** Signs the outermost element, as identity providers do: enveloped, after the issuer. */
export const sign = (
  xml: string,
  { cert, key }: Signer,
  { digest = sha256, signature = rsa }: { readonly digest?: string; readonly signature?: string } = {}
): string => {
  const signer = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: exclusive
  })
  signer.addReference({
    xpath: "/*",
    digestAlgorithm: digest,
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", exclusive]
  })
  signer.computeSignature(xml, {
    prefix: "ds",
    location: { reference: "/*/*[local-name(.)='Issuer']", action: "after" }
  })
  return signer.getSignedXml()
}

/** The signature element of a signed document, and the document without it. */
export const split = (signed: string): { readonly signature: string; readonly rest: string } => {
  const signature = /<ds:Signature [\s\S]*?<\/ds:Signature>/.exec(signed)![0]
  return { signature, rest: signed.replace(signature, "") }
}

/** What a browser brings to the identity provider. */
export const requested = (address: string): { readonly id: string; readonly xml: string; readonly state: string } => {
  const { searchParams } = new URL(address)
  const xml = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest")!, "base64")).toString("utf8")
  return { xml, id: /\sID="([^"]+)"/.exec(xml)![1]!, state: searchParams.get("RelayState")! }
}
