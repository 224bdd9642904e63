/**
 * Certificates of every kind that a check may meet, created at runtime: a root that tests can trust, an intermediate, and
 * leaves that are valid, expired, not yet valid, for another name, self-signed, or sent without their intermediate.
 */
import "./internal/ReflectMetadata.ts"
import * as x509 from "@peculiar/x509"
import { Effect } from "effect"
import { isIP } from "node:net"

/** The files of a TLS server, in PEM. */
export interface ServerCertificate {
  readonly key: string
  /** The leaf, then what the server sends with it. */
  readonly cert: string
}

export interface Certificates {
  /** The root in PEM: with it as the dialer's `ca`, the good leaf is valid. */
  readonly root: string
  readonly good: ServerCertificate
  /** Valid for five more days. */
  readonly expiring: ServerCertificate
  readonly expired: ServerCertificate
  readonly notYetValid: ServerCertificate
  /** For `wrong.example` only. */
  readonly wrongName: ServerCertificate
  readonly expiredWrongName: ServerCertificate
  readonly selfSigned: ServerCertificate
  /** Valid, but sent without the intermediate. */
  readonly incomplete: ServerCertificate
  /** A valid leaf below an expired intermediate. */
  readonly expiredIntermediate: ServerCertificate
  /** From an untrusted root, which is sent along. */
  readonly strangeRoot: ServerCertificate
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const day = 86_400_000

interface Issuer {
  readonly subject: string
  readonly keys: Awaited<ReturnType<typeof newKeys>>
  readonly certificate: x509.X509Certificate
}

interface Wanted {
  readonly subject: string
  readonly issuer?: Issuer
  readonly names?: ReadonlyArray<string>
  readonly authority?: boolean
  /** Days from now. */
  readonly from?: number
  readonly to?: number
}

let serial = 0

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])

const make = async ({
  authority = false,
  from = -2,
  issuer,
  names = [],
  subject,
  to = 90
}: Wanted): Promise<Issuer> => {
  const keys = await newKeys()
  const now = Date.now()
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: (++serial + 0x1000).toString(16),
      subject: `CN=${subject}, O=Kanmon tests`,
      issuer: `CN=${issuer?.subject ?? subject}, O=Kanmon tests`,
      notBefore: new Date(now + from * day),
      notAfter: new Date(now + to * day),
      publicKey: keys.publicKey,
      signingKey: (issuer?.keys ?? keys).privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(authority, undefined, true),
        new x509.KeyUsagesExtension(
          authority ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign : x509.KeyUsageFlags.digitalSignature,
          true
        ),
        ...(names.length === 0
          ? []
          : [
              new x509.SubjectAlternativeNameExtension(
                names.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value }))
              )
            ])
      ]
    },
    crypto
  )
  return { subject, keys, certificate }
}

const pem = (...certificates: ReadonlyArray<Issuer>): string =>
  certificates.map(({ certificate }) => certificate.toString("pem")).join("\n")

const served = async (leaf: Issuer, ...above: ReadonlyArray<Issuer>): Promise<ServerCertificate> => ({
  key: x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", leaf.keys.privateKey), "PRIVATE KEY"),
  cert: pem(leaf, ...above)
})

/** The names and the address of the good leaf: `site.example` needs a resolver that knows it. */
export const names: ReadonlyArray<string> = ["site.example", "localhost", "127.0.0.1"]

interface Authority {
  readonly certificates: Certificates
  readonly issue: (names: ReadonlyArray<string>) => Promise<ServerCertificate>
}

const makeAll = async (): Promise<Authority> => {
  const root = await make({ subject: "Test Root", authority: true, from: -100, to: 3650 })
  const intermediate = await make({ subject: "Test Intermediate", authority: true, issuer: root, to: 1000 })
  const over = await make({ subject: "Old Intermediate", authority: true, issuer: root, from: -90, to: -1 })
  const strange = await make({ subject: "Strange Root", authority: true })
  const leaf = (wanted: Partial<Wanted>) => make({ subject: "site.example", names, issuer: intermediate, ...wanted })
  const good = await leaf({})
  const all: Certificates = {
    root: pem(root),
    good: await served(good, intermediate),
    expiring: await served(await leaf({ to: 5 }), intermediate),
    expired: await served(await leaf({ from: -90, to: -3 }), intermediate),
    notYetValid: await served(await leaf({ from: 3 }), intermediate),
    wrongName: await served(await leaf({ names: ["wrong.example"] }), intermediate),
    expiredWrongName: await served(await leaf({ names: ["wrong.example"], from: -90, to: -3 }), intermediate),
    selfSigned: await served(await make({ subject: "site.example", names })),
    incomplete: await served(good),
    expiredIntermediate: await served(await leaf({ issuer: over }), over),
    strangeRoot: await served(await leaf({ issuer: strange }), strange)
  }
  return { certificates: all, issue: async (wanted) => served(await leaf({ names: wanted }), intermediate) }
}

const signing = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1])
}

/** A new self-signed RSA certificate, such as identity providers sign documents with. */
export const documentSigner: Effect.Effect<ServerCertificate> = Effect.promise(async () => {
  const keys = await crypto.subtle.generateKey(signing, true, ["sign", "verify"])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    { name: "CN=Signer, O=Kanmon tests", keys, signingAlgorithm: signing, notAfter: new Date(Date.now() + 90 * day) },
    crypto
  )
  return {
    key: x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY"),
    cert: certificate.toString("pem")
  }
})

let made: Promise<Authority> | undefined
const authority = (): Promise<Authority> => (made ??= makeAll())

/** Created once per process. */
export const certificates: Effect.Effect<Certificates> = Effect.promise(async () => (await authority()).certificates)

/** A valid certificate for these names and addresses, below the same root. */
export const certificateFor = (...wanted: ReadonlyArray<string>): Effect.Effect<ServerCertificate> =>
  Effect.promise(async () => (await authority()).issue(wanted))
