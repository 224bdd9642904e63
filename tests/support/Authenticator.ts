/**
 * A software authenticator (WebAuthn, level 3): it keeps P-256 keys, makes attestations of the format "none" and signs
 * assertions, as a browser sends them.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

export interface AuthenticatorOptions {
  /** Whether it verified the person. */
  readonly verifiesUser?: boolean
  /** The page's origin; the relying party's unless it says otherwise. */
  readonly origin?: string
  /** The challenge that it answers, instead of the one that it got. */
  readonly challenge?: string
  /** Whether it signs something else. */
  readonly forges?: boolean
}

interface Credential {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly userHandle: Buffer
}

/** A key as it is kept in a file: texts in base64, the private key as PKCS #8. */
export interface KeptKey {
  readonly id: string
  readonly privateKey: string
  readonly userHandle: string
  /** How often it signed. */
  readonly counter: number
}

/** Text as CBOR. */
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])

/** A COSE key for ES256. */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y)
  ])

export class Authenticator {
  private readonly rpId: string
  private readonly origin: string
  private readonly credentials: Array<Credential> = []
  private counter = 0

  constructor(origin: string, kept?: KeptKey) {
    this.origin = origin
    this.rpId = new URL(origin).hostname
    if (kept === undefined) return
    this.counter = kept.counter
    this.credentials.push({
      id: Buffer.from(kept.id, "base64"),
      privateKey: createPrivateKey({ key: Buffer.from(kept.privateKey, "base64"), format: "der", type: "pkcs8" }),
      userHandle: Buffer.from(kept.userHandle, "base64")
    })
  }

  /** The newest key, for another authenticator. */
  keep(): KeptKey {
    const { id, privateKey, userHandle } = this.credentials.at(-1)!
    return {
      id: id.toString("base64"),
      privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
      userHandle: userHandle.toString("base64"),
      counter: this.counter
    }
  }

  private data(flags: number, attested: Buffer = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.counter)
    return Buffer.concat([createHash("sha256").update(this.rpId).digest(), Buffer.from([flags]), counter, attested])
  }

  private client(
    type: string,
    challenge: string,
    { origin = this.origin, challenge: other }: AuthenticatorOptions
  ): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other ?? challenge, origin, crossOrigin: false }))
  }

  /** What `navigator.credentials.create` returns, as JSON. */
  create(
    { challenge, user }: { readonly challenge: string; readonly user: { readonly id: string } },
    options: AuthenticatorOptions = {}
  ) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const id = randomBytes(32)
    this.credentials.push({ id, privateKey, userHandle: Buffer.from(user.id, "base64url") })
    const { x = "", y = "" } = publicKey.export({ format: "jwk" })
    const key = coseKey(Buffer.from(x, "base64url"), Buffer.from(y, "base64url"))
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
    const flags = 0x41 | ((options.verifiesUser ?? true) ? 0x04 : 0)
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.from([0xa0]),
      text("authData"),
      bytes(this.data(flags, attested))
    ])
    return {
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.client("webauthn.create", challenge, options).toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"]
      }
    }
  }

  /** What `navigator.credentials.get` returns, as JSON, with the newest key. */
  get({ challenge }: { readonly challenge: string }, options: AuthenticatorOptions = {}) {
    const credential = this.credentials.at(-1)!
    const client = this.client("webauthn.get", challenge, options)
    const data = this.data(0x01 | ((options.verifiesUser ?? true) ? 0x04 : 0))
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()])
    const id = credential.id.toString("base64url")
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", options.forges === true ? randomBytes(69) : signed, credential.privateKey).toString(
          "base64url"
        ),
        userHandle: credential.userHandle.toString("base64url")
      }
    }
  }
}
