/**
 * SAML 2.0, with node-saml: the Web Browser SSO profile with the bindings Redirect (request) and POST (answer).
 * node-saml verifies signatures , reads only signed bytes, and checks times and the audience. This module then
 * verifies, on the same bytes, the issuer, the recipient, and that the assertion answers the request of this sign-in.
 * Answers without a request, encrypted assertions and weak signatures are refused.
 */
import { randomBytes } from "node:crypto"
import { type Profile, SAML, ValidateInResponseTo } from "@node-saml/node-saml"
import type { SamlConnection } from "../SingleSignOn.ts"
import { all, inside, NotOutlined, type Outline, outline } from "./SamlOutline.ts"
import { type Claimed, groupsIn } from "./OpenIdConnect.ts"
import { SignOnFailure } from "./SignOnFailure.ts"

/** How this installation is known to the identity provider of one organization. */
export interface ServiceProvider {
  readonly entityId: string
  /** Where assertions are posted to. */
  readonly consumerUrl: string
}

/** The state that is kept until the identity provider answers. */
export interface SamlMemory {
  readonly requestId: string
}

/** Clocks may differ by this much. */
const skewMillis = 60_000
/** Assertions that say they are valid for longer are not believed. */
const maxAgeMillis = 600_000
const longestAnswer = 256 * 1024

const signatureMethods = new Set([
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"
])
const digestMethods = new Set(["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmlenc#sha512"])

/** Names under which identity providers send attributes, the usual one first. */
const attributeNames = {
  email: [
    "email",
    "mail",
    "emailAddress",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "urn:oid:0.9.2342.19200300.100.1.3"
  ],
  name: [
    "name",
    "displayName",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "urn:oid:2.16.840.1.113730.3.1.241"
  ],
  groups: [
    "groups",
    "memberOf",
    "Role",
    "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups",
    "http://schemas.xmlsoap.org/claims/Group"
  ]
}

const transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
const emailFormat = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"

const clientOf = (connection: SamlConnection, { consumerUrl, entityId }: ServiceProvider, requestId: string): SAML =>
  new SAML({
    entryPoint: connection.signInUrl,
    issuer: entityId,
    audience: entityId,
    callbackUrl: consumerUrl,
    idpCert: [...connection.certificates],
    idpIssuer: connection.entityId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    // One signature is enough, over the answer or over the assertion; only what it covers is read.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    acceptedClockSkewMs: skewMillis,
    maxAssertionAgeMs: maxAgeMillis,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: 3_600_000,
    generateUniqueId: () => requestId,
    // The sign-in itself is stored, and taken once; here is one request only.
    cacheProvider: {
      saveAsync: async (_key, value) => ({ value, createdAt: 0 }),
      // oxlint-disable-next-line kanmon/ambient-date -- the library compares it with the clock of the machine
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null
    }
  })

/** Where to send the browser. `state` comes back as RelayState. */
export const authorize = async (
  connection: SamlConnection,
  provider: ServiceProvider,
  state: string
): Promise<{ readonly url: string; readonly memory: SamlMemory }> => {
  const requestId = `_${randomBytes(20).toString("hex")}`
  const url = await clientOf(connection, provider, requestId).getAuthorizeUrlAsync(state, undefined, {})
  return { url, memory: { requestId } }
}

/** The content of a posted answer, and the id of its assertion. Throws `SignOnFailure`. */
export const claimed = async (
  connection: SamlConnection,
  provider: ServiceProvider,
  answer: string,
  { requestId }: SamlMemory,
  now: number
): Promise<Claimed & { readonly assertion: string }> => {
  checkForm(answer, provider)
  const { profile } = await clientOf(connection, provider, requestId)
    .validatePostResponseAsync({ SAMLResponse: answer })
    .catch((error: unknown) => {
      throw new SignOnFailure({ detail: wordsOf(error) })
    })
  if (profile === null) throw new SignOnFailure({ detail: "The identity provider did not sign you in." })
  return read(profile, connection, provider, requestId, now)
}

const success = "urn:oasis:names:tc:SAML:2.0:status:Success"

const decoded = (value: string): string => value.slice(0, 8192).replaceAll("&amp;", "&")

const outlined = (xml: string): Outline => {
  try {
    return outline(xml)
  } catch (error) {
    if (error instanceof NotOutlined)
      throw new SignOnFailure({ detail: `The answer of the identity provider ${error.message}.` })
    throw error
  }
}

/** The refusal of an identity provider: the last parts of the status codes, which are URNs, and the message. */
const refusalOf = (status: Outline | undefined): string => {
  const codes = [inside(status, "StatusCode")[0]].flatMap((code) => [code, inside(code, "StatusCode")[0]])
  const names = codes.flatMap((code) => code?.attributes.get("Value")?.slice(0, 1000).split(":").at(-1) ?? [])
  const message = inside(status, "StatusMessage")[0]?.text ?? ""
  return [...names, message]
    .map((words) =>
      words
        .slice(0, 120)
        .replaceAll(/[^\w:. -]/g, "")
        .trim()
    )
    .filter((words) => words !== "")
    .join(": ")
}

/** Checks that need no parsing and no verification. */
const checkForm = (answer: string, { consumerUrl }: ServiceProvider): void => {
  if (answer.length > longestAnswer)
    throw new SignOnFailure({ detail: "The answer of the identity provider is too long." })
  const root = outlined(Buffer.from(answer, "base64").toString("utf8"))
  if (root.name !== "Response")
    throw new SignOnFailure({ detail: "The answer of the identity provider is no response." })
  const elements = all(root)
  if (elements.some(({ name }) => name === "EncryptedAssertion"))
    throw new SignOnFailure({
      detail: "The assertion is encrypted, which is not supported; turn the encryption off at the identity provider."
    })
  // Providers that sign the assertion alone may leave it out.
  const destination = root.attributes.get("Destination")
  if (destination !== undefined && decoded(destination) !== consumerUrl)
    throw new SignOnFailure({
      detail: `The answer of the identity provider is for ${destination.slice(0, 200)}; enter ${consumerUrl} there as the assertion consumer service (ACS).`
    })
  const [status] = inside(root, "Status")
  if (inside(status, "StatusCode")[0]?.attributes.get("Value") !== success)
    throw new SignOnFailure({
      detail: `The identity provider refused the sign-in (${refusalOf(status) || "without a status"}).`
    })
  const assertions = elements.filter(({ name }) => name === "Assertion")
  if (assertions.length > 1)
    throw new SignOnFailure({
      detail: `The answer of the identity provider has ${assertions.length} assertions instead of one.`
    })
  if (assertions.some((assertion) => inside(assertion, "Conditions").length === 0))
    throw new SignOnFailure({
      detail: "The assertion has no conditions, so that it does not say for whom and until when it is."
    })
  for (const { attributes, name } of elements) {
    const methods = name === "SignatureMethod" ? signatureMethods : name === "DigestMethod" ? digestMethods : undefined
    const algorithm = attributes.get("Algorithm") ?? "nothing"
    if (methods !== undefined && !methods.has(algorithm))
      throw new SignOnFailure({
        detail: `The identity provider signs with ${algorithm.slice(0, 200)}; it has to use SHA-256 or stronger.`
      })
  }
}

type Element = { readonly $?: Readonly<Record<string, string>>; readonly _?: string } & Readonly<
  Record<string, unknown>
>

const children = (of: unknown, name: string): ReadonlyArray<Element> => {
  const found = (of as Record<string, unknown> | undefined)?.[name]
  return Array.isArray(found) ? found.map((child) => (typeof child === "string" ? { _: child } : child)) : []
}

const read = (
  profile: Profile,
  connection: SamlConnection,
  provider: ServiceProvider,
  requestId: string,
  now: number
) => {
  // Parsed from the bytes that the signature covers.
  const assertion = (profile.getAssertion?.() as { readonly Assertion?: Element } | undefined)?.Assertion
  const issuer = children(assertion, "Issuer")[0]?._
  if (issuer !== connection.entityId)
    throw new SignOnFailure({
      detail: "The assertion was issued by another identity provider than the one that is set up."
    })
  const bearer = children(children(assertion, "Subject")[0], "SubjectConfirmation").filter(
    ({ $ }) => $?.["Method"] === "urn:oasis:names:tc:SAML:2.0:cm:bearer"
  )
  const confirmed = bearer
    .flatMap((confirmation) => children(confirmation, "SubjectConfirmationData"))
    .some(
      ({ $ }) =>
        $?.["Recipient"] === provider.consumerUrl &&
        $["InResponseTo"] === requestId &&
        $["NotOnOrAfter"] !== undefined &&
        Date.parse($["NotOnOrAfter"]) > now - skewMillis
    )
  if (!confirmed)
    throw new SignOnFailure({
      detail: "The assertion is not the answer to this sign-in: its recipient, its request or its time is another one."
    })
  const id = assertion?.$?.["ID"]
  if (id === undefined || id === "") throw new SignOnFailure({ detail: "The assertion has no ID." })

  const attributes = (profile["attributes"] ?? {}) as Readonly<Record<string, unknown>>
  const values = (kind: keyof typeof attributeNames): ReadonlyArray<string> => {
    const own = connection.attributes[kind]
    const name = (own === undefined ? attributeNames[kind] : [own]).find((name) => attributes[name] !== undefined)
    return name === undefined ? [] : groupsIn(attributes[name])
  }
  const nameId = profile.nameID ?? ""
  const email =
    values("email")[0] ?? (profile.nameIDFormat === emailFormat || nameId.includes("@") ? nameId : undefined)
  const isLasting = nameId !== "" && profile.nameIDFormat !== transient
  if (!isLasting && email === undefined)
    throw new SignOnFailure({
      detail: "The assertion does not identify a person: it has neither a persistent NameID nor an e-mail address."
    })
  return {
    assertion: id,
    claims: { nameId, nameIdFormat: profile.nameIDFormat ?? null, issuer, ...attributes },
    identity: {
      subject: isLasting ? nameId : email!,
      email,
      emailVerified: undefined,
      name: values("name")[0],
      groups: values("groups")
    }
  }
}

/** Words of our own for what the library does not expect: its own would show a part of its code. */
const wordsOf = (error: unknown): string => {
  const words = error instanceof Error && !(error instanceof TypeError) ? error.message : "it lacks a part"
  return `The answer of the identity provider is not valid: ${words.slice(0, 200)}.`
}

/** The description that identity providers import. */
export const metadata = ({ consumerUrl, entityId }: ServiceProvider): string => {
  const escaped = (text: string) =>
    text.slice(0, 4096).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">`,
    `<SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">`,
    `<NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>`,
    `<AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(consumerUrl)}"/>`,
    `</SPSSODescriptor>`,
    `</EntityDescriptor>`,
    ``
  ].join("\n")
}
