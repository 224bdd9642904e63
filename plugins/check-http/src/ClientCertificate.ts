/**
 * Validates client certificates and their keys before they are stored. Whoever configures a monitor chooses the key, and
 * OpenSSL works on it in the process that serves others, so its cost is bounded: the rounds of its encryption, and its size.
 */
import { createPrivateKey } from "node:crypto"
import { createSecureContext } from "node:tls"
import { Schema } from "effect"

const pem = (what: string, maxLength: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => {
        if (text.length > maxLength) return `Expected at most ${maxLength} characters`
        return /^\s*-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----\s*$/.test(text)
          ? undefined
          : `Expected ${what} in PEM`
      },
      { toJsonSchema: () => ({ maxLength }) }
    )
  )

export const Certificate = pem("a certificate", 65_536)
export const Key = pem("a private key", 16_384)

/** Rounds of key derivation: 100,000 take some 50 ms. */
const maxRounds = 100_000
const maxModulus = 4096

const fix =
  "convert it with `openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 10000`, or store it without a passphrase: it is kept encrypted"

export interface ClientIdentity {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
}

/** Why the three do not make a client certificate; undefined when they do. */
export const problem = (identity: ClientIdentity): { readonly path: string; readonly message: string } | undefined => {
  const costly = costlyEncryption(identity.key)
  if (costly !== undefined) return { path: "clientKey", message: costly }
  const unusable = keyProblem(identity)
  if (unusable !== undefined) return unusable
  try {
    createSecureContext(identity)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH"
      ? { path: "clientKey", message: "The key does not belong to the certificate" }
      : {
          path: "clientCertificate",
          message: "Expected a certificate in PEM, with its intermediate certificates after it"
        }
  }
}

const keyProblem = ({ key, passphrase }: ClientIdentity) => {
  const path = isEncrypted(key) ? "clientKeyPassphrase" : "clientKey"
  if (isEncrypted(key) && passphrase === undefined) return { path, message: "Required: the key is encrypted" }
  try {
    const { asymmetricKeyDetails, asymmetricKeyType } = createPrivateKey({
      key,
      ...(passphrase === undefined ? {} : { passphrase })
    })
    return (asymmetricKeyDetails?.modulusLength ?? 0) > maxModulus || asymmetricKeyType === "dsa"
      ? { path: "clientKey", message: `Expected an elliptic curve, or RSA with at most ${maxModulus} bits` }
      : undefined
  } catch {
    return isEncrypted(key)
      ? { path, message: "The passphrase does not open the key" }
      : { path, message: "Expected a private key in PEM" }
  }
}

const isEncrypted = (key: string): boolean => /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(key)

/** The scrypt object identifier, 1.3.6.1.4.1.11591.4.11: its cost has three parameters. */
const scrypt = "2b06010401da47040b"

/**
 * Why an encrypted key is too expensive to open. Its parameters are read from the algorithm identifier of PKCS #8 (RFC 5958),
 * without decrypting: every whole number in there counts as the number of rounds.
 */
const costlyEncryption = (key: string): string | undefined => {
  const body = /-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)-----END/.exec(key)?.[1]
  if (body === undefined) return undefined
  const outer = elementsIn(Buffer.from(body, "base64"))[0]
  const algorithm = outer === undefined ? undefined : elementsIn(outer.content)[0]
  const parts = algorithm === undefined ? [] : leaves(algorithm, 0)
  if (parts.length === 0) return "Expected a private key in PEM"
  const rounds = parts.filter(({ tag }) => tag === 0x02).map(({ content }) => Number(`0x0${content.toString("hex")}`))
  const isScrypt = parts.some(({ content, tag }) => tag === 0x06 && content.toString("hex") === scrypt)
  return isScrypt || rounds.some((count) => count > maxRounds)
    ? `The key's encryption takes too long to open (scrypt, or more than ${maxRounds} rounds): ${fix}`
    : undefined
}

interface Element {
  readonly tag: number
  readonly content: Buffer
}

/** The DER elements of a buffer; stops at what is not one. */
const elementsIn = (bytes: Buffer): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at]!
    let length = bytes[at + 1]!
    at += 2
    if (length > 0x80) {
      const size = length - 0x80
      if (size > 4 || at + size > bytes.length) break
      length = bytes.readUIntBE(at, size)
      at += size
    }
    if (at + length > bytes.length) break
    found.push({ tag, content: bytes.subarray(at, at + length) })
    at += length
  }
  return found
}

const leaves = (element: Element, depth: number): ReadonlyArray<Element> =>
  (element.tag & 0x20) === 0
    ? [element]
    : depth > 10
      ? []
      : elementsIn(element.content).flatMap((inner) => leaves(inner, depth + 1))
