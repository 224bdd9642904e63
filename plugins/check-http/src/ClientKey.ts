/**
 * Opens private keys and examines client certificates. The author of a monitor controls their content and so the cost
 * of OpenSSL's work on them. Therefore this runs in the evaluator's processes, and imports nothing from the host.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { extname } from "node:path"
import { createSecureContext } from "node:tls"
import * as Der from "./Der.ts"
import * as Pem from "./Pem.ts"

/** The evaluator loads this module by its URL; compiled, it is a file of its own beside those that use it. */
export const url = new URL(`./ClientKey${extname(import.meta.url)}`, import.meta.url).href

export interface ClientIdentity {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
}

/** The identity as the TLS library takes it, or the field that is not valid. */
export type Opened =
  | { readonly _tag: "Identity"; readonly cert: string; readonly key: string }
  | { readonly _tag: "Problem"; readonly path: string; readonly message: string }

/** Rounds of key derivation: 100,000 take some 50 ms. */
const maxRounds = 100_000
const maxModulus = 4096
/** A server needs the way to its root, and nothing else. */
const maxCertificates = 10

const fix =
  "convert it with `openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 10000`, or store it without a passphrase: it is kept encrypted"

class Refused extends Error {
  readonly path: string
  constructor(path: "clientCertificate" | "clientKey" | "clientKeyPassphrase", message: string) {
    super(message)
    this.path = path
  }
}

/**
 * Opens the key and checks that it belongs to the certificate. OpenSSL writes the result from the data that it read: a
 * key without encryption, and certificates alone, so that using it costs no more than any other.
 */
export const open = ({ cert, key, passphrase }: ClientIdentity): Opened => {
  try {
    const chain = certificates(cert)
    const opened = privateKey(key, passphrase)
    const own = {
      cert: chain.map((one) => one.toString()).join(""),
      key: opened.export({ type: "pkcs8", format: "pem" }).toString()
    }
    // OpenSSL itself takes a key of another kind than the certificate's, and uses neither.
    if (chain[0]?.checkPrivateKey(opened) !== true)
      throw new Refused("clientKey", "The key does not belong to the certificate")
    usable(own)
    return { _tag: "Identity", ...own }
  } catch (error) {
    if (error instanceof Refused) return { _tag: "Problem", path: error.path, message: error.message }
    throw error
  }
}

const certificates = (text: string): ReadonlyArray<X509Certificate> => {
  const refused = new Refused(
    "clientCertificate",
    "Expected a certificate in PEM, with its intermediate certificates after it"
  )
  const found = Pem.blocks(text)
  if (found?.every(({ headers, label }) => label === "CERTIFICATE" && headers.length === 0) !== true) throw refused
  if (found.length > maxCertificates)
    throw new Refused("clientCertificate", `Expected at most ${maxCertificates} certificates: leave out the root`)
  try {
    return found.map(({ bytes }) => new X509Certificate(bytes))
  } catch {
    throw refused
  }
}

const privateKey = (text: string, passphrase: string | undefined): KeyObject => {
  const block = keyBlock(text)
  const encrypted = block.label === "ENCRYPTED PRIVATE KEY" || block.headers.length > 0
  if (encrypted && passphrase === undefined) throw new Refused("clientKeyPassphrase", "Required: the key is encrypted")
  if (block.label === "ENCRYPTED PRIVATE KEY") admitEncryption(block.bytes)
  const key = read(block, encrypted ? passphrase : undefined)
  if (key === undefined)
    throw encrypted
      ? new Refused("clientKeyPassphrase", "The passphrase does not open the key")
      : new Refused("clientKey", "Expected a private key in PEM")
  admitKind(key)
  return key
}

const read = (block: Pem.Block, passphrase: string | undefined): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: Pem.write(block), ...(passphrase === undefined ? {} : { passphrase }) })
  } catch {
    return undefined
  }
}

/** The labels of private keys; the two older ones may have a body that is encrypted as a whole (RFC 1421). */
const labels = new Set(["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"])
const encryptedLabels = new Set(["RSA PRIVATE KEY", "EC PRIVATE KEY"])
const encryptionHeaders =
  /^Proc-Type: ?4,ENCRYPTED\nDEK-Info: ?(?:AES-(?:128|192|256)-CBC|DES-EDE3-CBC),[0-9A-F]{16,32}$/i

const keyBlock = (text: string): Pem.Block => {
  const refused = new Refused("clientKey", "Expected a private key in PEM")
  // `openssl ecparam -genkey` writes the name of the curve first, which the key repeats.
  const [block, ...rest] = (Pem.blocks(text) ?? []).filter(({ label }) => label !== "EC PARAMETERS")
  if (block === undefined || rest.length > 0 || !labels.has(block.label)) throw refused
  if (block.headers.length === 0) return block
  if (encryptedLabels.has(block.label) && encryptionHeaders.test(block.headers.join("\n"))) return block
  throw new Refused("clientKey", `The key's encryption is not known: ${fix}`)
}

const pbes2 = "2a864886f70d01050d"
const pbkdf2 = "2a864886f70d01050c"
const scrypt = "2b06010401da47040b"
/** pbeWithSHAAnd3-KeyTripleDES-CBC of PKCS #12: a salt and the rounds. */
const tripleDes = "2a864886f70d010c0103"

/**
 * Admits an EncryptedPrivateKeyInfo (RFC 5958) with a known and cheap encryption. Its parameters are read without
 * decrypting. Input with bytes left over is refused, because OpenSSL might read it differently.
 */
const admitEncryption = (bytes: Buffer): void => {
  const rounds = roundsOf(bytes)
  if (rounds === undefined) throw new Refused("clientKey", `The key's encryption is not known: ${fix}`)
  if (rounds > maxRounds)
    throw new Refused(
      "clientKey",
      `The key's encryption takes too long to open (scrypt, or more than ${maxRounds} rounds): ${fix}`
    )
}

/** The rounds of key derivation, infinite for scrypt; undefined when the encryption is not known. */
export const roundsOf = (bytes: Buffer): number | undefined => {
  try {
    const [algorithm, data, ...rest] = Der.sequence(bytes)
    Der.content(data, 0x04)
    const [kind, parameters, ...more] = Der.inner(algorithm)
    if (rest.length > 0 || more.length > 0) return undefined
    switch (Der.identifier(kind)) {
      case pbes2: {
        const [derivation, cipher, ...others] = Der.inner(parameters)
        const [name, given, ...surplus] = Der.inner(derivation)
        if (others.length > 0 || surplus.length > 0 || Der.inner(cipher).length !== 2) return undefined
        const method = Der.identifier(name)
        if (method === scrypt) return Number.POSITIVE_INFINITY
        return method === pbkdf2 ? roundsOfPbkdf2(Der.inner(given)) : undefined
      }
      case tripleDes: {
        const [salt, rounds, ...others] = Der.inner(parameters)
        Der.content(salt, 0x04)
        return others.length > 0 ? undefined : Der.natural(rounds)
      }
      default:
        return undefined
    }
  } catch (error) {
    if (error instanceof Der.NotDer) return undefined
    throw error
  }
}

/** PBKDF2-params (RFC 8018): salt, rounds, then perhaps the length of the key and the pseudo-random function. */
const roundsOfPbkdf2 = ([salt, rounds, ...options]: ReadonlyArray<Der.Element>): number | undefined => {
  Der.content(salt, 0x04)
  const [length, ...functions] = options[0]?.tag === 0x02 ? options : [undefined, ...options]
  if (length !== undefined && Der.natural(length) > 64) return undefined
  if (functions.length > 1) return undefined
  if (functions.length === 1) Der.identifier(Der.inner(functions[0])[0])
  return Der.natural(rounds)
}

const curves = new Set([
  "prime256v1",
  "secp384r1",
  "secp521r1",
  "brainpoolP256r1",
  "brainpoolP384r1",
  "brainpoolP512r1"
])

/** Admits keys that take a few milliseconds to use. */
const admitKind = ({ asymmetricKeyDetails = {}, asymmetricKeyType: type }: KeyObject): void => {
  const { modulusLength = 0, namedCurve, publicExponent = 0n } = asymmetricKeyDetails
  const isRsa = (type === "rsa" || type === "rsa-pss") && modulusLength <= maxModulus && publicExponent < 2n ** 64n
  const isCurve = type === "ec" ? curves.has(namedCurve ?? "") : type === "ed25519" || type === "ed448"
  if (!isRsa && !isCurve)
    throw new Refused(
      "clientKey",
      `Expected an elliptic curve with a usual name, or RSA with at most ${maxModulus} bits`
    )
}

const usable = (identity: { readonly cert: string; readonly key: string }): void => {
  try {
    createSecureContext(identity)
  } catch {
    throw new Refused(
      "clientCertificate",
      "The certificate cannot be used: expected one for TLS clients, with its intermediate certificates after it"
    )
  }
}
